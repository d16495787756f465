import { useId } from 'react'
import { type FieldValues, FormProvider } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FailureNote } from './FailureNote.tsx'
import type { FormProps } from './form-props.ts'
import { SubmitButton } from './SubmitButton.tsx'
import { sideWords, useUnsavedGuard } from './UnsavedGuard.tsx'
import { useResourceForm } from './use-resource-form.ts'

interface Props<Values extends FieldValues, Saved> extends FormProps<Values, Saved> {
  width?: 'narrow' | 'medium' | 'free'
  onClose: () => void
}

/** A small form in the middle: attach, promote, resize. Open while mounted. */
export function DialogForm<Values extends FieldValues, Saved>(props: Props<Values, Saved>) {
  const { title, width = 'medium', submitLabel = 'Save', pendingLabel, disabled, children, onClose } = props
  const id = useId()
  const { form, failures, isPending, onSubmit } = useResourceForm(props)
  const guard = useUnsavedGuard(form.formState.isDirty, sideWords)
  const submit = onSubmit((result) => {
    guard.release()
    props.onSaved?.(result)
    onClose()
  })
  const leave = () => guard.attempt(onClose)

  return (
    <>
      <Dialog
        title={title}
        width={width}
        onRequestClose={leave}
        footer={
          <>
            <Button size="lg" onClick={leave}>
              Cancel
            </Button>
            <SubmitButton
              control={form.control}
              form={id}
              pending={isPending}
              pendingLabel={pendingLabel}
              disabled={disabled}
              whyNotYet={props.whyNotYet}
            >
              {submitLabel}
            </SubmitButton>
          </>
        }
      >
        <form id={id} autoComplete="off" noValidate onSubmit={submit} className="space-y-4.5 pt-1">
          <FormProvider {...form}>
            <FailureNote failures={failures} />
            {/* What is typed while it is being sent would be neither sent nor kept. */}
            <fieldset disabled={isPending} className="min-w-0 space-y-4.5">
              {children}
            </fieldset>
          </FormProvider>
        </form>
      </Dialog>
      {guard.dialog}
    </>
  )
}
