import { useEffect } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'

/** Clears a selected value that is no longer offered, because its field could show only the bare value. */
export function useClearUnavailable(name: string, offered: readonly string[]): void {
  const { setValue } = useFormContext()
  const value = useWatch({ name }) as string
  const isUnavailable = value !== '' && !offered.includes(value)
  useEffect(() => {
    if (isUnavailable) setValue(name, '')
  }, [isUnavailable, name, setValue])
}
