import CodeXml from 'lucide-react/icons/code-xml'
import type { ReactNode } from 'react'
import { type FieldValues, FormProvider, useWatch } from 'react-hook-form'
import { Button, IconButton } from '#/ui/Button.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { usePlansOffered } from '../plan/plan.ts'
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
  const done = (result: Saved) => {
    guard.release()
    onSaved(result)
  }
  const { review, isPending } = core
  const reviewed = review && (
    <ReviewDialog
      title={props.title}
      asked={review.asked}
      isMoved={review.isMoved}
      isPending={isPending}
      onCommit={() => review.commit(review.asked.plan)}
      onSaved={guard.release}
      onClose={review.close}
    />
  )
  const dialog = (
    <>
      {guard.dialog}
      {reviewed}
    </>
  )
  const reviewNow = props.reviewable && core.onSubmit(done, 'review')
  return {
    core,
    guard: { ...guard, dialog },
    submit: core.onSubmit(done),
    onReview: reviewNow || undefined,
    // Of a form that sends its request by what it is given.
    onCode:
      props.codeOf || (props.save.length > 1 && !props.hasNoCode) ? core.onSubmit(done, 'code') : undefined,
  }
}

const ReviewDialog = lazyPart(() => import('../plan/ReviewDialog.tsx'), 'ReviewDialog')

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
  onReview: React.MouseEventHandler | undefined
}

/** The submit button, and the one that shows first what it would do. They alone subscribe to the values, so that typing does not render the whole form. */
export function FormSubmit<Values extends FieldValues, Saved>(all: SubmitProps<Values, Saved>) {
  const { core, props, form, label, onReview } = all
  const hasPlans = usePlansOffered()
  const values = useWatch({ control: core.form.control }) as Values
  const disabledReason = props.disabled ?? props.whyNotYet?.(values)
  return (
    <>
      {onReview && hasPlans && (
        <Button size="lg" disabledReason={disabledReason} disabled={core.isPending} onClick={onReview}>
          Review
        </Button>
      )}
      <Button
        size="lg"
        kind="primary"
        type="submit"
        form={form}
        pending={core.isPending}
        {...(props.pendingLabel && { pendingLabel: props.pendingLabel })}
        disabledReason={disabledReason}
      >
        {label}
      </Button>
    </>
  )
}

/** The button that shows what the form would send, at the other end of the footer. */
export function FormCode({ onCode }: { onCode: React.MouseEventHandler | undefined }) {
  return (
    onCode && (
      <IconButton size="lg" kind="quiet" label="Show as code" className="mr-auto" onClick={onCode}>
        <CodeXml aria-hidden strokeWidth={1.75} className="size-4" />
      </IconButton>
    )
  )
}
