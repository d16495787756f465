import { useEffect, useRef } from 'react'
import { inputClass } from '#/ui/Field.tsx'

/**
 * A key after a rest is looked for at once, so that rows follow the fingers; whoever waits for the end of the typing
 * seems slow, and what was asked before is called off. Keys that come closer, as from a held key, are one search.
 */
const restMs = 40

interface Props {
  label: string
  maxLength: number
  value: string
  onChange: (value: string) => void
}

/** Typing belongs to the field and is looked for as it comes; another URL, by Back for example, fills it anew. */
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

  function look(text: string): void {
    sent.current = text.trim()
    onChange(sent.current)
  }
  function follow(text: string, at: number): void {
    clearTimeout(timer.current)
    const isRested = at - lastKey.current > restMs
    lastKey.current = at
    if (isRested) look(text)
    else timer.current = setTimeout(() => look(text), restMs)
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
