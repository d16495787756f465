import type { ReactNode } from 'react'
import { type FieldValues, FormProvider, useWatch } from 'react-hook-form'
import { Button } from '#/ui/Button.tsx'
import type { FormProps } from './form-props.ts'
import { type GuardWords, useUnsavedGuard } from './UnsavedGuard.tsx'
import { type ResourceForm, useResourceForm } from './use-resource-form.ts'

interface Frame<Saved> {
  words: GuardWords
  /** What was entered is in safe hands, so that leaving asks nothing. */
  isKept?: boolean | undefined
  onSaved: (result: Saved) => void
}

/** What the three frames of a form share: page, side panel and dialog. `guard.dialog` belongs beside the frame. */
export function useFormCore<Values extends FieldValues, Saved>(
  props: FormProps<Values, Saved>,
  { words, isKept = false, onSaved }: Frame<Saved>,
) {
  const core = useResourceForm(props)
  const guard = useUnsavedGuard(core.form.formState.isDirty && !isKept, words)
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

/** The fields. What is typed while they are sent would be neither sent nor kept. */
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
  /** The id of the form, where the button is outside it. */
  form?: string
  label: string
}

/** The button that submits. It follows what is typed alone, so that the form around it does not render for that. */
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
