// @chunk change-plans: of reviews and confirmations, which users open after the page.
import { MiniTable } from '#/ui/data/MiniTable.tsx'
import { shownDifferences } from '../page/difference-words.ts'
import type { Plan } from './plan.ts'
import { signOf } from './plan-words.ts'

type Change = Plan['changes'][number]

/** Of a rule that is replaced as one of a list, so that each field can be compared. */
export const isRule = ({ kind }: Change): boolean => kind === 'vpc-firewall-rule'

interface Row {
  key: string
  /** Only in the first row of a rule. */
  word: string
  sign: string
  name: string
  field: string
  before: string
  after: string
}

/** A row for each field of each rule: of a new rule all that it says, and of one that goes all that it said. */
export function ruleRows(changes: readonly Change[]): Row[] {
  return changes.filter(isRule).flatMap(({ id, name, action, differences }) => {
    const { sign, word } = signOf(action)
    const shown = shownDifferences(differences)
    const all = shown.length > 0 ? shown : [{ label: '', before: '', after: '' }]
    return all.map(({ label, before, after }, place) => ({
      key: `${id} ${action} ${place}`,
      ...(place === 0 ? { word, sign, name: name ?? '' } : { word: '', sign: '', name: '' }),
      field: label,
      before,
      after,
    }))
  })
}

/** Firewall rules before and after. */
export const RulesTable = ({ changes }: { changes: readonly Change[] }) => (
  <div className="border-t border-line p-3.5">
    <MiniTable
      label="Firewall rules"
      columns={columns}
      items={ruleRows(changes)}
      itemKey={({ key }) => key}
    />
  </div>
)

const columns = [
  {
    header: 'Change',
    cell: ({ sign, word }: Row) => (
      <>
        <span aria-hidden>{sign} </span>
        {word}
      </>
    ),
  },
  { header: 'Rule', cell: ({ name }: Row) => <span className="font-medium text-strong">{name}</span> },
  { header: 'Field', cell: ({ field }: Row) => field },
  { header: 'Now', cell: ({ before }: Row) => <del className="text-muted">{before}</del> },
  {
    header: 'Then',
    cell: ({ after }: Row) => <ins className="font-medium text-strong no-underline">{after}</ins>,
  },
]
