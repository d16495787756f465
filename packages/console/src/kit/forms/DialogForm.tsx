import { useId } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Button } from '#/ui/Button.tsx'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { FailureNote, WhyNotNote } from './FormNotes.tsx'
import { FormCode, FormFields, FormSubmit, useFormCore } from './form-core.tsx'
import type { FormProps } from './form-props.ts'
import { sideWords } from './UnsavedGuard.tsx'

interface Props<Values extends FieldValues, Saved> extends FormProps<Values, Saved> {
  width?: 'narrow' | 'medium' | 'free'
  onClose: () => void
}

/** A small centred form: attach, promote, resize. Open while mounted. */
export function DialogForm<Values extends FieldValues, Saved>(props: Props<Values, Saved>) {
  const { title, width = 'medium', submitLabel = 'Save', children, onClose } = props
  const id = useId()
  const { core, guard, submit, onReview, onCode } = useFormCore(props, {
    words: sideWords,
    onSaved: (result) => {
      props.onSaved?.(result)
      onClose()
    },
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
            <FormCode onCode={onCode} />
            <Button size="lg" onClick={leave}>
              Cancel
            </Button>
            <FormSubmit core={core} props={props} onReview={onReview} form={id} label={submitLabel} />
          </>
        }
      >
        <form id={id} autoComplete="off" noValidate onSubmit={submit} className="space-y-4.5 pt-1">
          <WhyNotNote reason={props.disabled} />
          <FailureNote failures={core.failures} />
          <FormFields core={core} className="space-y-4.5">
            {children}
          </FormFields>
        </form>
      </Dialog>
      {guard.dialog}
    </>
  )
}
