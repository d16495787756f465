import { useNavigate } from '@tanstack/react-router'
import { OctagonX } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { type FieldValues, FormProvider } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { Foot } from '../foot.tsx'
import { PageHead } from '../ListPage.tsx'
import { FailureNote } from './FailureNote.tsx'
import type { FormProps } from './form-props.ts'
import { pageWords, useUnsavedGuard } from './UnsavedGuard.tsx'
import { useResourceForm } from './use-resource-form.ts'

interface Props<Values extends FieldValues, Saved> extends FormProps<Values, Saved> {
  docs?: ReactNode
  /** Where Cancel leads. */
  cancelTo: string
  /** Where a success leads. */
  onSaved: (result: Saved) => void
}

/** A form that is a page of its own, with its buttons in a bar below. */
export function PageForm<Values extends FieldValues, Saved>(props: Props<Values, Saved>) {
  const { title, docs, cancelTo, submitLabel = title, pendingLabel, disabled, children } = props
  const id = useId()
  const navigate = useNavigate()
  const { form, failures, isPending, onSubmit } = useResourceForm(props, (result) => {
    guard.release()
    props.onSaved(result)
  })
  const guard = useUnsavedGuard(form.formState.isDirty, pageWords)

  return (
    <>
      <PageHead title={title} docs={docs} />
      <form id={id} autoComplete="off" noValidate onSubmit={onSubmit}>
        <FormProvider {...form}>
          <FailureNote failures={failures} />
          {children}
        </FormProvider>
      </form>
      <Foot>
        <div className="flex min-h-16 items-center gap-2 bg-page px-gutter py-3 shadow-bar max-md:flex-col max-md:items-stretch">
          <Button
            size="lg"
            kind="primary"
            type="submit"
            form={id}
            pending={isPending}
            {...(pendingLabel && { pendingLabel })}
            disabledReason={disabled}
          >
            {submitLabel}
          </Button>
          <Button
            size="lg"
            onClick={() => void navigate({ to: cancelTo } as Parameters<typeof navigate>[0])}
          >
            Cancel
          </Button>
          {failures.length > 0 && (
            <span className="flex items-center gap-2 text-sm text-fail-text md:ml-auto">
              <OctagonX aria-hidden className="size-4" />
              Error
            </span>
          )}
        </div>
      </Foot>
      {guard.dialog}
    </>
  )
}
