import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type Ref } from 'react'

import { classes } from '../classes.ts'
import { exactOption, offerOf, optionLeft, type ComboboxOption } from './combobox.ts'
import { ComboboxList } from './ComboboxList.tsx'
import { inputClass, useFieldProps } from './Field.tsx'
import { tether } from '../overlays/tether.ts'
import { Spinner } from '../feedback/Spinner.tsx'

type Props = {
  options: readonly ComboboxOption[]
  /** The value of an option, or any text with `allowsCustom`; empty for none. */
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  placeholder?: string
  /** Offers the typed text as a last option, and keeps it on blur. */
  allowsCustom?: boolean
  /** Normalises typed text, for instance to lower case. */
  transform?: (text: string) => string
  /** Enter while the list is closed, which then does not submit the form. */
  onEnter?: (text: string) => void
  loading?: boolean
  /** Searches elsewhere for what is typed, where the options are not all that there is. */
  onSearch?: (text: string) => void
  /** Whether there is more that matches than the options. */
  hasMore?: boolean
  /** Why options are missing; opening the list requests them again. */
  failure?: string
  onRetry?: () => void
  disabled?: boolean
  /** At the end of the closed box, as in "Debian 13 · 2.1 GiB". */
  suffix?: string
  name?: string
  'aria-label'?: string
  ref?: Ref<HTMLInputElement>
}

/**
 * A text field that filters a list. The list opens on focus, Tab accepts the active option, and Escape closes only
 * the list.
 */
export function Combobox(props: Props) {
  const { options, value, onChange, onBlur, allowsCustom, transform, onEnter } = props
  const { loading, onSearch, hasMore, failure, onRetry, disabled, suffix, ref, placeholder, name } = props
  const field = useFieldProps({ 'aria-label': props['aria-label'] })
  const listId = useId()
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  /** Undefined if nothing was typed since the last selection: the box then shows the value. */
  const [typing, setTyped] = useState<string>()
  /** The index that the arrow keys moved to. */
  const [moved, setMoved] = useState<number>()

  // Any text is a value at once, so an empty one was cleared from outside.
  const typed = allowsCustom && value === '' ? undefined : typing
  const selected = options.find((option) => option.value === value)
  const shown = typed ?? selected?.selectedLabel ?? selected?.label ?? value
  const { offered, more, ...offer } = offerOf({ options, value, typed, allowsCustom })
  const active = moved ?? offer.marked
  const ending = typed === undefined ? suffix : undefined
  const marked = offered[Math.min(active, offered.length - 1)]

  useLayoutEffect(() => {
    if (!isOpen || !list.current || !box.current) return
    const release = tether(list.current, box.current)
    list.current.showPopover()
    list.current.querySelector('[data-marked]')?.scrollIntoView({ block: 'nearest' })
    return release
  }, [isOpen])

  const open = () => {
    if (disabled) return
    onRetry?.()
    setMoved(undefined)
    setOpen(true)
  }
  const choose = (option: ComboboxOption | undefined) => {
    if (!option || option.disabled) return
    onChange(option.value)
    setTyped(undefined)
    setOpen(false)
  }
  const settle = () => {
    if (typed !== undefined && !allowsCustom) choose(optionLeft(options, typed, value))
  }
  const leave = () => {
    setOpen(false)
    // Typed text without a selection is dropped, unless it is an option's whole label or any text is valid.
    if (typed !== undefined && allowsCustom) onChange(exactOption(options, typed)?.value ?? typed)
    else settle()
    setTyped(undefined)
    onBlur?.()
  }
  const type = (text: string) => {
    const next = transform ? transform(text) : text
    setTyped(next)
    onSearch?.(next)
    setMoved(undefined)
    setOpen(true)
    if (next === '') onChange('')
    else if (allowsCustom) onChange(exactOption(options, next)?.value ?? next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen) return open()
      const next = event.key === 'ArrowDown' ? active + 1 : Math.max(active, 0) - 1
      return setMoved((next + offered.length) % Math.max(1, offered.length))
    }
    if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      // What is searched for can still be found.
      return marked ? choose(marked) : loading ? undefined : setOpen(false)
    }
    if (event.key === 'Enter' && onEnter) {
      event.preventDefault()
      return onEnter(shown)
    }
    if (event.key === 'Enter') settle()
    // Accepts an option only after typing or moving: passing through with Tab must change nothing, nor clearing.
    if (event.key === 'Tab' && isOpen && (typed || moved !== undefined)) return choose(marked)
    if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      setOpen(false)
    }
  }

  return (
    <div ref={box} className="relative">
      <input
        type="text"
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen && marked ? `${listId}-${marked.value}` : undefined}
        {...field}
        ref={ref}
        name={name}
        disabled={disabled}
        placeholder={placeholder ?? (allowsCustom ? 'Select or enter a custom value' : 'Select an option')}
        value={shown}
        onChange={(event) => type(event.target.value)}
        onFocus={({ currentTarget }) => {
          // Typing replaces the selected value, even if a dialog moved the focus here.
          currentTarget.select()
          if (cameByTab()) open()
        }}
        onClick={() => !isOpen && open()}
        onBlur={leave}
        onKeyDown={onKeyDown}
        className={classes(inputClass, 'truncate pr-8')}
        // Text that is cut must not run below the suffix.
        style={ending ? { paddingRight: `min(50%, ${ending.length}ch + 2.5rem)` } : undefined}
      />
      <span className="pointer-events-none absolute inset-y-0 right-2.5 flex max-w-[calc(50%-0.625rem)] items-center gap-2 text-sm text-muted">
        {ending && <span className="truncate">{ending}</span>}
        {loading ? <Spinner /> : <ChevronsUpDown aria-hidden className="size-4 shrink-0" />}
      </span>
      {isOpen && (
        <ComboboxList
          ref={list}
          id={listId}
          options={offered}
          more={more}
          hasMore={hasMore}
          marked={marked}
          value={value}
          loading={loading}
          failure={failure}
          onRetry={onRetry}
          onChoose={choose}
        />
      )}
    </div>
  )
}

let lastTabAt = Number.NEGATIVE_INFINITY
if (typeof document !== 'undefined') {
  document.addEventListener('keydown', ({ key }) => key === 'Tab' && (lastTabAt = performance.now()), true)
}

/** Focus set by a dialog or a failed validation must not cover the form with a list. */
const cameByTab = () => performance.now() - lastTabAt < 100
