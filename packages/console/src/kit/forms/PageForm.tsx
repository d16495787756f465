import { useNavigate } from '@tanstack/react-router'
import OctagonX from 'lucide-react/icons/octagon-x'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { type Control, type FieldValues, useWatch } from 'react-hook-form'
import type { Failure } from '#/data/failure.ts'
import { Button } from '#/ui/Button.tsx'
import { CopyButton } from '#/ui/CopyButton.tsx'
import { failureText } from '../feedback/failure-text.ts'
import { Foot } from '../list/foot.tsx'
import type { LinkTarget } from '../links/link-target.ts'
import { PageHead } from '../list/ListPage.tsx'
import { FormFields, FormSubmit, useFormCore } from './form-core.tsx'
import type { FormProps } from './form-props.ts'
import { pageWords } from './UnsavedGuard.tsx'
import { WhyNotNote } from './FormNotes.tsx'

interface Props<Values extends FieldValues, Saved> extends FormProps<Values, Saved> {
  docs?: ReactNode
  /** The target of Cancel. */
  cancelTo: LinkTarget
  /** Navigates after success. */
  onSaved: (result: Saved) => void
  /** A short summary of the object to create, at the right of the bar. */
  summary?: (values: Values) => ReactNode
  /** Progress while sending; replaces the summary. */
  status?: ReactNode
}

/** Skips options above the fields, which already have a value. */
const firstField = ':is(input, textarea):not([type=radio], [type=checkbox], :disabled)'

/** A full-page form, with its buttons and failures in a bar below. */
export function PageForm<Values extends FieldValues, Saved>(props: Props<Values, Saved>) {
  const { title, docs, cancelTo, submitLabel = title, summary, status, children } = props
  const id = useId()
  const navigate = useNavigate()
  const { core, guard, submit, onReview, onCode } = useFormCore(props, {
    words: pageWords,
    onSaved: props.onSaved,
  })
  const { failures } = core
  const form = useRef<HTMLFormElement>(null)
  const mayFocus = !props.disabled
  useEffect(() => {
    // If the user may not submit, focus starts at the heading, above the reason.
    if (mayFocus) form.current?.querySelector<HTMLElement>(firstField)?.focus({ preventScroll: true })
    // Runs once, when the form opens.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  return (
    <>
      <PageHead title={title} docs={docs} />
      {props.disabled && (
        <div className="mb-4">
          <WhyNotNote reason={props.disabled} />
        </div>
      )}
      <form ref={form} id={id} autoComplete="off" noValidate onSubmit={submit}>
        <FormFields core={core}>{children}</FormFields>
      </form>
      <Foot>
        <section
          aria-label={submitLabel}
          className="flex min-h-16 items-center gap-2 bg-page px-gutter py-3 shadow-bar max-md:flex-col-reverse max-md:items-stretch"
        >
          <div className="flex gap-2 max-sm:flex-col">
            <FormSubmit core={core} props={props} onReview={onReview} form={id} label={submitLabel} />
            <div className="flex justify-center gap-2">
              <Button size="lg" kind="quiet" onClick={() => void navigate(cancelTo)}>
                Cancel
              </Button>
              {onCode && (
                <Button size="lg" kind="quiet" onClick={onCode}>
                  Show as code
                </Button>
              )}
            </div>
          </div>
          <div className="min-w-0 text-sm md:ml-auto md:pl-4">
            <div role="status">{status}</div>
            {failures.length > 0 ? (
              <Failures failures={failures} />
            ) : (
              summary && !status && <Summary control={core.form.control} summary={summary} />
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
