import { nameMaxLength } from '@gantry/api/base/name.rules'
import { useId, useState } from 'react'
import { Button } from '#/ui/Button.tsx'
import { classes } from '#/ui/classes.ts'
import { formatNumber, sentenceCase } from '#/ui/data/format.ts'
import { Select } from '#/ui/inputs/Select.tsx'
import { ageOptions, sortOf, sortWord } from './find.ts'
import { NameFilter } from './NameFilter.tsx'
import { ClearFilters } from './ClearFilters.tsx'
import { useFind } from './use-find.ts'

interface Props {
  /** The plural, in lower case: `instances`. */
  pluralNoun: string
  states: readonly string[]
}

const sortOptions = [
  { value: 'name', label: 'By name' },
  { value: '-name', label: 'By name, reversed' },
  { value: 'state', label: 'By state' },
  { value: '-state', label: 'By state, reversed' },
  { value: '-created', label: 'Newest first' },
  { value: 'created', label: 'Oldest first' },
] as const

/**
 * Filters a list by name, state and age, and sorts it where there are no column heads. All of it is in the URL. On a
 * phone, everything but the name is collapsed.
 */
export function FilterBar({ pluralNoun, states }: Props) {
  const { search, find, clear } = useFind()
  const choicesId = useId()
  const [isOpen, setOpen] = useState(false)
  const isNarrowed = Boolean(search.name ?? search.state ?? search.age)
  const activeCount = [search.state, search.age, search.sort].filter(Boolean).length
  return (
    <search className="flex flex-wrap items-center gap-2">
      <NameFilter
        label={`Find ${pluralNoun} by name`}
        maxLength={nameMaxLength}
        value={search.name ?? ''}
        onChange={(name) => find({ name }, { replace: true })}
      />
      {/* On a phone, one button in place of three lists. */}
      <Button
        className="md:hidden!"
        aria-expanded={isOpen}
        aria-controls={choicesId}
        onClick={() => setOpen(!isOpen)}
      >
        Filters
        {activeCount > 0 && <span className="tabular-nums"> ({formatNumber(activeCount)})</span>}
      </Button>
      <div
        id={choicesId}
        className={classes('flex flex-wrap gap-2 max-md:basis-full', !isOpen && 'max-md:hidden')}
      >
        <Select
          small
          aria-label="State"
          className="max-md:min-w-0 max-md:grow max-md:basis-2/5"
          options={[
            { value: '', label: 'Any state' },
            ...states.map((state) => ({ value: state, label: sentenceCase(state) })),
            // A link can name several states, which stay in effect until the user selects another.
            ...(search.state?.includes(',') ? [{ value: search.state, label: 'Several states' }] : []),
          ]}
          value={search.state ?? ''}
          onChange={(state) => find({ state })}
        />
        <Select
          small
          aria-label="Age"
          className="max-md:min-w-0 max-md:grow max-md:basis-2/5"
          options={ageOptions}
          value={ageOptions.find(({ value }) => value === search.age)?.value ?? ''}
          onChange={(age) => find({ age })}
        />
        <Select
          small
          aria-label="Sort"
          className="max-md:min-w-0 max-md:grow max-md:basis-2/5 md:hidden!"
          options={sortOptions}
          value={sortOptions.find(({ value }) => value === (sortWord(sortOf(search)) ?? 'name'))?.value}
          onChange={(sort) => find({ sort: sort === 'name' ? undefined : sort })}
        />
      </div>
      {isNarrowed && <ClearFilters onClear={clear} />}
    </search>
  )
}
