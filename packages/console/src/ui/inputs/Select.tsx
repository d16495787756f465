import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import type { ComponentProps } from 'react'

import { classes } from '../classes.ts'
import { inputClass, useFieldProps } from './Field.tsx'
import { Spinner } from '../feedback/Spinner.tsx'

export type SelectOption<T extends string = string> = { value: T; label: string; disabled?: boolean }

type Props<T extends string> = Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'children' | 'size'> & {
  options: readonly SelectOption<T>[]
  value: T | undefined
  onChange: (value: T) => void
  placeholder?: string
  loading?: boolean
  /** 32 px, for toolbars. */
  small?: boolean
}

/** A short list, shown by the browser's own select. Long or rich lists need a `Combobox`. */
export function Select<T extends string>({
  options,
  value,
  onChange,
  placeholder = 'Select an option',
  loading,
  small,
  className,
  disabled,
  ...props
}: Props<T>) {
  const field = useFieldProps(props)
  const isEmpty = options.length === 0
  return (
    <span className={classes('relative', small ? 'inline-block' : 'block', className)}>
      <select
        {...field}
        value={value ?? ''}
        disabled={disabled || isEmpty}
        onChange={(event) => {
          const selected = options.find((option) => option.value === event.target.value)
          if (selected) onChange(selected.value)
        }}
        className={classes(inputClass, 'appearance-none truncate pr-8', small && 'h-control! text-sm')}
      >
        {value === undefined && (
          <option value="" disabled hidden>
            {loading ? 'Loading' : isEmpty ? 'No items' : placeholder}
          </option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <span className="pointer-events-none absolute inset-y-0 right-2.5 grid place-items-center text-muted">
        {loading ? <Spinner /> : <ChevronsUpDown aria-hidden className="size-4" />}
      </span>
    </span>
  )
}
