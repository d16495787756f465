import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type DefaultValues, type FieldValues, type Path, useForm, type UseFormReturn } from 'react-hook-form'
import type { Tag } from '@gantry/api/tags/tag.rules'
import { call, type Send } from '#/data/client.ts'
import { asFailure, type Failure } from '#/data/failure.ts'
import { takeEntry } from '#/data/last-entry.ts'
import { invalidateOps } from '#/data/queries.ts'
import { loadWithRetry } from '#/ui/lazy-part.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { loadCode } from '../code/load-code.ts'
import { failureText } from '../feedback/failure-text.ts'
import { loadAsking } from '../plan/load-asking.ts'
import { type Asked, movedPlan, needsSecond, type Plan } from '../plan/plan.ts'
import { saySaved } from '../feedback/undo.tsx'
import { type FormProps, newTagsField } from './form-props.ts'
import { useFailures } from './use-failures.ts'

export interface ResourceForm<Values extends FieldValues, Saved> {
  form: UseFormReturn<Values>
  /** One or more refusals of the server. */
  failures: readonly Failure[]
  isPending: boolean
  /** Creates the handler of the form's submit event, or of the press that reviews; `onSaved` runs after a success. */
  onSubmit: (onSaved: (result: Saved) => void, step?: Step) => (event: PressEvent) => void
  /** What saving would do, while the user reviews it. */
  review: Review | undefined
}

type Step = 'save' | 'review' | 'code'
type PressEvent = React.FormEvent | React.MouseEvent

interface Review {
  asked: Asked
  /** It was committed, and refused because it would do something else by then. */
  isMoved: boolean
  commit: (plan: Plan) => void
  close: () => void
}

type Shared<Values extends FieldValues, Saved> = Pick<
  FormProps<Values, Saved>,
  'title' | 'initial' | 'save' | 'saved' | 'check' | 'codeOf' | 'mode' | 'fieldOf'
>

/**
 * Logic shared by all forms: validation on submit and then on every change, focus on the first invalid field, server
 * refusals as notes (a taken name beside its field too), the success message, and the next step. If the user leaves
 * while sending, a toast reports the result and the current page stays.
 */
export function useResourceForm<Values extends FieldValues, Saved>({
  title,
  initial,
  save,
  saved,
  check,
  codeOf,
  mode = 'onSubmit',
  fieldOf,
}: Shared<Values, Saved>): ResourceForm<Values, Saved> {
  const queryClient = useQueryClient()
  const form = useForm<Values>({ mode, defaultValues: initial as DefaultValues<Values> })
  const failures = useFailures(form)
  const [shown, setShown] = failures
  const [isPending, setPending] = useState(false)
  const [review, setReview] = useState<Review>()
  const noteOutdated = useRenewal(form, initial, failures)
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => void (isShown.current = false)
  }, [])

  async function submit(
    values: Values,
    onSaved: (result: Saved) => void,
    button: HTMLElement | null,
    step: Step | Plan,
  ): Promise<void> {
    setShown([])
    const problems = Object.entries(check?.(values) ?? {})
    problems.forEach(([name, message], index) =>
      form.setError(name as Path<Values>, { message }, { shouldFocus: index === 0 }),
    )
    if (problems.length > 0) return
    // Nothing is sent to show it.
    setPending(step !== 'code')
    // Disabling the fields while sending would lose the focus.
    const focused = document.activeElement
    button?.focus()
    try {
      takeEntry()
      const [fields, tagged, tags] = withoutTags(values)
      if (step === 'code') {
        const { showForm, showSteps } = await loadWithRetry(loadCode)
        if (codeOf) return showSteps(title, await codeOf(fields, tags))
        return await showForm(title, (send) => save(fields, tagged(send)))
      }
      if (step === 'review') {
        const { askPlan } = await loadWithRetry(loadAsking)
        const asked = await askPlan((send) => save(fields, tagged(send)))
        const commit = (plan: Plan) => void submit(values, onSaved, button, plan)
        setReview({ asked, isMoved: false, commit, close: () => setReview(undefined) })
        return setPending(false)
      }
      const result = await (step === 'save'
        ? save(fields, tagged())
        : save(fields, tagged((await loadWithRetry(loadAsking)).committing(step))))
      // Rows ask for tags only where a key is known, and the stream may have told of the object before its list was read.
      if (tags.length > 0) void invalidateOps(queryClient, [{ name: 'tagKeyList' }, { name: 'tagsList' }])
      if (saved) saySaved(saved(result))
      // Stays pending until the form is unmounted, so that it cannot be sent again during the navigation.
      if (isShown.current) onSaved(result)
    } catch (error) {
      const all = error instanceof AggregateError ? error.errors.map(asFailure) : [asFailure(error)]
      if (!isShown.current) return reportInToast(title, all)
      // The review says so, and offers to save the plan.
      if (step === 'save' && needsSecond(error)) return submit(values, onSaved, button, 'review')
      const plan = movedPlan(error)
      if (plan) {
        setReview(
          (shown) => shown && { ...shown, asked: { ...shown.asked, plan, time: new Date() }, isMoved: true },
        )
        return setPending(false)
      }
      setReview(undefined)
      const refused = all.map((failure) => ({
        failure,
        field: fieldOf ? fieldOf(failure, values) : nameIfTaken(failure, values),
      }))
      if (all.some(({ statusCode }) => statusCode === 412)) noteOutdated()
      // Synchronous, because fields are disabled while sending and cannot take the focus.
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
    review,
    onSubmit: (onSaved, step) => (event) => {
      event.stopPropagation()
      const button = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null
      // Only mounted fields are validated again, and the error of any other would block every submit.
      form.clearErrors()
      void form.handleSubmit(
        (values) => submit(values, onSaved, button, step ?? 'save'),
        // The server's failures concern the values sent, not the new ones.
        () => setShown([]),
      )(event)
    },
  }
}

/**
 * After a refusal because the object has changed, the fields that the user left alone show its current values: sent
 * again as they were, they would undo another user's change unseen. The refusal stays, because it says why.
 */
function useRenewal<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  initial: Values,
  [shown, setShown]: ReturnType<typeof useFailures<Values>>,
): () => void {
  const [isOutdated, setOutdated] = useState(false)
  // The form tracks it only if a component reads it.
  void form.formState.dirtyFields
  const latest = useRef({ initial, shown })
  useEffect(() => void (latest.current = { initial, shown }))
  // As text, because most forms make the object anew at each render.
  const text = isOutdated && JSON.stringify(initial)
  useEffect(() => {
    if (!text) return
    const { initial, shown } = latest.current
    form.reset(initial, { keepDirtyValues: true })
    setShown(shown)
  }, [form, text, setShown])
  return () => setOutdated(true)
}

/**
 * The values of the fields, and how they are sent: with the tags that the form gives the new object, if it offers any.
 */
function withoutTags<Values extends FieldValues>(
  values: Values,
): [Values, (send?: Send) => Send | undefined, readonly Tag[]] {
  const { [newTagsField]: given, ...fields } = values as Values & { [newTagsField]?: readonly Tag[] }
  if (!given) return [values, (send) => send, []]
  const tags = given.filter(({ key }) => key !== '')
  return [
    fields as unknown as Values,
    (send = call) =>
      (op, input, options) =>
        send(op, input, { ...options, tags }),
    tags,
  ]
}

/** The form is gone, so its result goes to a toast. */
function reportInToast(title: string, failures: readonly Failure[]): void {
  const action = title.charAt(0).toLowerCase() + title.slice(1)
  for (const failure of failures) toast.error({ title: `Could not ${action}`, text: failureText(failure) })
}

const nameIfTaken = ({ errorCode }: Failure, values: FieldValues): string | undefined =>
  errorCode === 'ObjectAlreadyExists' && 'name' in values ? 'name' : undefined
