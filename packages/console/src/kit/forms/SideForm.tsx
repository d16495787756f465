import { type ReactNode, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Button } from '#/ui/Button.tsx'
import { SideModal } from '#/ui/overlays/SideModal.tsx'
import { useClose, wasPushed } from '../page/panel-route.ts'
import type { LinkTarget } from '../links/link-target.ts'
import { FailureNote, WhyNotNote } from './FormNotes.tsx'
import { FormCode, FormFields, FormSubmit, useFormCore } from './form-core.tsx'
import type { FormProps } from './form-props.ts'
import { sideWords } from './UnsavedGuard.tsx'

export interface SideFormProps<Values extends FieldValues, Saved> extends FormProps<Values, Saved> {
  /** One line under the title: `In project web`. */
  context?: ReactNode
  /** The list behind, or a callback for a panel without its own path. */
  closeTo: LinkTarget | (() => void)
  /** The input is saved elsewhere, so leaving needs no confirmation. */
  isSavedElsewhere?: boolean
}

/** The side panel for most create and edit forms; a route over its list. */
export function SideForm<Values extends FieldValues, Saved>(props: SideFormProps<Values, Saved>) {
  const { title, context, submitLabel = title, children } = props
  const close = useClose(props.closeTo)
  const { core, guard, submit, onReview, onCode } = useFormCore(props, {
    words: sideWords,
    isSavedElsewhere: props.isSavedElsewhere,
    onSaved: props.onSaved ?? close,
  })
  const [animate] = useState(wasPushed)
  const leave = () => (typeof props.closeTo === 'function' ? guard.attempt(close) : close())

  return (
    <>
      <SideModal
        title={title}
        context={context}
        animate={animate}
        failed={core.failures.length > 0}
        form={{ onSubmit: submit }}
        onRequestClose={leave}
        footer={
          <>
            <FormCode onCode={onCode} />
            <Button size="lg" onClick={leave}>
              Cancel
            </Button>
            <FormSubmit core={core} props={props} onReview={onReview} label={submitLabel} />
          </>
        }
      >
        <div className="space-y-5.5">
          <WhyNotNote reason={props.disabled} />
          <FailureNote failures={core.failures} />
          <FormFields core={core} className="space-y-5.5">
            {children}
          </FormFields>
        </div>
      </SideModal>
      {guard.dialog}
    </>
  )
}
