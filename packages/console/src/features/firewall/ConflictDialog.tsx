import { useState } from 'react'
import { Button } from '#/ui/Button.tsx'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { formatCount } from '#/ui/data/format-amounts.ts'
import { MiniTable } from '#/ui/data/MiniTable.tsx'
import { RadioGroup } from '#/ui/inputs/Radio.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import type { Choice, Conflict } from './merge.ts'
import { type Rule, type RuleField, ruleFields } from './rule.ts'
import { fieldText, fieldWords } from './words.ts'

interface Props {
  conflicts: readonly Conflict[]
  onAnswer: (choices: readonly Choice[] | undefined) => void
}

/**
 * Shows both versions of every rule that two users have changed, and asks which to keep. Saves nothing before the
 * user decides.
 */
export function ConflictDialog({ conflicts, onAnswer }: Props) {
  const [choices, setChoices] = useState<readonly (Choice | undefined)[]>(() =>
    conflicts.map(({ both }) => (both ? 'both' : undefined)),
  )
  const selected = choices.filter((choice) => choice !== undefined)
  const isReady = selected.length === conflicts.length
  return (
    <Dialog
      title={`Someone else has changed ${conflicts.length === 1 ? 'this rule' : formatCount(conflicts.length, 'rule')}`}
      width="free"
      onRequestClose={() => onAnswer(undefined)}
      footer={
        <>
          <Button size="lg" onClick={() => onAnswer(undefined)}>
            Cancel
          </Button>
          <Button
            size="lg"
            kind="primary"
            disabledReason={isReady ? undefined : 'Choose what to keep for each rule'}
            onClick={() => onAnswer(selected)}
          >
            Save
          </Button>
        </>
      }
    >
      <p>Nothing is saved yet. Choose what to keep, or cancel to save nothing.</p>
      {conflicts.map((conflict, index) => (
        <ConflictSection
          key={conflict.name}
          conflict={conflict}
          choice={choices[index]}
          onChoose={(choice) => setChoices(choices.with(index, choice))}
        />
      ))}
    </Dialog>
  )
}

interface SectionProps {
  conflict: Conflict
  choice: Choice | undefined
  onChoose: (choice: Choice) => void
}

function ConflictSection({ conflict, choice, onChoose }: SectionProps) {
  const { name } = conflict
  return (
    <section aria-label={name} className="space-y-2 pt-2">
      <h3 className="text-base wrap-anywhere">{name}</h3>
      <p className="text-sm text-muted">{conflictText(conflict)}</p>
      <MiniTable
        label={`Changes to ${name}`}
        columns={columns}
        items={differences(conflict)}
        itemKey={({ field }) => field}
      />
      <RadioGroup
        label={`Version of ${name} to keep`}
        column
        options={optionsFor(conflict)}
        value={choice}
        onChange={onChoose}
      />
    </section>
  )
}

interface Difference {
  field: RuleField
  sides: Record<Side, string>
}
type Side = 'base' | 'theirs' | 'mine'
const sides = ['base', 'theirs', 'mine'] as const

/** The fields in which the existing versions differ. */
function differences(conflict: Conflict): Difference[] {
  const there = sides.filter((side) => conflict[side])
  return ruleFields.flatMap((field) => {
    const text = (rule: Rule | undefined) => (rule ? fieldText(rule, field) : '')
    const found = { base: text(conflict.base), theirs: text(conflict.theirs), mine: text(conflict.mine) }
    const isSame = there.length > 1 && new Set(there.map((side) => found[side])).size === 1
    return isSame || sides.every((side) => found[side] === '') ? [] : [{ field, sides: found }]
  })
}

const sideColumn = (header: string, side: Side) => ({
  header,
  // Keeps room for a word beside long texts.
  cell: ({ sides }: Difference) => <div className="min-w-16">{sides[side] || <EmptyCell />}</div>,
})
const columns = [
  {
    header: 'Field',
    cell: ({ field }: Difference) => <span className="wrap-normal">{fieldWords[field]}</span>,
  },
  sideColumn('Before', 'base'),
  sideColumn('Theirs', 'theirs'),
  sideColumn('Mine', 'mine'),
]

function conflictText({ base, theirs, mine }: Conflict): string {
  if (!theirs) return 'Someone else deleted it while you were editing it.'
  if (!base) return 'Someone else created a rule with this name.'
  if (!mine) return 'Someone else changed it after you chose to delete it.'
  return 'Someone else changed it while you were editing it.'
}

function optionsFor({ base, theirs, mine, both }: Conflict): { value: Choice; label: string }[] {
  if (!theirs)
    return [
      { value: 'theirs', label: 'Leave it deleted' },
      { value: 'mine', label: 'Keep mine: create it again' },
    ]
  if (!mine)
    return [
      { value: 'theirs', label: 'Keep theirs: do not delete the rule' },
      { value: 'mine', label: 'Delete it anyway' },
    ]
  return [
    ...(both ? [{ value: 'both' as const, label: 'Keep both: the changes are to different fields' }] : []),
    { value: 'theirs', label: 'Keep theirs' },
    { value: 'mine', label: base ? 'Keep mine' : 'Replace it with mine' },
  ]
}
