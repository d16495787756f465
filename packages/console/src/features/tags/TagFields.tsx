// @chunk tag-forms: of the dialogs that edit tags, which open on demand.
import { capitalise } from '@gantry/api/base/errors.rules'
import * as op from '@gantry/api/client/operations.gen'
import { missingKeys } from '@gantry/api/tags/tag-demand.rules'
import {
  isFleetTagged,
  isReserved,
  type TaggedKind,
  tagKeyProblem,
  tagLimits,
  tagsProblem,
  tagValueProblem,
} from '@gantry/api/tags/tag.rules'
import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { useRef } from 'react'
import { opQuery } from '#/data/queries.ts'
import { useFormField } from '#/kit/forms/fields.tsx'
import { Button } from '#/ui/Button.tsx'
import { formatCount, formatSeries } from '#/ui/data/format-amounts.ts'
import { Combobox } from '#/ui/inputs/Combobox.tsx'
import type { Tag } from './queries.ts'

/** Rows without a key and a value say nothing. */
export const filledIn = (tags: readonly Tag[]): Tag[] =>
  tags.filter(({ key, value }) => key !== '' || value !== '')

/** What is wrong with the tags of a form. */
function tagFieldsProblem(rows: readonly Tag[], demanded: readonly string[]): string | undefined {
  const tags = filledIn(rows)
  for (const { key, value } of tags) {
    const problem = isReserved(key)
      ? `the tag "${key}" belongs to the platform`
      : (tagKeyProblem(key) ?? tagValueProblem(value))
    if (problem) return capitalise(problem)
  }
  const problem = tagsProblem(tags)
  if (problem) return capitalise(problem)
  const missing = missingKeys(demanded, tags)
  return missing.length > 0
    ? `In this silo, ${formatSeries(missing)} ${missing.length === 1 ? 'needs' : 'need'} a value`
    : undefined
}

interface Props {
  name: string
  kind: TaggedKind
  project: string | undefined
  /** Keys that need a value; there is a row for each as long as there is no other. */
  demanded?: readonly string[]
}

/** Rows of keys and values, with those that exist already to choose from. */
export function TagFields({ name, kind, project, demanded = none }: Props) {
  const untouched = demanded.map((key) => ({ key, value: '' }))
  const { value, onChange, error } = useFormField<Tag[] | undefined>(name, (rows = untouched) =>
    tagFieldsProblem(rows, demanded),
  )
  const rows = value ?? untouched
  const box = useRef<HTMLDivElement>(null)
  const place = { ...(project !== undefined && { project }), ...(isFleetTagged(kind) && { kind }) }
  const keys = useQuery(opQuery(op.tagKeyList, { query: place }))
  const set = (at: number, changed: Partial<Tag>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...changed } : row)))
  const focusLast = () =>
    requestAnimationFrame(() => {
      const inputs = box.current?.querySelectorAll<HTMLInputElement>('[data-tag-key] input')
      inputs?.[inputs.length - 1]?.focus()
    })
  const add = () => {
    onChange([...rows, { key: '', value: '' }])
    focusLast()
  }
  const remove = (at: number) => {
    onChange(rows.filter((_, index) => index !== at))
    requestAnimationFrame(() =>
      box.current?.querySelector<HTMLButtonElement>('[data-tag-add] button')?.focus(),
    )
  }
  return (
    <div ref={box} className="space-y-2">
      {rows.length > 0 && (
        <div aria-hidden className={`${grid} text-sm font-medium text-strong`}>
          <span>Key</span>
          <span>Value</span>
        </div>
      )}
      {rows.map((row, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a row has no identity but its place.
        <div key={at} role="group" aria-label={`Tag ${at + 1}`} className={grid}>
          <div data-tag-key className="min-w-0">
            <Combobox
              aria-label={`Key of tag ${at + 1}`}
              value={row.key}
              placeholder="Key"
              allowsCustom
              transform={(text) => text.trim().toLowerCase()}
              options={optionsOf(keys.data?.items)}
              onChange={(key) => set(at, { key })}
            />
          </div>
          <ValueBox at={at} tag={row} place={place} onChange={(value) => set(at, { value })} />
          <Button kind="quiet" aria-label={`Remove tag ${at + 1}`} onClick={() => remove(at)}>
            <X aria-hidden className="size-4" />
          </Button>
        </div>
      ))}
      {error && (
        <p role="alert" className="text-sm text-fail-text">
          {error}
        </p>
      )}
      <div data-tag-add>
        <Button
          onClick={add}
          disabledReason={
            rows.length >= tagLimits.tags ? `An object may have at most ${tagLimits.tags} tags` : undefined
          }
        >
          <Plus aria-hidden className="-ml-0.5 size-4" />
          Add tag
        </Button>
      </div>
    </div>
  )
}

const none: readonly string[] = []
const grid = 'grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_2.25rem] items-center gap-2'

interface ValueProps {
  at: number
  tag: Tag
  place: { project?: string; kind?: TaggedKind }
  onChange: (value: string) => void
}

function ValueBox({ at, tag: { key, value }, place, onChange }: ValueProps) {
  const isKey = tagKeyProblem(key) === undefined
  const values = useQuery({ ...opQuery(op.tagValueList, { query: { ...place, key } }), enabled: isKey })
  return (
    <Combobox
      aria-label={`Value of tag ${at + 1}`}
      value={value}
      placeholder="Value"
      allowsCustom
      options={optionsOf(isKey ? values.data?.items : undefined)}
      onChange={(text) => onChange(text.trim())}
    />
  )
}

/** Texts that exist already, with how many objects have them. */
const optionsOf = (counts: readonly { text: string; count: number }[] = []) =>
  counts
    .filter(({ text }) => text !== '' && !isReserved(text))
    .map(({ text, count }) => ({ value: text, label: text, detail: formatCount(count, 'object') }))
