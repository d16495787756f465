import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'

/** What a side form, a page form and a dialog form have in common. */
export interface FormProps<Values extends FieldValues, Saved> {
  title: string
  /** Read once, when the form opens. */
  initial: Values
  /** Sends it: `(values) => create.run({ body: values })`. Throws a `Failure`, or several in an AggregateError. */
  save: (values: Values) => Promise<Saved>
  /** Text of the toast: `Project <strong>x</strong> created`. */
  saved?: (result: Saved) => ReactNode
  /** What is done after a success; where absent, the form closes. */
  onSaved?: (result: Saved) => void
  /** Rules over several fields, by the name of the field they are shown at. */
  check?: (values: Values) => Partial<Record<keyof Values & string, string>>
  /** Label of the button that submits. */
  submitLabel?: string
  /** The same in its -ing form. */
  pendingLabel?: string
  /** Why it cannot be submitted, shown at the button. */
  disabled?: string | undefined
  children: ReactNode
}
