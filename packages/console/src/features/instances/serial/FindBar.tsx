import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronUp from 'lucide-react/icons/chevron-up'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useStore } from '#/store.ts'
import { IconButton } from '#/ui/Button.tsx'
import { inputClass } from '#/ui/inputs/Field.tsx'
import { formatNumber } from '#/ui/data/format.ts'
import type { Finder } from './finder.ts'

interface Props {
  finder: Finder
  onClose: () => void
}

/** Searches the console: Enter for the next match, Shift+Enter for the previous, Escape to return to the terminal. */
export function FindBar({ finder, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [words, setWords] = useState('')
  const { count, hasMore, current } = useStore(finder.found)
  useEffect(() => {
    field.current?.focus()
    return finder.stop
  }, [finder])

  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    onClose()
  }
  return (
    <search className="flex flex-wrap items-center gap-1.5 px-gutter pb-2">
      <input
        ref={field}
        type="text"
        aria-label="Find in the console"
        placeholder="Find"
        autoComplete="off"
        spellCheck={false}
        value={words}
        className={`${inputClass} h-control! max-w-72 grow basis-32`}
        onChange={({ target }) => {
          setWords(target.value)
          finder.look(target.value)
        }}
        onKeyDown={(event) => {
          closeOnEscape(event)
          if (event.key !== 'Enter') return
          event.preventDefault()
          if (event.shiftKey) finder.previous()
          else finder.next()
        }}
      />
      <span role="status" className="min-w-20 text-sm text-muted tabular-nums">
        {words !== '' &&
          (count === 0 ? 'No matches' : `${current || '–'} of ${formatNumber(count)}${hasMore ? '+' : ''}`)}
      </span>
      <IconButton
        label="Previous match"
        disabled={count === 0}
        onKeyDown={closeOnEscape}
        onClick={finder.previous}
      >
        <ChevronUp aria-hidden className="size-4" />
      </IconButton>
      <IconButton label="Next match" disabled={count === 0} onKeyDown={closeOnEscape} onClick={finder.next}>
        <ChevronDown aria-hidden className="size-4" />
      </IconButton>
      <IconButton label="Close search" kind="quiet" onKeyDown={closeOnEscape} onClick={onClose}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </search>
  )
}
