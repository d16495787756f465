import type { ReactNode } from 'react'
import { type Control, type FieldValues, useWatch } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'

interface Props<Values extends FieldValues> {
  control: Control<Values>
  /** The id of the form, where the button stands outside it. */
  form?: string
  pending: boolean
  pendingLabel: string | undefined
  disabled: string | undefined
  whyNotYet: ((values: Values) => string | undefined) | undefined
  children: ReactNode
}

/** The button that submits. It follows what is typed by itself, so that the form around it is not drawn for that. */
export function SubmitButton<Values extends FieldValues>(props: Props<Values>) {
  const { control, form, pending, pendingLabel, disabled, whyNotYet, children } = props
  const values = useWatch({ control }) as Values
  return (
    <Button
      size="lg"
      kind="primary"
      type="submit"
      form={form}
      pending={pending}
      {...(pendingLabel && { pendingLabel })}
      disabledReason={disabled ?? whyNotYet?.(values)}
    >
      {children}
    </Button>
  )
}
