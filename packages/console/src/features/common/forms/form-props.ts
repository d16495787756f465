import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { ToastContent } from '#/ui/toast.ts'
import type { Failure } from '#/data/failure.ts'

/** What a side form, a page form and a dialog form have in common. */
export interface FormProps<Values extends FieldValues, Saved> {
  title: string
  /** Read once, when the form opens. */
  initial: Values
  /** Sends it: `(values) => create.run({ body: values })`. Throws a `Failure`, or several in an AggregateError. */
  save: (values: Values) => Promise<Saved>
  /** Text of the toast: `Project <strong>x</strong> created`. */
  saved?: (result: Saved) => ToastContent
  /** What is done after a success; where absent, the form closes. */
  onSaved?: (result: Saved) => void
  /** Rules over several fields, by the name of the field they are shown at. */
  check?: (values: Values) => Partial<Record<keyof Values & string, string>>
  /** `onSubmit`, and then at every change, unless the answer is worth having at once. */
  mode?: 'onChange' | 'onSubmit'
  /** The field at which a refusal of the server is shown; a taken name goes to `name` by itself. */
  fieldOf?: (failure: Failure) => (keyof Values & string) | undefined
  /** Why what is entered so far cannot be submitted at all, shown at the button. */
  whyNotYet?: (values: Values) => string | undefined
  /** Label of the button that submits. */
  submitLabel?: string
  /** The same in its -ing form. */
  pendingLabel?: string
  /** Why it cannot be submitted, shown at the button. */
  disabled?: string | undefined
  children: ReactNode
}
