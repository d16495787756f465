// @chunk change-plans: of reviews and confirmations, which users open after the page.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { asFailure } from '#/data/failure.ts'
import { afterPress } from '#/ui/after-press.ts'
import { formatNumber } from '#/ui/data/format.ts'
import { ErrorNote, Note } from '#/ui/feedback/Note.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import type { Question } from '../feedback/confirm.tsx'
import { failureText } from '../feedback/failure-text.ts'
import { askPlan } from './ask-plan.ts'
import { foreseeParts, type Foresight } from './foresee-parts.ts'
import type { Plan } from './plan.ts'
import { SavePlan, useWhyNotAlone } from './SavePlan.tsx'
import {
  accessTexts,
  effectTexts,
  packetTexts,
  personText,
  quotaTexts,
  restartTexts,
  rolesText,
} from './plan-words.ts'

interface Props {
  question: Question
  plan: Plan | undefined
  isMoved: boolean
  onPlan: (plan: Plan) => void
}

/** What confirming would do, in the question itself, because a page of its own would be one step more. */
export function Foreseen({ question, plan, isMoved, onPlan }: Props) {
  const { isPlanned, isSavable, parts } = question
  const { data, error, isPending } = useQuery({
    queryKey: ['plan', question.id],
    queryFn: async ({ signal }): Promise<Foresight> => {
      try {
        if (!isPlanned && !isSavable) return await foreseeParts(parts ?? [], signal)
        const asked = await askPlan((send) => question.run(false, send))
        return { plan: asked.plan, asked }
      } finally {
        // What is said then moves the buttons below it.
        await new Promise<void>(afterPress)
      }
    },
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
  })
  const asked = isPlanned ? data?.plan : undefined
  const whyNotAlone = useWhyNotAlone(data?.asked)
  useEffect(() => {
    if (asked) onPlan(asked)
    // Once it arrives; the callback is made anew by each render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [asked])
  if (isPending) return <Skeleton className="h-10 w-full" />
  if (error) {
    const failure = asFailure(error)
    // What is missing on the server is no news for users.
    return failure.statusCode === 404 ? null : (
      <ErrorNote title="As it is now, this would be refused" errors={[failureText(failure)]} />
    )
  }
  const shown = plan ?? data.plan
  return (
    <div className="grid gap-2" role="status">
      {isMoved && (
        <Note kind="busy" title="What this would do has changed meanwhile">
          <p>Nothing was changed. This is what it would do now.</p>
        </Note>
      )}
      {shown && <Effects plan={shown} />}
      {whyNotAlone && data.asked && (
        <>
          <Note kind="busy" title="A second person commits this">
            <p>{whyNotAlone}</p>
          </Note>
          <div className="flex flex-wrap">
            <SavePlan asked={data.asked} />
          </div>
        </>
      )}
      {data.refused && data.refused.length > 0 && (
        <Note kind="busy" title={`${formatNumber(data.refused.length)} would be refused`}>
          <Lines lines={data.refused} />
        </Note>
      )}
      {data.left !== undefined && data.left > 0 && (
        <p className="text-sm text-muted">{`Not tried: ${formatNumber(data.left)} more.`}</p>
      )}
    </div>
  )
}

/** The effects of a plan, in a few lines. */
export function Effects({ plan }: { plan: Plan }) {
  const sections = [
    ['Changes', effectTexts(plan)],
    ['Instances', restartTexts(plan)],
    ['Packets', packetTexts(plan)],
    ['Roles', plan.people.map((person) => `${personText(person)}: ${rolesText(person)}`)],
    ['Access then', accessTexts(plan)],
    ['The silo uses', quotaTexts(plan)],
  ] as const
  const shown = sections.filter(([, lines]) => lines.length > 0)
  if (shown.length === 0) return null
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-1 rounded-r-control border-l-3 border-dashed border-control-line bg-sunken px-3 py-2 text-sm leading-5 sm:grid-cols-[max-content_minmax(0,1fr)]">
      {shown.map(([label, lines]) => (
        <Section key={label} label={label}>
          <Lines lines={lines} />
        </Section>
      ))}
    </dl>
  )
}

const Section = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <dt className="text-muted">{label}</dt>
    <dd className="min-w-0 wrap-anywhere">{children}</dd>
  </>
)

const shownLines = 5

const Lines = ({ lines }: { lines: readonly string[] }) => (
  <ul>
    {lines.slice(0, shownLines).map((line) => (
      <li key={line}>{line}</li>
    ))}
    {lines.length > shownLines && (
      <li className="text-muted">{`and ${formatNumber(lines.length - shownLines)} more`}</li>
    )}
  </ul>
)
