// @chunk list-work: filters, totals and keys of lists, which are there once their rows are.
import * as op from '@gantry/api/client/operations.gen'
import { type FilteredKind, fieldsOf } from '@gantry/api/filter/list-kinds.rules'
import { filterMaxLength } from '@gantry/api/filter/filter-text.rules'
import { readFilter } from '@gantry/api/filter/filter.rules'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import { opQuery } from '#/data/queries.ts'
import { Button } from '#/ui/Button.tsx'
import { classes } from '#/ui/classes.ts'
import { formatNumber, sentenceCase } from '#/ui/data/format.ts'
import { ComboboxList } from '#/ui/inputs/ComboboxList.tsx'
import { inputClass } from '#/ui/inputs/Field.tsx'
import { Select } from '#/ui/inputs/Select.tsx'
import { tether } from '#/ui/overlays/tether.ts'
import { ClearFilters } from '../ClearFilters.tsx'
import { sortOf, sortWord } from '../find.ts'
import type { ListPlace } from '../found-list.ts'
import { useFind } from '../use-find.ts'
import { filterOf } from './filter-of.ts'
import { FilterChips } from './FilterChips.tsx'
import { suggestionsAt, termOf, valueText, withTerm } from './suggestions.ts'

interface Props {
  kind: FilteredKind
  /** The plural, in lower case: `instances`. */
  pluralNoun: string
  place: ListPlace
  /** In front of the field. */
  before?: ReactNode
}

const ageOptions = [
  { value: '', label: 'Any age' },
  { value: 'created<1h', label: 'Last hour' },
  { value: 'created<1d', label: 'Last day' },
  { value: 'created<7d', label: 'Last 7 days' },
  { value: 'created<30d', label: 'Last 30 days' },
  { value: 'created>30d', label: 'Older than 30 days' },
] as const

/**
 * Filters a list by a text of terms, of which the most frequent can be selected, and sorts it where there are no column
 * heads. All of it is in the URL. On a phone, everything but the text is collapsed.
 */
export function ListFilter({ kind, pluralNoun, place, before }: Props) {
  const { search, find, clear } = useFind()
  const choicesId = useId()
  const field = useRef<HTMLInputElement>(null)
  const [isOpen, setOpen] = useState(false)
  const filter = filterOf(search)
  const fields = fieldsOf(kind)
  // No list shows what was deleted.
  const known = fields['state']?.values?.filter((each) => each !== 'destroyed')
  const state = termOf(filter, 'state')
  const age = termOf(filter, 'created')
  const ageText = age ? `created${age.comparison}${age.values[0]?.text ?? ''}` : ''
  const set = (text: string, options?: { replace: boolean }): void =>
    find({ filter: text, name: undefined, state: undefined, age: undefined }, options)
  const active = [state, age, search.sort].filter(Boolean).length
  const sorts = sortOptions(known !== undefined)
  return (
    <search className="flex flex-wrap items-start gap-2">
      {before}
      <FilterField
        kind={kind}
        field={field}
        label={`Filter ${pluralNoun}`}
        place={place}
        value={filter}
        onChange={(text) => set(text, { replace: true })}
      />
      {/* On a phone, one button in place of three lists. */}
      <Button
        className="md:hidden!"
        aria-expanded={isOpen}
        aria-controls={choicesId}
        onClick={() => setOpen(!isOpen)}
      >
        Filters
        {active > 0 && <span className="tabular-nums"> ({formatNumber(active)})</span>}
      </Button>
      <div
        id={choicesId}
        className={classes('flex flex-wrap gap-2 max-md:basis-full', !isOpen && 'max-md:hidden')}
      >
        {known && (
          <Select
            small
            aria-label="State"
            className="max-md:min-w-0 max-md:grow max-md:basis-2/5"
            options={[
              { value: '', label: 'Any state' },
              ...known.map((each) => ({ value: each, label: sentenceCase(each) })),
              // A filter can name several states, which stay in effect until the user selects another.
              ...(state && state.values.length > 1 ? [{ value: ' ', label: 'Several states' }] : []),
            ]}
            value={state && state.values.length > 1 ? ' ' : (state?.values[0]?.text ?? '')}
            onChange={(each) => set(withTerm(filter, 'state', each.trim() && `state:${each}`))}
          />
        )}
        <Select
          small
          aria-label="Age"
          className="max-md:min-w-0 max-md:grow max-md:basis-2/5"
          options={ageOptions}
          value={ageOptions.find(({ value }) => value === ageText)?.value ?? ''}
          onChange={(each) => set(withTerm(filter, 'created', each))}
        />
        <Select
          small
          aria-label="Sort"
          className="max-md:min-w-0 max-md:grow max-md:basis-2/5 md:hidden!"
          options={sorts}
          value={sorts.find(({ value }) => value === (sortWord(sortOf(search)) ?? 'name'))?.value}
          onChange={(sort) => find({ sort: sort === 'name' ? undefined : sort })}
        />
      </div>
      {filter !== '' && <ClearFilters onClear={clear} />}
      <FilterChips filter={filter} field={field} onChange={set} />
    </search>
  )
}

const sortOptions = (hasState: boolean) => [
  { value: 'name', label: 'By name' },
  { value: '-name', label: 'By name, reversed' },
  ...(hasState
    ? [
        { value: 'state', label: 'By state' },
        { value: '-state', label: 'By state, reversed' },
      ]
    : []),
  { value: '-created', label: 'Newest first' },
  { value: 'created', label: 'Oldest first' },
]

/** Whether the last word is the name of a field, which its value is to follow. */
const isField = (kind: FilteredKind, text: string): boolean =>
  Object.hasOwn(fieldsOf(kind), /(?:^|[\s(-])([a-z]+)$/.exec(text)?.[1] ?? '')

/**
 * Searches after a pause this short, so that rows keep up with typing: a debounce until the end of typing feels slow,
 * and a new search aborts the one before. Faster keys, as from key repeat, make one search.
 */
const debounceMs = 40

interface FieldProps {
  field: RefObject<HTMLInputElement | null>
  kind: FilteredKind
  label: string
  place: ListPlace
  value: string
  onChange: (value: string) => void
}

/**
 * Keeps its own text while typing, and searches whenever that is a filter; where it is none, it says what to write.
 * Another URL, for example after Back, replaces the text.
 */
function FilterField({ field, kind, label, place, value, onChange }: FieldProps) {
  const [text, setText] = useState(value)
  const [isListed, setListed] = useState(false)
  const [moved, setMoved] = useState<number>()
  const [isChecked, setChecked] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [listId, problemId] = [useId(), useId()]
  const sent = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const lastKey = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    if (value === sent.current) return
    clearTimeout(timer.current)
    sent.current = value
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  const { problem } = readFilter(kind, text, 0)
  const options = useSuggestions(kind, place, isListed ? text : '')
  const isShown = isListed && options.length > 0
  const marked = options[Math.min(moved ?? 0, options.length - 1)]
  useLayoutEffect(() => {
    if (!isShown || !list.current || !box.current) return
    const release = tether(list.current, box.current)
    list.current.showPopover()
    return release
  }, [isShown])

  function search(next: string): void {
    clearTimeout(timer.current)
    if (readFilter(kind, next, 0).problem || next.trim() === sent.current) return
    sent.current = next.trim()
    onChange(sent.current)
  }
  function follow(next: string, at: number): void {
    setText(next)
    setMoved(undefined)
    setChecked(false)
    setListed(next !== '')
    clearTimeout(timer.current)
    if (isField(kind, next)) return
    const hasPaused = at - lastKey.current > debounceMs
    lastKey.current = at
    if (hasPaused) search(next)
    else timer.current = setTimeout(() => search(next), debounceMs)
  }
  function take(option: (typeof options)[number] | undefined): void {
    if (!option) return
    const next = text.slice(0, option.from) + option.text
    setText(next)
    setMoved(undefined)
    // A field is followed by its value.
    setListed(next.endsWith(':'))
    search(next)
    field.current?.focus()
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isShown) return setListed(true)
      const next = event.key === 'ArrowDown' ? (moved ?? -1) + 1 : (moved ?? 0) - 1
      setMoved((next + options.length) % options.length)
    } else if (event.key === 'Tab' && isShown && !event.shiftKey) {
      event.preventDefault()
      take(marked)
    } else if (event.key === 'Escape' && isShown) {
      event.preventDefault()
      setListed(false)
    } else if (event.key === 'Enter') {
      if (isShown && moved !== undefined) return take(marked)
      setListed(false)
      check()
      if (problem) field.current?.setSelectionRange(problem.from, problem.to)
    }
  }
  function check(): void {
    setChecked(true)
    search(text)
  }
  return (
    <div className="min-w-0 grow max-md:basis-full md:max-w-xl">
      <div ref={box}>
        <input
          ref={field}
          type="search"
          role="combobox"
          aria-label={label}
          aria-autocomplete="list"
          aria-expanded={isShown}
          aria-controls={isShown ? listId : undefined}
          aria-activedescendant={isShown && marked ? `${listId}-${marked.value}` : undefined}
          aria-invalid={(isChecked && problem !== undefined) || undefined}
          aria-describedby={problem && problemId}
          aria-keyshortcuts="/"
          placeholder={`Find by name, or by terms such as ${(fieldsOf(kind)['state'] ?? fieldsOf(kind)['created'])?.example}`}
          autoComplete="off"
          spellCheck={false}
          maxLength={filterMaxLength}
          value={text}
          className={`${inputClass} h-control! text-sm`}
          onChange={({ target, timeStamp }) => follow(target.value, timeStamp)}
          onKeyDown={onKeyDown}
          onBlur={() => {
            setListed(false)
            if (text !== '') check()
          }}
        />
      </div>
      {isShown && (
        <ComboboxList
          ref={list}
          id={listId}
          options={options}
          more={0}
          marked={marked}
          value=""
          loading={false}
          failure={undefined}
          onRetry={undefined}
          onChoose={(option) => take(options.find(({ value: each }) => each === option.value))}
        />
      )}
      <p
        id={problemId}
        role="status"
        className={classes('mt-1 text-sm empty:hidden', isChecked ? 'text-fail-text' : 'text-muted')}
      >
        {problem && !isShown && (
          <>
            {problem.to > problem.from && problem.to - problem.from < text.length && (
              <>
                <code className="font-mono">{text.slice(problem.from, problem.to)}</code>:{' '}
              </>
            )}
            {problem.message}
          </>
        )}
      </p>
    </div>
  )
}

interface Option {
  value: string
  label: string
  detail?: string
  text: string
  from: number
}

/** What could follow, the values of the server with how many objects have them. */
function useSuggestions(kind: FilteredKind, place: ListPlace, text: string): readonly Option[] {
  const { fleetViewer } = useCurrentUser()
  const suggested = text === '' ? undefined : suggestionsAt(kind, text, fleetViewer)
  const { field = '', prefix } = suggested?.values ?? {}
  const { data } = useQuery({
    ...opQuery(op.listValues, {
      query: { kind, ...place, field, ...(prefix && { prefix: prefix.slice(0, 63) }) },
    }),
    enabled: field !== '',
    placeholderData: keepPreviousData,
  })
  if (!suggested) return []
  const counts = field === '' ? [] : (data?.items ?? [])
  const ofServer = counts.map(({ value, count }) => ({
    text: valueText(kind, field, value),
    label: valueText(kind, field, value),
    detail: formatNumber(count),
  }))
  const offered =
    ofServer.length > 0
      ? [...ofServer, ...suggested.options.filter(({ text: each }) => each === 'none')]
      : suggested.options
  return offered
    .filter(({ text: each }) => text.slice(suggested.from) !== each)
    .map(({ text: each, label, detail }, index) => ({
      value: String(index),
      label,
      ...(detail && { detail }),
      text: each,
      from: suggested.from,
    }))
}
