import { useEffect, useRef } from 'react'
import { inputClass } from '#/ui/inputs/Field.tsx'

/**
 * Searches after a pause this short, so that rows keep up with typing: a debounce until the end of typing feels slow,
 * and a new search aborts the one before. Faster keys, as from key repeat, make one search.
 */
const debounceMs = 40

interface Props {
  label: string
  maxLength: number
  value: string
  onChange: (value: string) => void
}

/**
 * Keeps its own text while typing and searches as it changes. Another URL, for example after Back, replaces the text.
 */
export function NameFilter({ label, maxLength, value, onChange }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const sent = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const lastKey = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    if (value === sent.current) return
    clearTimeout(timer.current)
    sent.current = value
    if (field.current) field.current.value = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  function search(text: string): void {
    sent.current = text.trim()
    onChange(sent.current)
  }
  function follow(text: string, at: number): void {
    clearTimeout(timer.current)
    const hasPaused = at - lastKey.current > debounceMs
    lastKey.current = at
    if (hasPaused) search(text)
    else timer.current = setTimeout(() => search(text), debounceMs)
  }
  return (
    <input
      ref={field}
      type="search"
      aria-label={label}
      placeholder="Find by name"
      autoComplete="off"
      spellCheck={false}
      maxLength={maxLength}
      defaultValue={value}
      className={`${inputClass} h-control! text-sm max-md:w-0 max-md:grow md:max-w-72`}
      onChange={({ target, timeStamp }) => follow(target.value, timeStamp)}
    />
  )
}
