import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useFormContext } from 'react-hook-form'
import { useFormField } from '#/kit/forms/fields.tsx'

/** The text of a subform that adds items. Validates when adding, and after a failure at every change. */
export function useDraft(name: string, problem: (text: string) => string | undefined) {
  const { ref, value, onChange, error } = useFormField<string>(name)
  const [isWatched, setWatched] = useState(false)
  const found = isWatched && value !== '' ? problem(value) : undefined
  const { setFocus } = useFormContext()
  return {
    ref,
    value,
    onChange,
    error: found ?? error,
    /** Whether it can be added. */
    isValid: (): boolean => {
      const isValid = value !== '' && problem(value) === undefined
      setWatched(!isValid && value !== '')
      return isValid
    },
    /** Whether problems show while typing. */
    watch: setWatched,
    clear: (): void => {
      onChange('')
      setWatched(false)
    },
    /** Adds by key and focuses the next field, which may be a new element. */
    addByKey: (add: () => void): void => {
      flushSync(add)
      setFocus(name)
    },
  }
}

/** Enter adds the text; the surrounding form has its own submit button. */
export const onEnter = (add: () => void) => (event: React.KeyboardEvent) => {
  if (event.key !== 'Enter') return
  event.preventDefault()
  add()
}
