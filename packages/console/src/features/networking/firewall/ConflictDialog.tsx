import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { formatCount } from '../../../ui/format-amounts.ts'
import { MiniTable } from '../../../ui/MiniTable.tsx'
import { RadioGroup } from '../../../ui/Radio.tsx'
import { EmptyCell } from '../../../ui/Truncate.tsx'
import type { Choice, Conflict } from './merge.ts'
import { type Rule, type RuleField, ruleFields } from './rule.ts'
import { fieldText, fieldWords } from './words.ts'

interface Props {
  conflicts: readonly Conflict[]
  onAnswer: (choices: readonly Choice[] | undefined) => void
}

/** Both sides of every rule that two people have changed, and whose is kept. Nothing is saved before that is chosen. */
export function ConflictDialog({ conflicts, onAnswer }: Props) {
  const [choices, setChoices] = useState<readonly (Choice | undefined)[]>(() =>
    conflicts.map(({ both }) => (both ? 'both' : undefined)),
  )
  const chosen = choices.filter((choice) => choice !== undefined)
  const isReady = chosen.length === conflicts.length
  return (
    <Dialog
      title={`Somebody else has changed ${conflicts.length === 1 ? 'this rule' : formatCount(conflicts.length, 'rule')}`}
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
            disabledReason={isReady ? undefined : 'Choose for each rule what to keep'}
            onClick={() => onAnswer(chosen)}
          >
            Save
          </Button>
        </>
      }
    >
      <p>Nothing is saved yet. Choose what to keep; Cancel leaves everything as it is.</p>
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
      <p className="text-sm text-muted">{whatHappened(conflict)}</p>
      <MiniTable
        label={`Changes to ${name}`}
        columns={columns}
        items={differences(conflict)}
        itemKey={({ field }) => field}
      />
      <RadioGroup
        label={`What to keep of ${name}`}
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

/** The fields in which the sides that are there are not all the same. */
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
  // Room for a word, also where the neighbours have long texts.
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

function whatHappened({ base, theirs, mine }: Conflict): string {
  if (!theirs) return 'It was deleted while you were changing it.'
  if (!base) return 'A rule of this name was made by somebody else meanwhile.'
  if (!mine) return 'It was changed since you decided to delete it.'
  return 'It was changed while you were changing it.'
}

function optionsFor({ base, theirs, mine, both }: Conflict): { value: Choice; label: string }[] {
  if (!theirs)
    return [
      { value: 'theirs', label: 'Leave it deleted' },
      { value: 'mine', label: 'Keep mine: make it again' },
    ]
  if (!mine)
    return [
      { value: 'theirs', label: 'Keep theirs: leave the rule as it is now' },
      { value: 'mine', label: 'Delete it all the same' },
    ]
  return [
    ...(both ? [{ value: 'both' as const, label: 'Keep both: each side has changed other fields' }] : []),
    { value: 'theirs', label: 'Keep theirs' },
    { value: 'mine', label: base ? 'Keep mine' : 'Keep mine in its place' },
  ]
}
