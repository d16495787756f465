import { issueKinds } from '@gantry/api/system.rules'
import { Button } from '#/ui/Button.tsx'
import { sentenceCase } from '#/ui/format.ts'
import { Select } from '#/ui/Select.tsx'
import { type IssueSearch, issueStates } from './issue-search.ts'

const optionsOf = (any: string, values: readonly string[]) => [
  { value: '', label: any },
  ...values.map((value) => ({ value, label: sentenceCase(value) })),
]

const stateOptions = optionsOf('Open and past', issueStates)
const kindOptions = optionsOf('Any kind', issueKinds)

interface Props {
  search: IssueSearch
  onChange: (change: IssueSearch) => void
  onClear: () => void
}

/** Filters the issues by state and kind. */
export function IssueFilter({ search, onChange, onClear }: Props) {
  const value = (options: typeof stateOptions, wanted: string | undefined) =>
    options.some((option) => option.value === wanted) ? wanted : ''
  return (
    <search className="mb-4 flex flex-wrap items-center gap-2">
      <Select
        small
        aria-label="State"
        options={stateOptions}
        value={value(stateOptions, search.state)}
        onChange={(state) => onChange({ state })}
      />
      <Select
        small
        aria-label="Kind"
        options={kindOptions}
        value={value(kindOptions, search.kind)}
        onChange={(kind) => onChange({ kind })}
      />
      {(search.state || search.kind) && (
        <Button kind="quiet" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </search>
  )
}
