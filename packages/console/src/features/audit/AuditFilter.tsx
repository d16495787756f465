import { auditResults } from '@gantry/api/system/audit.rules'
import { useId } from 'react'
import { ClearFilters } from '#/kit/list/ClearFilters.tsx'
import { FilterInput } from '#/kit/list/FilterInput.tsx'
import { inputClass } from '#/ui/inputs/Field.tsx'
import { sentenceCase } from '#/ui/data/format.ts'
import { Select } from '#/ui/inputs/Select.tsx'
import { isNarrowed } from './queries.ts'
import type { AuditSearch } from './search.ts'

const resultOptions = [
  { value: '', label: 'Any result' },
  ...auditResults.map((value) => ({ value, label: sentenceCase(value) })),
]

interface Props {
  search: AuditSearch
  /** Suggested while the user types: what is on screen, with repetitions. */
  suggested: Partial<Record<'actor' | 'operation', readonly string[] | undefined>>
  timeOnly: boolean
  onChange: (change: AuditSearch) => void
  onClear: () => void
}

/** Filters the log by actor, operation, object, result and time. */
export function AuditFilter({ search, suggested, timeOnly, onChange, onClear }: Props) {
  const id = useId()
  const field = (key: 'actor' | 'operation' | 'object', label: string, list?: string) => (
    <FilterInput
      type="search"
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      spellCheck={false}
      maxLength={100}
      list={list}
      value={search[key] ?? ''}
      className={`${inputClass} h-control! text-sm max-md:basis-full md:w-44`}
      onApply={(value) => onChange({ [key]: value })}
    />
  )
  const day = (key: 'from' | 'to', label: string) => (
    <label className="flex items-center gap-1.5 text-sm text-muted">
      {label}
      <FilterInput
        type="date"
        aria-label={label}
        value={search[key] ?? ''}
        className={`${inputClass} h-control! w-36! text-sm`}
        onApply={(value) => onChange({ [key]: value })}
      />
    </label>
  )
  return (
    <search className="mb-4 flex flex-wrap items-center gap-2">
      {!timeOnly && (
        <>
          {field('actor', 'User name or ID', `${id}actor`)}
          <Suggestions id={`${id}actor`} words={suggested.actor} />
          {field('operation', 'Operation', `${id}operation`)}
          <Suggestions id={`${id}operation`} words={suggested.operation} />
          {field('object', 'Object name or ID')}
          <Select
            small
            aria-label="Result"
            options={resultOptions}
            value={resultOptions.find(({ value }) => value === search.result)?.value ?? ''}
            onChange={(result) => onChange({ result })}
          />
        </>
      )}
      {day('from', 'From')}
      {day('to', 'To')}
      {isNarrowed(search) && <ClearFilters onClear={onClear} />}
    </search>
  )
}

const Suggestions = ({ id, words }: { id: string; words: readonly string[] | undefined }) => (
  <datalist id={id}>
    {[...new Set(words)].sort().map((word) => (
      <option key={word}>{word}</option>
    ))}
  </datalist>
)
