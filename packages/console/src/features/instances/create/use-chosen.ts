import { useEffect } from 'react'
import { useFormField } from '#/kit/forms/fields.tsx'

/** A field of selected ids or names. Those deleted in the meantime leave it, because nothing on screen could remove them. */
export function useChosen(
  name: string,
  existing: readonly string[],
  problem?: (value: string[]) => string | undefined,
) {
  const field = useFormField<string[]>(name, problem)
  const { value, onChange } = field
  const kept = value.filter((each) => existing.includes(each))
  useEffect(() => {
    if (kept.length < value.length) onChange(kept)
  })
  return { ...field, value: kept }
}
