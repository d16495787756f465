import * as op from '@gantry/api/client/operations.gen'
import type { PastKind } from '@gantry/api/history/past.rules'
import { useQuery } from '@tanstack/react-query'
import { opQuery } from '#/data/queries.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { kindWord } from '#/kit/page/stored-values.ts'
import { Button } from '#/ui/Button.tsx'
import { formatDate, formatTimeToSecond, sentenceCase } from '#/ui/data/format.ts'
import { ErrorNote, Note } from '#/ui/feedback/Note.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { DifferenceList } from '#/kit/page/DifferenceList.tsx'
import { fieldText, labelOf, shownDifferences } from '#/kit/page/difference-words.ts'

interface Props {
  kind: PastKind
  id: string
  name: string | null
  at: Date
  /** An object that an entry deleted is shown as it was just before. */
  isBefore: boolean
  onClose: () => void
}

/** An object as an entry of activity left it, and what differs now. */
export function PastDialog({ kind, id, name, at, isBefore, onClose }: Props) {
  const moment = isBefore ? new Date(at.getTime() - 1) : at
  const query = { kind, at: moment.toISOString() }
  const { data, error } = useQuery(opQuery(op.pastObjectView, { path: { objectId: id }, query }))
  const time = `${formatDate(at)}, ${formatTimeToSecond(at)}`
  const differences = shownDifferences(data?.differences ?? [])
  return (
    <Dialog
      title={`${sentenceCase(kindWord(kind))} ${data?.name ?? name ?? ''} as it was`}
      onRequestClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <Note kind="busy">{isBefore ? `Just before ${time}, when it was deleted.` : `At ${time}.`}</Note>
      {error && <ErrorNote errors={[failureText(error)]} />}
      {!data && !error && <Skeleton className="h-40 w-full" />}
      {data && (
        <>
          <h3 className="pt-2 text-base">What differs now</h3>
          {data.isGone ? (
            <p className="text-muted">It does not exist any more.</p>
          ) : differences.length === 0 ? (
            <p className="text-muted">Nothing.</p>
          ) : (
            <DifferenceList differences={differences} />
          )}
          <h3 className="pt-2 text-base">As it was then</h3>
          {data.fields ? <Fields fields={data.fields} /> : <p className="text-muted">It did not exist.</p>}
        </>
      )}
    </Dialog>
  )
}

/** What people know of it, in the words of the screen; what was empty is skipped. */
function Fields({ fields }: { fields: Record<string, unknown> }) {
  const shown = Object.entries(fields).flatMap(([field, value]) => {
    const text = fieldText(field, value)
    return text === '' ? [] : [{ label: labelOf(field), text }]
  })
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-1 text-sm leading-5 sm:grid-cols-[max-content_minmax(0,1fr)]">
      {shown.map(({ label, text }) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="min-w-0 font-medium text-strong wrap-anywhere">{text}</dd>
        </div>
      ))}
    </dl>
  )
}
