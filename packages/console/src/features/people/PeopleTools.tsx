import { externalIdMaxLength } from '@gantry/api/people/silo.rules'
import { Select } from '#/ui/inputs/Select.tsx'
import { sortOf } from '#/kit/list/find.ts'
import { NameFilter } from '#/kit/list/NameFilter.tsx'
import { useFind } from '#/kit/list/use-find.ts'

const sortOptions = [
  { value: 'name', label: 'By name' },
  { value: '-name', label: 'By name, reversed' },
] as const

/** Filters users or groups by name, and sorts them where there are no column heads. */
export function PeopleTools({ pluralNoun }: { pluralNoun: 'users' | 'groups' }) {
  const { search, find } = useFind()
  return (
    <search className="mb-3 flex flex-wrap items-center gap-2">
      <NameFilter
        label={`Find ${pluralNoun} by name`}
        maxLength={externalIdMaxLength}
        value={search.name ?? ''}
        onChange={(name) => find({ name }, { replace: true })}
      />
      <Select
        small
        aria-label="Sort"
        className="max-md:w-36! md:hidden!"
        options={sortOptions}
        value={sortOf(search).isDescending ? '-name' : 'name'}
        onChange={(sort) => find({ sort: sort === 'name' ? undefined : sort })}
      />
    </search>
  )
}
