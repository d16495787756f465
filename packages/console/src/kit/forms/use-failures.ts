import { useEffect, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type { Failure } from '#/data/failure.ts'
import { session } from '#/data/session.ts'

export interface ShownFailure {
  failure: Failure
  /** The field it concerns, if any. */
  field?: string | undefined
}

type Failures = readonly ShownFailure[]

/** The server's refusals, for as long as they can apply: each concerns the values and the session of its request. */
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

/** `name` is the changed field; undefined if any of them may have changed. */
export const afterChange = (shown: Failures, name: string | undefined): Failures =>
  filterFailures(
    shown,
    ({ field }) =>
      name !== undefined && field !== undefined && name !== field && !name.startsWith(`${field}.`),
  )

export const afterRenewal = (shown: Failures): Failures =>
  filterFailures(shown, ({ failure }) => failure.statusCode !== 401)

/** Keeps the list's identity when nothing is removed, so that nothing renders. */
function filterFailures(shown: Failures, holds: (each: ShownFailure) => boolean): Failures {
  const kept = shown.filter(holds)
  return kept.length === shown.length ? shown : kept
}
