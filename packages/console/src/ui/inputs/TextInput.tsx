import type { ComponentProps } from 'react'

import { classes } from '../classes.ts'
import { inputClass, useFieldProps } from './Field.tsx'

type Props = ComponentProps<'input'> & { mono?: boolean }

export function TextInput({ className, mono, ...props }: Props) {
  const field = useFieldProps(props)
  return (
    <input
      autoComplete="off"
      spellCheck={false}
      // Resource names are not credentials; these attributes keep common password managers away.
      data-1p-ignore
      data-lpignore="true"
      {...field}
      className={classes(inputClass, mono && 'font-mono text-[0.8125rem]', className)}
    />
  )
}

export function TextArea({ className, mono, ...props }: ComponentProps<'textarea'> & { mono?: boolean }) {
  const field = useFieldProps(props)
  return (
    <textarea
      spellCheck={false}
      {...field}
      className={classes(
        inputClass,
        'field-sizing-content max-h-80 min-h-16 resize-y py-1.75',
        mono && 'font-mono text-[0.8125rem]',
        className,
      )}
    />
  )
}
