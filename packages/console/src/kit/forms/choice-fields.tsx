import { useRef, type ReactNode } from 'react'
import { useFormContext } from 'react-hook-form'
import { afterPress } from '#/ui/after-press.ts'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import { Combobox } from '#/ui/inputs/Combobox.tsx'
import type { ComboboxOption } from '#/ui/inputs/combobox.ts'
import { Field } from '#/ui/inputs/Field.tsx'
import { formatNumber } from '#/ui/data/format.ts'
import { NumberInput } from '#/ui/inputs/NumberInput.tsx'
import { RadioGroup } from '#/ui/inputs/Radio.tsx'
import { useFormField } from './fields.tsx'

interface ChoiceProps {
  name: string
  label: string
  options: readonly ComboboxOption[]
  placeholder?: string
  hint?: ReactNode
  /** At the end of the closed box. */
  suffix?: string
  loading?: boolean
  onSearch?: (text: string) => void
  hasMore?: boolean
  failure?: string
  onRetry?: () => void
  disabled?: boolean
  optional?: boolean
  /** Updates other fields that depend on the selection. */
  onChoose?: (value: string) => void
}

/** A select for a list that can be long, with a text filter. Required unless `optional`, and checked on submit. */
export function ChoiceField({ name, label, hint, optional, onChoose, ...box }: ChoiceProps) {
  const { ref, error, ...field } = useFormField<string>(name, (value) =>
    value || optional ? undefined : `${label} is required`,
  )
  return (
    <Field label={label} hint={hint} error={error} {...(optional && { optional })}>
      <Combobox
        {...box}
        ref={ref}
        name={name}
        value={field.value}
        onChange={(value) => {
          field.onChange(value)
          onChoose?.(value)
        }}
        onBlur={field.onBlur}
      />
    </Field>
  )
}

interface NumberProps {
  name: string
  label: string
  /** Part of the accessible name; sighted users see it in a cell of its own. */
  unit?: string
  hint?: ReactNode
  /** The smallest value, by default 0, and the greatest. `problem` may have better words for a value beyond them. */
  min?: number
  max?: number
  decimals?: boolean
  problem?: (value: number | null) => string | undefined
}

/**
 * The form's value is null while the field is empty, because the form replaces undefined by the initial value. Leaving
 * the field reports what is wrong with it and changes nothing.
 */
export function NumberField({ name, label, unit, hint, problem, ...bounds }: NumberProps) {
  const { trigger } = useFormContext()
  // The text is no number. The value is null then too, but the field is not empty.
  const isUnread = useRef(false)
  const problemOf = (value: number | null) =>
    value === null && isUnread.current
      ? notNumber(bounds.decimals)
      : (problem?.(value) ?? rangeProblem(value, bounds))
  const { ref, error, ...field } = useFormField(name, problemOf)
  const validate = () => void trigger(name)
  return (
    <Field
      label={
        <>
          {label}
          {unit && <span className="sr-only"> ({unit})</span>}
        </>
      }
      hint={hint}
      error={error}
    >
      <NumberInput
        {...bounds}
        ref={ref}
        name={name}
        unit={unit}
        value={field.value ?? undefined}
        onChange={(value, text) => {
          isUnread.current = value === undefined && text.trim() !== ''
          field.onChange(value ?? null)
          if (error) validate()
        }}
        onBlur={() => {
          field.onBlur()
          if (field.value === null && !isUnread.current) return
          // Without a problem of its own, validation would remove the message that the press has just set for the whole form.
          if (problemOf(field.value) !== undefined) afterPress(validate)
        }}
      />
    </Field>
  )
}

/** In the user's locale, because it decides which separators mean what. */
const notNumber = (decimals = false) =>
  `Must be a number, written like ${formatNumber(decimals ? 1024.5 : 1024)}`

function rangeProblem(value: number | null, { min = 0, max = Infinity }: Pick<NumberProps, 'min' | 'max'>) {
  if (value === null) return undefined
  if (value < min) return `Must be at least ${formatNumber(min)}`
  return value > max ? `Must be at most ${formatNumber(max)}` : undefined
}

interface RadioProps<T extends string> {
  name: string
  label: string
  hint?: ReactNode
  options: readonly { value: T; label: ReactNode; disabled?: boolean }[]
  column?: boolean
}

/** A few visible options, of which one is always selected. */
export function RadioField<T extends string>({ name, label, hint, ...group }: RadioProps<T>) {
  const { value, onChange, onBlur } = useFormField<T>(name)
  return (
    <Field group label={label} hint={hint}>
      <RadioGroup {...group} value={value} onChange={onChange} onBlur={onBlur} />
    </Field>
  )
}

interface CheckboxProps {
  name: string
  disabled?: boolean
  children: ReactNode
}

export function CheckboxField({ name, disabled, children }: CheckboxProps) {
  const { ref, value, onChange, onBlur } = useFormField<boolean>(name)
  return (
    <Checkbox
      ref={ref}
      name={name}
      checked={value}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
      onBlur={onBlur}
    >
      {children}
    </Checkbox>
  )
}
