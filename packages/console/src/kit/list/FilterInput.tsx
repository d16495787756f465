import { type ComponentProps, useEffect, useRef } from 'react'

interface Props extends ComponentProps<'input'> {
  value: string
  onApply: (value: string) => void
}

/** While a year is being typed, the date already has a value, such as `0020-08-01`. */
const firstWholeDay = '1000'

/** Keeps its own text, which applies on Enter or blur, a whole date at once. Another URL replaces it. */
export function FilterInput({ value, onApply, ...input }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const applied = useRef(value)
  useEffect(() => {
    if (value === applied.current) return
    applied.current = value
    if (field.current) field.current.value = value
  }, [value])

  function apply(text: string): void {
    const wanted = text.trim()
    if (wanted === applied.current) return
    applied.current = wanted
    onApply(wanted)
  }
  return (
    <input
      {...input}
      ref={field}
      defaultValue={value}
      onBlur={({ target }) => apply(target.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') apply(currentTarget.value)
      }}
      onChange={({ target }) => {
        if (target.type === 'date' && target.value >= firstWholeDay) apply(target.value)
      }}
    />
  )
}
