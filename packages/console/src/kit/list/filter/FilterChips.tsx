// @chunk list-work: filters, totals and keys of lists, which are there once their rows are.
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { chipsOf, withoutChip } from './suggestions.ts'

interface Props {
  filter: string
  /** Takes the focus when no chip is left. */
  field: RefObject<HTMLInputElement | null>
  onChange: (filter: string) => void
}

/** The field of a term with its comparison, and its value. */
const parts = /^(-?[a-z_]+(?:[:<>]=?))(.+)$/i

/** A single word says the same as the field, and a row that comes while it is typed would move the list. */
const isWorthIt = (chips: readonly string[]): boolean =>
  chips.length > 1 || chips.some((chip) => parts.test(chip))

/** The terms of a filter, each removed by a press, by Delete or by Backspace. */
export function FilterChips({ filter, field, onChange }: Props) {
  const list = useRef<HTMLUListElement>(null)
  /** The place of the chip that was removed, and of which filter. */
  const removed = useRef<{ index: number; from: string }>(undefined)
  const chips = chipsOf(filter)
  useLayoutEffect(() => {
    if (removed.current === undefined || removed.current.from === filter) return
    const next = buttonsOf(list.current)
    const focused = next[Math.min(removed.current.index, next.length - 1)] ?? field.current
    removed.current = undefined
    focused?.focus()
  })
  if (!isWorthIt(chips)) return null

  function remove(index: number): void {
    removed.current = { index, from: filter }
    onChange(withoutChip(filter, index))
  }
  function onKeyDown(event: KeyboardEvent<HTMLButtonElement>, index: number): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      buttonsOf(list.current)[index + step]?.focus()
    }
    if (event.key !== 'Delete' && event.key !== 'Backspace') return
    event.preventDefault()
    remove(index)
  }
  return (
    <ul ref={list} aria-label="Terms of the filter" className="flex min-w-0 basis-full flex-wrap gap-1.5">
      {chips.map((chip, index) => {
        const [, before = '', value = chip] = parts.exec(chip) ?? []
        return (
          // Equal terms can occur more than once.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={`${index} ${chip}`} className="max-w-full min-w-0">
            <button
              type="button"
              aria-label={`Remove ${chip}`}
              className="inline-flex h-6 max-w-full items-center gap-1.5 rounded-tag border border-line bg-sunken pr-1 pl-1.5 text-sm text-strong hover:bg-hover coarse:h-11 coarse:px-3"
              onClick={() => remove(index)}
              onKeyDown={(event) => onKeyDown(event, index)}
            >
              <span className="min-w-0 truncate">
                <span className="text-muted">{before}</span>
                {value}
              </span>
              <X aria-hidden strokeWidth={1.75} className="size-3.5 shrink-0 text-muted" />
            </button>
          </li>
        )
      })}
    </ul>
  )
}

const buttonsOf = (list: HTMLElement | null): HTMLElement[] => [...(list?.querySelectorAll('button') ?? [])]
