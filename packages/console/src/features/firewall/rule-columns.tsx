import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import ArrowUpFromLine from 'lucide-react/icons/arrow-up-from-line'
import Ban from 'lucide-react/icons/ban'
import Check from 'lucide-react/icons/check'
import type { ReactNode } from 'react'
import { StatePlate } from '#/ui/data/StatePlate.tsx'
import type { Column } from '#/ui/data/column.ts'
import { Term } from '#/ui/data/Term.tsx'
import type { Rule } from './rule.ts'
import { FilterTags, TargetTags } from './RuleTags.tsx'
import { actionWords, directionWords, targetless } from './words.ts'

const iconClass = 'size-3.5 shrink-0'
const Labelled = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <span className="inline-flex items-center gap-1.5 align-bottom">
    {icon}
    {children}
  </span>
)

export function ActionCell({ rule: { action } }: { rule: Pick<Rule, 'action'> }) {
  const Icon = action === 'allow' ? Check : Ban
  return (
    <Labelled icon={<Icon aria-hidden strokeWidth={1.75} className={iconClass} />}>
      <span className="text-strong">{actionWords[action]}</span>
    </Labelled>
  )
}

function DirectionCell({ rule: { direction } }: { rule: Pick<Rule, 'direction'> }) {
  const Icon = direction === 'inbound' ? ArrowDownToLine : ArrowUpFromLine
  return (
    <Labelled icon={<Icon aria-hidden strokeWidth={1.75} className={iconClass} />}>
      {directionWords[direction]}
    </Labelled>
  )
}

function StatusCell({ rule: { status, targets } }: { rule: Pick<Rule, 'status' | 'targets'> }) {
  if (status === 'disabled') return <StatePlate family="gone">Disabled</StatePlate>
  if (targets.length > 0) return <StatePlate family="ok">Enabled</StatePlate>
  return (
    <Term tip={targetless}>
      <StatePlate family="care">No targets</StatePlate>
    </Term>
  )
}

/** Columns for a rule's effect, after name and priority; `ruleOf` finds the rule of a row. */
export function ruleColumns<Row>(ruleOf: (row: Row) => Rule | undefined): Column<Row>[] {
  const cell = (Cell: (props: { rule: Rule }) => ReactNode) => (row: Row) => {
    const rule = ruleOf(row)
    return rule && <Cell rule={rule} />
  }
  return [
    { id: 'action', header: 'Action', part: 'meta', cell: cell(ActionCell) },
    { id: 'direction', header: 'Direction', part: 'meta', cell: cell(DirectionCell) },
    { id: 'targets', header: 'Targets', part: 'meta', cell: cell(TargetTags) },
    { id: 'filters', header: 'Filters', part: 'meta', cell: cell(FilterTags) },
    { id: 'status', header: 'Status', part: 'state', cell: cell(StatusCell) },
  ]
}
