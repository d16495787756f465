// @chunk activity-log: of the accounts of all kinds of places, which no list or form needs.
import type { ReactNode } from 'react'
import { activityActions, activityFilters, activityWords } from '@gantry/api/history/activity.rules'
import { externalIdMaxLength } from '@gantry/api/people/silo.rules'
import { fleetKinds, kinds } from '@gantry/api/kind.gen'
import { ClearFilters } from '#/kit/list/ClearFilters.tsx'
import { FilterInput } from '#/kit/list/FilterInput.tsx'
import { kindWord } from '#/kit/page/stored-values.ts'
import { sentenceCase } from '#/ui/data/format.ts'
import { inputClass } from '#/ui/inputs/Field.tsx'
import { Select } from '#/ui/inputs/Select.tsx'
import { periods } from './periods.ts'
import { type ActivityScope, platformWord } from './queries.ts'
import { type ActivitySearch, isNarrowed } from './search.ts'

const outcomeWords = { changed: 'Changed something', refused: 'Refused' } as const
const outcomeOptions = [
  { value: '', label: 'Any outcome' },
  ...activityFilters.map((value) => ({ value, label: outcomeWords[value] })),
]
const actionOptions = [
  { value: '', label: 'Any action' },
  ...activityActions.map((value) => ({ value, label: activityWords[value].done })),
]
const whenOptions = [
  { value: '', label: 'Any time' },
  ...Object.entries(periods).map(([value, label]) => ({ value, label })),
]

const ofFleet: ReadonlySet<string> = new Set(fleetKinds)
const kindOptions = (scope: ActivityScope) => [
  { value: '', label: 'All kinds' },
  ...kinds
    .filter((kind) => ofFleet.has(kind) === (scope.of === 'fleet'))
    .map((kind) => ({ value: kind, label: sentenceCase(kindWord(kind)) }))
    .toSorted((one, other) => one.label.localeCompare(other.label)),
]

interface Props {
  scope: ActivityScope
  search: ActivitySearch
  /** Names of those on screen. */
  people: readonly string[]
  onChange: (change: ActivitySearch) => void
  onClear: () => void
  /** At the right. */
  tools: ReactNode
}

/** Narrows activity by object, person, kind, action, outcome and time. */
export function ActivityFilter({ scope, search, people, onChange, onClear, tools }: Props) {
  const known = new Set(people)
  if (search.by && search.by !== platformWord) known.add(search.by)
  const byOptions = [
    { value: '', label: 'By anyone' },
    { value: platformWord, label: 'By the platform' },
    ...[...known].sort().map((name) => ({ value: name, label: `By ${name}` })),
  ]
  const choice = (
    key: 'by' | 'kind' | 'action' | 'outcome' | 'when',
    label: string,
    options: readonly { value: string; label: string }[],
  ) => (
    <Select
      small
      aria-label={label}
      className="max-md:min-w-0 max-md:grow max-md:basis-2/5"
      options={options}
      value={options.find(({ value }) => value === search[key])?.value ?? ''}
      onChange={(value) => onChange({ [key]: value })}
    />
  )
  return (
    <search className="mb-4 flex flex-wrap items-center gap-2">
      <FilterInput
        type="search"
        aria-label="Name, ID or request"
        placeholder="Name, ID or request"
        autoComplete="off"
        spellCheck={false}
        maxLength={externalIdMaxLength}
        value={search.search ?? ''}
        className={`${inputClass} h-control! text-sm max-md:basis-full md:w-56`}
        onApply={(value) => onChange({ search: value })}
      />
      {scope.of !== 'me' && choice('by', 'By', byOptions)}
      {choice('kind', 'What', kindOptions(scope))}
      {choice('action', 'Action', actionOptions)}
      {choice('outcome', 'Outcome', outcomeOptions)}
      {choice('when', 'When', whenOptions)}
      {isNarrowed(search) && <ClearFilters onClear={onClear} />}
      <div className="md:ml-auto">{tools}</div>
    </search>
  )
}
