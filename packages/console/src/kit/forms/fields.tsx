import { descriptionProblem, nameFieldProblem } from '@gantry/api/base/name.rules'
import { type ChangeEvent, type ReactNode, useState } from 'react'
import { useController, useFormContext } from 'react-hook-form'
import { Field } from '#/ui/inputs/Field.tsx'
import { TextArea, TextInput } from '#/ui/inputs/TextInput.tsx'

interface FieldProps {
  /** Key in the form's values. */
  name: string
  label?: string
  hint?: ReactNode
}

const verbatim = { isVerbatim: true }

/** A label derived from `name`. */
const labelOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/**
 * Connects a control to the form: `const { ref, error, ...field } = useFormField<string>('size', (value) =>
 * problem)`. `problem` returns the message below the field, or undefined.
 */
export function useFormField<Value>(name: string, problem?: (value: Value) => string | undefined) {
  const { control } = useFormContext()
  const { field, fieldState } = useController({
    name,
    control,
    rules: { validate: (value: Value) => problem?.(value) ?? true },
  })
  return {
    value: field.value as Value,
    onChange: (value: Value) => field.onChange(value),
    onBlur: field.onBlur,
    ref: field.ref,
    error: fieldState.error?.message,
  }
}

/**
 * Connects a text input: `<TextInput {...input} />`. `input.value` is the text and `setText` replaces it, for fields
 * that show it elsewhere too or have a button that writes it. The form's value has no surrounding blanks, which come
 * along when a name or an address is pasted, unless the text is taken verbatim.
 */
export function useTextField(
  name: string,
  problem?: (text: string) => string | undefined,
  { isVerbatim = false } = {},
) {
  const { ref, value, onChange, onBlur, error } = useFormField<string>(name, problem)
  const meant = (text: string) => (isVerbatim ? text : text.trim())
  // What is typed stays until the field is left: a word may follow the blank.
  const [typed, setTyped] = useState('')
  return {
    input: {
      ref,
      name,
      value: meant(typed) === value ? typed : value,
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
        setTyped(event.target.value)
        onChange(meant(event.target.value))
      },
      onBlur: () => {
        setTyped(value)
        onBlur()
      },
    },
    setText: onChange,
    error,
  }
}

interface NameProps extends FieldProps {
  /** If empty, a name is generated. */
  optional?: boolean
  placeholder?: string
  /** The problem with a well-formed name, for example that it is taken. */
  problem?: (name: string) => string | undefined
}

export function NameField({ name, label = labelOf(name), hint, optional, placeholder, problem }: NameProps) {
  const { input, error } = useTextField(name, (value) =>
    optional && value === '' ? undefined : (nameFieldProblem(value, label) ?? problem?.(value)),
  )
  return (
    <Field label={label} hint={hint} error={error} {...(optional && { optional })}>
      <TextInput {...input} placeholder={placeholder} />
    </Field>
  )
}

export function DescriptionField({ name, label = labelOf(name), hint }: FieldProps) {
  const { input, error } = useTextField(name, descriptionProblem, verbatim)
  return (
    <Field label={label} hint={hint} error={error} optional>
      <TextArea {...input} />
    </Field>
  )
}

interface TextProps extends FieldProps {
  optional?: boolean
  mono?: boolean
  multiline?: boolean
  placeholder?: string
  problem?: (value: string) => string | undefined
}

/** Any other text. Required unless `optional`, and checked on submit. */
export function TextField({
  name,
  label = labelOf(name),
  hint,
  optional,
  problem,
  multiline = false,
  ...look
}: TextProps) {
  const { input, error } = useTextField(
    name,
    (value) => {
      if (value.trim() === '') return optional ? undefined : `${label} is required`
      return problem?.(value)
    },
    { isVerbatim: multiline },
  )
  const Input = multiline ? TextArea : TextInput
  return (
    <Field label={label} hint={hint} error={error} {...(optional && { optional })}>
      <Input {...look} {...input} />
    </Field>
  )
}
