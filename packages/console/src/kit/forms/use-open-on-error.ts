import { useEffect, useRef } from 'react'
import { useFormContext } from 'react-hook-form'

/**
 * Opens a closed section that contains an invalid field, and focuses the field, because hidden fields can be neither
 * seen nor focused. Returns the ref for the element around the section.
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
    // An invalid field further up already has the focus.
    if (document.activeElement?.getAttribute('aria-invalid') === 'true') return
    const field = section.querySelector<HTMLElement>('[aria-invalid=true]')
    field?.focus()
    field?.scrollIntoView({ block: 'nearest' })
  }, [submitCount, isWrong])
  return ref
}
