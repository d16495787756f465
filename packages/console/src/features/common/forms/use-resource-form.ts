import { useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, useForm, type UseFormReturn } from 'react-hook-form'
import { asFailure, type Failure } from '../../../data/failure.ts'
import { toast } from '../../../ui/toast.ts'
import type { FormProps } from './form-props.ts'

export interface ResourceForm<Values extends FieldValues> {
  form: UseFormReturn<Values>
  /** What the server refused, one or several. */
  failures: readonly Failure[]
  isPending: boolean
  onSubmit: (event: React.FormEvent) => void
}

/**
 * What all forms share: validation on submit and then on every change, the first invalid field focused, refusals
 * of the server as notes (a taken name beside the name too), the toast, and what follows a success.
 */
export function useResourceForm<Values extends FieldValues, Saved>(
  { initial, save, saved, check }: Pick<FormProps<Values, Saved>, 'initial' | 'save' | 'saved' | 'check'>,
  onSaved: (result: Saved) => void,
): ResourceForm<Values> {
  const form = useForm<Values>({ defaultValues: initial as DefaultValues<Values> })
  const [failures, setFailures] = useState<readonly Failure[]>([])
  const [isPending, setPending] = useState(false)

  async function submit(values: Values): Promise<void> {
    setFailures([])
    const problems = Object.entries(check?.(values) ?? {})
    problems.forEach(([name, message], index) =>
      form.setError(name as Path<Values>, { message }, { shouldFocus: index === 0 }),
    )
    if (problems.length > 0) return
    setPending(true)
    try {
      const result = await save(values)
      if (saved) toast.success(saved(result))
      onSaved(result)
    } catch (error) {
      const all = error instanceof AggregateError ? error.errors.map(asFailure) : [asFailure(error)]
      if (!all.every(({ statusCode }) => statusCode)) console.error(error)
      setFailures(all)
      const taken = all.find(({ errorCode }) => errorCode === 'ObjectAlreadyExists')
      if (taken && 'name' in values) {
        form.setError('name' as Path<Values>, { message: taken.message }, { shouldFocus: true })
      }
    } finally {
      setPending(false)
    }
  }

  return {
    form,
    failures,
    isPending,
    onSubmit: (event) => {
      event.stopPropagation()
      void form.handleSubmit(submit)(event)
    },
  }
}
