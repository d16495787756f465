import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useFormContext } from 'react-hook-form'
import { useFormField } from '#/features/common/forms/fields.tsx'

/**
 * The text of a part of the form that collects things: it is checked when it is to be added, and once that has failed
 * at every change.
 */
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
    /** Whether it can be added as it is. */
    isGood: (): boolean => {
      const isGood = value !== '' && problem(value) === undefined
      setWatched(!isGood && value !== '')
      return isGood
    },
    /** Whether problems are told while one types. */
    watch: setWatched,
    clear: (): void => {
      onChange('')
      setWatched(false)
    },
    /** Adds by key: the field that follows may be another one, and is the place to go on. */
    addByKey: (add: () => void): void => {
      flushSync(add)
      setFocus(name)
    },
  }
}

/** Enter adds what is typed; the form around it is sent by its own button. */
export const onEnter = (add: () => void) => (event: React.KeyboardEvent) => {
  if (event.key !== 'Enter') return
  event.preventDefault()
  add()
}
