import type { ReactNode } from 'react'
import { type FieldValues, FormProvider, useWatch } from 'react-hook-form'
import { Button } from '#/ui/Button.tsx'
import type { FormProps } from './form-props.ts'
import { type GuardWords, useUnsavedGuard } from './UnsavedGuard.tsx'
import { type ResourceForm, useResourceForm } from './use-resource-form.ts'

interface Frame<Saved> {
  words: GuardWords
  /** The input is saved elsewhere, so leaving needs no confirmation. */
  isSavedElsewhere?: boolean | undefined
  onSaved: (result: Saved) => void
}

/** Logic shared by the three frames of a form: page, side panel and dialog. Render `guard.dialog` beside the frame. */
export function useFormCore<Values extends FieldValues, Saved>(
  props: FormProps<Values, Saved>,
  { words, isSavedElsewhere = false, onSaved }: Frame<Saved>,
) {
  const core = useResourceForm(props)
  const guard = useUnsavedGuard(core.form.formState.isDirty && !isSavedElsewhere, words)
  const submit = core.onSubmit((result) => {
    guard.release()
    onSaved(result)
  })
  return { core, guard, submit }
}

interface FieldsProps<Values extends FieldValues, Saved> {
  core: ResourceForm<Values, Saved>
  className?: string
  children: ReactNode
}

/** The fields, disabled while sending: input typed then would be neither sent nor kept. */
export function FormFields<Values extends FieldValues, Saved>(props: FieldsProps<Values, Saved>) {
  const { core, className = '', children } = props
  return (
    <FormProvider {...core.form}>
      <fieldset disabled={core.isPending} className={`min-w-0 ${className}`}>
        {children}
      </fieldset>
    </FormProvider>
  )
}

interface SubmitProps<Values extends FieldValues, Saved> {
  core: ResourceForm<Values, Saved>
  props: FormProps<Values, Saved>
  /** The id of the form, for a button outside it. */
  form?: string
  label: string
}

/** The submit button. It alone subscribes to the values, so that typing does not render the whole form. */
export function FormSubmit<Values extends FieldValues, Saved>(all: SubmitProps<Values, Saved>) {
  const { core, props, form, label } = all
  const values = useWatch({ control: core.form.control }) as Values
  return (
    <Button
      size="lg"
      kind="primary"
      type="submit"
      form={form}
      pending={core.isPending}
      {...(props.pendingLabel && { pendingLabel: props.pendingLabel })}
      disabledReason={props.disabled ?? props.whyNotYet?.(values)}
    >
      {label}
    </Button>
  )
}
