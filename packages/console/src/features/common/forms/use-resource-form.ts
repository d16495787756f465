import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type DefaultValues, type FieldValues, type Path, useForm, type UseFormReturn } from 'react-hook-form'
import { asFailure, type Failure } from '#/data/failure.ts'
import { toast } from '#/ui/toast.ts'
import { failureText } from '../failure-text.ts'
import type { FormProps } from './form-props.ts'
import { useFailures } from './use-failures.ts'

export interface ResourceForm<Values extends FieldValues, Saved> {
  form: UseFormReturn<Values>
  /** What the server refused, one or several. */
  failures: readonly Failure[]
  isPending: boolean
  /** The handler of the form's submit event; `onSaved` is what follows a success. */
  onSubmit: (onSaved: (result: Saved) => void) => (event: React.FormEvent) => void
}

type Shared<Values extends FieldValues, Saved> = Pick<
  FormProps<Values, Saved>,
  'title' | 'initial' | 'save' | 'saved' | 'check' | 'mode' | 'fieldOf'
>

/**
 * What all forms share: validation on submit and then on every change, the first invalid field focused, refusals
 * of the server as notes (a taken name beside the name too), the toast, and what follows a success. Whoever left
 * while it was being sent is told what became of it, and stays where they are.
 */
export function useResourceForm<Values extends FieldValues, Saved>({
  title,
  initial,
  save,
  saved,
  check,
  mode = 'onSubmit',
  fieldOf,
}: Shared<Values, Saved>): ResourceForm<Values, Saved> {
  const form = useForm<Values>({ mode, defaultValues: initial as DefaultValues<Values> })
  const [shown, setShown] = useFailures(form)
  const [isPending, setPending] = useState(false)
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => void (isShown.current = false)
  }, [])

  async function submit(
    values: Values,
    onSaved: (result: Saved) => void,
    button: HTMLElement | null,
  ): Promise<void> {
    setShown([])
    const problems = Object.entries(check?.(values) ?? {})
    problems.forEach(([name, message], index) =>
      form.setError(name as Path<Values>, { message }, { shouldFocus: index === 0 }),
    )
    if (problems.length > 0) return
    setPending(true)
    // Fields are disabled while they are being sent, and the focus of one would be nowhere.
    const focused = document.activeElement
    button?.focus()
    try {
      const result = await save(values)
      if (saved) toast.success(saved(result))
      // Pending until the form is gone: while what follows is on its way, it must not be sent again.
      if (isShown.current) onSaved(result)
    } catch (error) {
      const all = error instanceof AggregateError ? error.errors.map(asFailure) : [asFailure(error)]
      if (!isShown.current) return tellLate(title, all)
      const refused = all.map((failure) => ({
        failure,
        field: fieldOf ? fieldOf(failure) : nameIfTaken(failure, values),
      }))
      // At once, because a field of a form that is being sent is disabled and takes no focus.
      flushSync(() => {
        setShown(refused)
        setPending(false)
      })
      if (document.activeElement === button && focused instanceof HTMLElement) focused.focus()
      for (const { failure, field } of refused)
        if (field) form.setError(field as Path<Values>, { message: failure.message }, { shouldFocus: true })
    }
  }

  return {
    form,
    failures: shown.map(({ failure }) => failure),
    isPending,
    onSubmit: (onSaved) => (event) => {
      event.stopPropagation()
      const button = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null
      void form.handleSubmit(
        (values) => submit(values, onSaved, button),
        // What the server said is about what was sent, which is not this.
        () => setShown([]),
      )(event)
    },
  }
}

/** There is no form any more to show it in. */
function tellLate(title: string, failures: readonly Failure[]): void {
  const what = title.charAt(0).toLowerCase() + title.slice(1)
  for (const failure of failures) toast.error({ title: `Could not ${what}`, text: failureText(failure) })
}

const nameIfTaken = ({ errorCode }: Failure, values: FieldValues): string | undefined =>
  errorCode === 'ObjectAlreadyExists' && 'name' in values ? 'name' : undefined
