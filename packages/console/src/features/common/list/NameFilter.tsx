import { useEffect, useRef } from 'react'
import { inputClass } from '../../../ui/Field.tsx'

/**
 * Keys that come at once, as from a held key, are one search. Ordinary typing asks at every key, so that rows follow
 * the fingers; whoever waits for the end of the typing seems slow, and what was asked before is called off.
 */
const settleMs = 40

interface Props {
  label: string
  maxLength: number
  value: string
  onChange: (value: string) => void
}

/** Typing belongs to the field and is looked for when it rests; another URL, by Back for example, fills it anew. */
export function NameFilter({ label, maxLength, value, onChange }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const sent = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (value === sent.current) return
    clearTimeout(timer.current)
    sent.current = value
    if (field.current) field.current.value = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  function look(text: string): void {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      sent.current = text.trim()
      onChange(sent.current)
    }, settleMs)
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
      className={`${inputClass} h-control! text-sm max-md:basis-full md:max-w-72`}
      onChange={({ target }) => look(target.value)}
    />
  )
}
