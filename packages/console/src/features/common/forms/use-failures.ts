import { useEffect, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type { Failure } from '#/data/failure.ts'
import { session } from '#/data/session.ts'

export interface ShownFailure {
  failure: Failure
  /** The field that it is about, if it is about one. */
  field?: string | undefined
}

type Failures = readonly ShownFailure[]

/** What the server refused, as long as it can still hold: it was said about what was sent, in the session of then. */
export function useFailures<Values extends FieldValues>({ watch }: UseFormReturn<Values>) {
  const [shown, setShown] = useState<Failures>([])
  useEffect(() => {
    const { unsubscribe } = watch((_, { name }) => setShown((before) => afterChange(before, name)))
    return unsubscribe
  }, [watch])
  useEffect(
    () =>
      session.subscribe(() => {
        if (!session.hasEnded()) setShown(afterRenewal)
      }),
    [],
  )
  return [shown, setShown] as const
}

/** `name` is the field that changed; undefined when all of them may have. */
export const afterChange = (shown: Failures, name: string | undefined): Failures =>
  keep(
    shown,
    ({ field }) =>
      name !== undefined && field !== undefined && name !== field && !name.startsWith(`${field}.`),
  )

export const afterRenewal = (shown: Failures): Failures =>
  keep(shown, ({ failure }) => failure.statusCode !== 401)

/** The same list where nothing goes, so that nothing renders for it. */
function keep(shown: Failures, holds: (each: ShownFailure) => boolean): Failures {
  const kept = shown.filter(holds)
  return kept.length === shown.length ? shown : kept
}
