import { useNavigate } from '@tanstack/react-router'
import OctagonX from 'lucide-react/icons/octagon-x'
import { type ReactNode, useId } from 'react'
import { type Control, type FieldValues, FormProvider, useWatch } from 'react-hook-form'
import type { Failure } from '../../../data/failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { failureText } from '../failure-text.ts'
import { Foot } from '../foot.tsx'
import { PageHead } from '../ListPage.tsx'
import type { FormProps } from './form-props.ts'
import { SubmitButton } from './SubmitButton.tsx'
import { pageWords, useUnsavedGuard } from './UnsavedGuard.tsx'
import { useResourceForm } from './use-resource-form.ts'

interface Props<Values extends FieldValues, Saved> extends FormProps<Values, Saved> {
  docs?: ReactNode
  /** Where Cancel leads. */
  cancelTo: string
  /** Where a success leads. */
  onSaved: (result: Saved) => void
  /** What is about to be made, in a few words, at the right of the bar. */
  summary?: (values: Values) => ReactNode
}

/** A form that is a page of its own, with its buttons in a bar below, where its failures are shown too. */
export function PageForm<Values extends FieldValues, Saved>(props: Props<Values, Saved>) {
  const { title, docs, cancelTo, submitLabel = title, pendingLabel, disabled, summary, children } = props
  const id = useId()
  const navigate = useNavigate()
  const { form, failures, isPending, onSubmit } = useResourceForm(props)
  const guard = useUnsavedGuard(form.formState.isDirty, pageWords)
  const submit = onSubmit((result) => {
    guard.release()
    props.onSaved(result)
  })

  return (
    <>
      <PageHead title={title} docs={docs} />
      <form id={id} autoComplete="off" noValidate onSubmit={submit}>
        <FormProvider {...form}>
          {/* What is typed while it is being sent would be neither sent nor kept. */}
          <fieldset disabled={isPending} className="min-w-0">
            {children}
          </fieldset>
        </FormProvider>
      </form>
      <Foot>
        <section
          aria-label={submitLabel}
          className="flex min-h-16 items-center gap-2 bg-page px-gutter py-3 shadow-bar max-md:flex-col-reverse max-md:items-stretch"
        >
          <div className="flex gap-2 max-md:flex-col">
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
            <Button
              size="lg"
              kind="quiet"
              onClick={() => void navigate({ to: cancelTo } as Parameters<typeof navigate>[0])}
            >
              Cancel
            </Button>
          </div>
          <div className="min-w-0 text-sm md:ml-auto md:pl-4">
            {failures.length > 0 ? (
              <Failures failures={failures} />
            ) : (
              summary && <Summary control={form.control} summary={summary} />
            )}
          </div>
        </section>
      </Foot>
      {guard.dialog}
    </>
  )
}

function Failures({ failures }: { failures: readonly Failure[] }) {
  const requestId = failures.find((failure) => failure.requestId)?.requestId
  return (
    <div role="alert" className="flex items-start gap-2 text-fail-text">
      <OctagonX aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 wrap-anywhere">
        {failures.map((failure) => (
          <p key={failure.message}>{failureText(failure)}</p>
        ))}
        {requestId && (
          <p className="flex items-center gap-1 text-muted">
            Request <span className="font-mono text-[0.75rem]">{requestId}</span>
            <CopyButton text={requestId} className="-my-1" />
          </p>
        )}
      </div>
    </div>
  )
}

interface SummaryProps<Values extends FieldValues> {
  control: Control<Values>
  summary: (values: Values) => ReactNode
}

function Summary<Values extends FieldValues>({ control, summary }: SummaryProps<Values>) {
  return <p className="text-muted tabular-nums">{summary(useWatch({ control }) as Values)}</p>
}
