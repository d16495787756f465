import { useEffect } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'

/** Clears a selected value that is offered no longer: its field could show the bare value only. */
export function useClearGone(name: string, offered: readonly string[]): void {
  const { setValue } = useFormContext()
  const value = useWatch({ name }) as string
  const isGone = value !== '' && !offered.includes(value)
  useEffect(() => {
    if (isGone) setValue(name, '')
  }, [isGone, name, setValue])
}
