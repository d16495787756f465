// @chunk change-plans: of reviews and confirmations, which users open after the page.
import ArrowRight from 'lucide-react/icons/arrow-right'
import type { ReactNode } from 'react'
import { Card } from '#/ui/data/Card.tsx'
import { MiniTable } from '#/ui/data/MiniTable.tsx'
import { StatePlate } from '#/ui/data/StatePlate.tsx'
import { formatTimeToSecond } from '#/ui/data/format.ts'
import { useMedia } from '#/ui/use-media.ts'
import { DifferenceList } from '../page/DifferenceList.tsx'
import { shownDifferences } from '../page/difference-words.ts'
import type { Plan } from './plan.ts'
import {
  accessTexts,
  changesText,
  endText,
  isCut,
  markOf,
  objectText,
  personText,
  quotaTexts,
  restartTexts,
  rolesText,
  signOf,
  triedText,
  untouchedText,
} from './plan-words.ts'
import { isRule, RulesTable } from './RulesTable.tsx'

interface Props {
  plan: Plan
  /** When and by whom it was made, and what else there is to know of it. */
  about: ReactNode
  /** What a task that it begins would do. */
  children?: ReactNode
}

/** What a request would do: to which objects and packets at the left, to whom at the right. */
export function PlanView({ plan, about, children }: Props) {
  const { packets } = plan
  const rules = plan.changes.filter(isRule)
  const others = plan.changes.filter((change) => !isRule(change))
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_17rem] 2xl:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid min-w-0 gap-4">
        <Card title="What changes" description={changesText(plan)} flush>
          {rules.length > 0 && <RulesTable changes={rules} />}
          {others.length > 0 && <Changes changes={others} />}
        </Card>
        {children}
        {packets.tried > 0 && (
          <Card title="Packets whose verdict changes" description={triedText(packets)} flush>
            <Packets packets={packets} />
          </Card>
        )}
      </div>
      <aside
        aria-label="Who is affected"
        className="divide-y divide-line rounded-block border border-line bg-sunken text-sm leading-5"
      >
        <Affected plan={plan} />
        <Part title="This plan">
          {about}
          <p className="text-muted">
            Plan <span className="font-mono text-[0.75rem]">{markOf(plan)}</span>. If it would do anything
            else by the time it is committed, it is refused and made anew.
          </p>
        </Part>
      </aside>
    </div>
  )
}

/** When a plan was made that is not kept. */
export const MadeAt = ({ time }: { time: Date }) => <p>Made at {formatTimeToSecond(time)}.</p>

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-1 px-4 py-3">
      <h3 className="text-sm font-semibold text-strong">{title}</h3>
      {children}
    </section>
  )
}

function Changes({ changes }: { changes: Plan['changes'] }) {
  return (
    <ul className="divide-y divide-faint-line border-t border-line">
      {changes.map(({ kind, id, name, action, other, differences }) => {
        const { sign, word } = signOf(action)
        return (
          <li key={`${kind} ${id} ${action}`} className="px-3.5 py-2.5 text-sm leading-5">
            <p className="flex flex-wrap items-center gap-x-2">
              <span
                aria-hidden
                className="grid size-4.5 place-items-center rounded-tag border border-dashed border-control-line leading-none font-medium"
              >
                {sign}
              </span>
              <span className="font-medium text-strong">{word}</span>
              <span className={sign === '−' ? 'text-muted line-through' : 'text-strong'}>
                {objectText({ kind, name })}
              </span>
              {other && <span className="text-muted">{`of ${other.name}`}</span>}
            </p>
            {differences.length > 0 && <DifferenceList isPlan differences={shownDifferences(differences)} />}
          </li>
        )
      })}
    </ul>
  )
}

/** Below the breakpoint `sm`. */
const phone = '(width < 30rem)'

function Packets({ packets }: { packets: Plan['packets'] }) {
  const isNarrow = useMedia(phone)
  if (packets.changed.length === 0)
    return (
      <p className="border-t border-line px-3.5 py-3 text-sm text-muted">
        Each of them arrives, or does not, as before.
      </p>
    )
  return (
    <div className="border-t border-line p-3.5">
      {isNarrow ? (
        <ul className="-mx-3.5 -my-3.5 divide-y divide-faint-line">
          {packets.changed.map((changed) => (
            <li key={keyOf(changed)} className="grid gap-1.5 px-3.5 py-2.5 text-sm leading-5">
              <p className="font-medium text-strong wrap-anywhere">
                {`${endText(changed.from)} to ${endText(changed.to)}, ${changed.packet}`}
              </p>
              <Verdicts {...changed} />
            </li>
          ))}
        </ul>
      ) : (
        <MiniTable
          label="Packets whose verdict changes"
          columns={packetColumns}
          items={packets.changed}
          itemKey={keyOf}
        />
      )}
      {isCut(packets.changed) && <p className="mt-2 text-sm text-muted">More packets may change.</p>}
    </div>
  )
}

type Packet = Plan['packets']['changed'][number]

const keyOf = ({ from, to, packet }: Packet): string => `${from?.id} ${to?.id} ${packet}`

const packetColumns = [
  { header: 'From', cell: ({ from }: Packet) => endText(from) },
  { header: 'To', cell: ({ to }: Packet) => endText(to) },
  { header: 'Packet', cell: ({ packet }: Packet) => packet },
  {
    header: 'Verdict now and then',
    cell: (packet: Packet) => <Verdicts {...packet} />,
  },
]

const Verdicts = ({ was, is }: Pick<Packet, 'was' | 'is'>) => (
  <span className="flex flex-wrap items-center gap-1.5">
    <Verdict passes={was} />
    <ArrowRight role="img" aria-label="then" className="size-4 shrink-0" />
    <Verdict passes={is} />
  </span>
)

const Verdict = ({ passes }: { passes: boolean }) => (
  <StatePlate family={passes ? 'ok' : 'fail'}>{passes ? 'Passes' : 'Does not pass'}</StatePlate>
)

/** Instances, users and quota, each only if it is concerned. */
function Affected({ plan }: { plan: Plan }) {
  const { restarts, people } = plan
  const amounts = quotaTexts(plan)
  const untouched = untouchedText(plan)
  return (
    <>
      {restarts.length > 0 && (
        <Part title="Instances">
          <Lines lines={restartTexts(plan)} isCut={isCut(restarts)} />
        </Part>
      )}
      {people.length > 0 && (
        <Part title="Roles">
          <Lines
            lines={people.map((person) => `${personText(person)}: ${rolesText(person)}`)}
            isCut={isCut(people)}
          />
        </Part>
      )}
      {plan.access.count > 0 && (
        <Part title="Access then">
          <Lines lines={accessTexts(plan)} />
        </Part>
      )}
      {amounts.length > 0 && (
        <Part title="The silo uses">
          <Lines lines={amounts} />
        </Part>
      )}
      {untouched !== '' && (
        <Part title="No effect on">
          <p>{untouched}.</p>
        </Part>
      )}
    </>
  )
}

const shownLines = 12

function Lines({ lines, isCut: hasMore = false }: { lines: readonly string[]; isCut?: boolean }) {
  const rest = lines.length - shownLines
  return (
    <ul>
      {lines.slice(0, shownLines).map((line) => (
        <li key={line} className="wrap-anywhere">
          {line}
        </li>
      ))}
      {(rest > 0 || hasMore) && <li className="text-muted">{hasMore ? 'and more' : `and ${rest} more`}</li>}
    </ul>
  )
}
