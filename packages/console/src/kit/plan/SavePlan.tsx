// @chunk change-plans: of reviews and confirmations, which users open after the page.
import { toWire } from '@gantry/api/client/camel'
import { type LooseInput, pathOf, queryOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { recordKeys } from '@gantry/api/client/records.gen'
import { fourEyesOf } from '@gantry/api/history/four-eyes-operations.rules'
import { fourEyesWords } from '@gantry/api/history/four-eyes.rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { opQuery } from '#/data/queries.ts'
import { useOp } from '#/data/use-op.ts'
import { Button } from '#/ui/Button.tsx'
import { CopyButton } from '#/ui/CopyButton.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { ErrorNote, Note } from '#/ui/feedback/Note.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { TextInput } from '#/ui/inputs/TextInput.tsx'
import { failureText } from '../feedback/failure-text.ts'
import { hrefOf } from '../links/link-target.ts'
import { PageLink } from '../links/PageLink.tsx'
import type { Asked } from './plan.ts'

const demands = opQuery(op.fourEyesSettingsView, {}, async () => ({ data: { kinds: [] }, etag: undefined }))

/** Why the caller may not commit this alone, if the silo demands a second person for it. */
export function useWhyNotAlone(asked: Pick<Asked, 'op'> | undefined): string | undefined {
  const { data } = useQuery(demands)
  const kind = asked && fourEyesOf(asked.op.name)
  return kind && data?.kinds.includes(kind)
    ? `In this silo, somebody else commits ${kind === 'deletions' ? fourEyesWords.deletions : `changes of ${fourEyesWords[kind]}`}. Save the plan and send its link.`
    : undefined
}

interface Props {
  asked: Pick<Asked, 'op' | 'input' | 'tags'>
  kind?: 'primary' | 'default'
  /** What was typed is kept in the plan from now on. */
  onSaved?: (() => void) | undefined
}

/** Keeps a request with its plan, for another user to commit. */
export function SavePlan({ asked, kind = 'default', onSaved }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [note, setNote] = useState('')
  const create = useOp(op.savedPlanCreate)
  const [saved, setSaved] = useState<{ id: string; timeExpires: Date }>()
  async function save(): Promise<void> {
    const { path = {}, query = {}, body } = asked.input as LooseInput
    const { method } = asked.op
    if (method === 'GET' || method === 'HEAD') return
    try {
      const plan = await create.run({
        body: {
          method,
          path: pathOf(asked.op.path, path) + queryOf(query),
          ...(body !== undefined && { body: JSON.stringify(toWire(body, recordKeys)) }),
          ...(asked.tags && { tags: [...asked.tags] }),
          ...(note && { note }),
        },
      })
      setSaved(plan)
      onSaved?.()
    } catch {
      // Shown below.
    }
  }
  if (saved) {
    const link = { to: '/plans/$plan', params: { plan: saved.id } } as const
    const url = `${location.origin}${hrefOf(link)}`
    return (
      <Note title="Plan saved" className="grow">
        <p>
          Whoever may make this change can commit it until <DateTime value={saved.timeExpires} />.{' '}
          <PageLink {...link} className="link">
            Open the plan
          </PageLink>
        </p>
        <p className="flex items-center gap-1">
          <span className="font-mono text-[0.75rem] wrap-anywhere">{url}</span>
          <CopyButton text={url} />
        </p>
      </Note>
    )
  }
  if (!isOpen)
    return (
      <Button size="lg" kind={kind} onClick={() => setOpen(true)}>
        Save as plan
      </Button>
    )
  return (
    <form
      className="flex grow flex-wrap items-end justify-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        void save()
      }}
    >
      {create.error && <ErrorNote className="w-full" errors={[failureText(create.error)]} />}
      <div className="min-w-48 grow">
        <Field label="Note for who commits it" optional>
          <TextInput value={note} maxLength={512} onChange={({ target }) => setNote(target.value)} />
        </Field>
      </div>
      <Button size="lg" onClick={() => setOpen(false)}>
        Cancel
      </Button>
      <Button size="lg" kind="primary" type="submit" pending={create.isPending} pendingLabel="Saving">
        Save plan
      </Button>
    </form>
  )
}
