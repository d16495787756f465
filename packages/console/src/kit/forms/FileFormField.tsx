import type { ReactNode } from 'react'
import { Field } from '#/ui/inputs/Field.tsx'
import { FileField } from '#/ui/inputs/FileField.tsx'
import { formatBytes } from '#/ui/data/format.ts'
import { useFormField } from './fields.tsx'

interface Props {
  name: string
  label: string
  hint?: ReactNode
  optional?: boolean
  maxBytes: number
  /** The problem with the content of an acceptable file, or with a missing one. */
  problem?: (file: File | undefined) => string | undefined
}

/** A file input of the form. Required unless `optional`, and checked on submit. */
export function FileFormField({ name, label, hint, optional, maxBytes, problem }: Props) {
  const { ref, error, ...field } = useFormField<File | undefined>(name, (file) => {
    if (!file && !optional) return `${label} is required`
    if (file && file.size > maxBytes) return `${label} must be at most ${formatBytes(maxBytes)}`
    return problem?.(file)
  })
  return (
    <Field label={label} hint={hint} error={error} {...(optional && { optional })}>
      <FileField {...field} ref={ref} name={name} />
    </Field>
  )
}
