import { type ReactNode, useState } from 'react'
import { type FieldValues, FormProvider } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { SideModal } from '../../../ui/SideModal.tsx'
import { wasPushed } from '../last-action.ts'
import { FailureNote } from './FailureNote.tsx'
import type { FormProps } from './form-props.ts'
import { SubmitButton } from './SubmitButton.tsx'
import { sideWords, useUnsavedGuard } from './UnsavedGuard.tsx'
import { useClose } from './use-close.ts'
import { useResourceForm } from './use-resource-form.ts'

interface Props<Values extends FieldValues, Saved> extends FormProps<Values, Saved> {
  /** One line under the title: `In project web`. */
  context?: ReactNode
  /** The path of the list behind, or what closes a panel that has no path of its own. */
  closeTo: string | (() => void)
  /** What was entered is in safe hands, so that leaving asks nothing. */
  isKept?: boolean
}

/** The panel at the right in which most things are made and edited; a route over its list. */
export function SideForm<Values extends FieldValues, Saved>(props: Props<Values, Saved>) {
  const { title, context, submitLabel = title, pendingLabel, disabled, children } = props
  const close = useClose(props.closeTo)
  const { form, failures, isPending, onSubmit } = useResourceForm(props)
  const guard = useUnsavedGuard(form.formState.isDirty && !props.isKept, sideWords)
  const submit = onSubmit((result) => {
    guard.release()
    if (props.onSaved) props.onSaved(result)
    else close()
  })
  const [animate] = useState(wasPushed)
  const leave = () => (typeof props.closeTo === 'string' ? close() : guard.attempt(close))

  return (
    <>
      <SideModal
        title={title}
        context={context}
        animate={animate}
        failed={failures.length > 0}
        form={{ onSubmit: submit }}
        onRequestClose={leave}
        footer={
          <>
            <Button size="lg" onClick={leave}>
              Cancel
            </Button>
            <SubmitButton
              control={form.control}
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
        <FormProvider {...form}>
          <div className="space-y-5.5">
            <FailureNote failures={failures} />
            {/* What is typed while it is being sent would be neither sent nor kept. */}
            <fieldset disabled={isPending} className="min-w-0 space-y-5.5">
              {children}
            </fieldset>
          </div>
        </FormProvider>
      </SideModal>
      {guard.dialog}
    </>
  )
}
