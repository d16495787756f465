import { useEffect, useRef } from 'react'
import { useFormContext } from 'react-hook-form'

/**
 * Opens a closed section in which something is wrong, and goes there: what is closed can be neither seen nor
 * focused. Answers the ref for what surrounds the section.
 */
export function useOpenOnError(names: readonly string[]) {
  const ref = useRef<HTMLDivElement>(null)
  const { formState } = useFormContext()
  const { errors, submitCount } = formState
  const isWrong = names.some((name) => errors[name] !== undefined)
  useEffect(() => {
    const section = ref.current?.querySelector('details')
    if (submitCount === 0 || !isWrong || !section || section.open) return
    section.open = true
    // Something above that is wrong as well has the focus already.
    if (document.activeElement?.getAttribute('aria-invalid') === 'true') return
    const field = section.querySelector<HTMLElement>('[aria-invalid=true]')
    field?.focus()
    field?.scrollIntoView({ block: 'nearest' })
  }, [submitCount, isWrong])
  return ref
}
