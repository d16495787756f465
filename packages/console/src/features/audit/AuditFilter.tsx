import { auditResults } from '@gantry/api/audit.rules'
import { type FormEvent, useId } from 'react'
import { Button } from '#/ui/Button.tsx'
import { inputClass } from '#/ui/Field.tsx'
import { sentenceCase } from '#/ui/format.ts'
import { Select } from '#/ui/Select.tsx'
import { isNarrowed } from './queries.ts'
import type { AuditSearch } from './search.ts'

const resultOptions = [
  { value: '', label: 'Any result' },
  ...auditResults.map((value) => ({ value, label: sentenceCase(value) })),
]

interface Props {
  search: AuditSearch
  /** Suggested while the user types. */
  operations: readonly string[]
  timeOnly: boolean
  onChange: (change: AuditSearch) => void
  onClear: () => void
}

/** Filters the log by actor, operation, object, result and time. Text applies on Enter or on blur. */
export function AuditFilter({ search, operations, timeOnly, onChange, onClear }: Props) {
  const listId = useId()
  const field = (key: 'actor' | 'operation' | 'object', label: string, list?: string) => (
    <input
      // Refilled when the URL changes, for example after Back.
      key={`${key} ${search[key] ?? ''}`}
      type="search"
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      spellCheck={false}
      maxLength={100}
      list={list}
      defaultValue={search[key] ?? ''}
      className={`${inputClass} h-control! text-sm max-md:basis-full md:w-44`}
      onBlur={({ target }) => change(key, target.value)}
      onKeyDown={({ key: pressed, currentTarget }) => {
        if (pressed === 'Enter') change(key, currentTarget.value)
      }}
    />
  )
  function change(key: keyof AuditSearch, value: string): void {
    const wanted = value.trim()
    if (wanted !== (search[key] ?? '')) onChange({ [key]: wanted })
  }
  const day = (key: 'from' | 'to', label: string) => (
    <label className="flex items-center gap-1.5 text-sm text-muted">
      {label}
      <input
        key={search[key] ?? ''}
        type="date"
        aria-label={label}
        defaultValue={search[key] ?? ''}
        className={`${inputClass} h-control! w-36! text-sm`}
        onBlur={({ target }) => change(key, target.value)}
        onInput={({ currentTarget }: FormEvent<HTMLInputElement>) => {
          if (currentTarget.value !== '') change(key, currentTarget.value)
        }}
      />
    </label>
  )
  return (
    <search className="mb-4 flex flex-wrap items-center gap-2">
      {!timeOnly && (
        <>
          {field('actor', 'User name or ID')}
          {field('operation', 'Operation', listId)}
          <datalist id={listId}>
            {operations.map((operation) => (
              <option key={operation} value={operation}>
                {operation}
              </option>
            ))}
          </datalist>
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
      {isNarrowed(search) && (
        <Button kind="quiet" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </search>
  )
}
