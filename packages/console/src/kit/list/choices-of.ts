import type { UseQueryResult } from '@tanstack/react-query'
import type { Failure } from '#/data/failure.ts'
import { failureText } from '../feedback/failure-text.ts'

type Source = Pick<
  UseQueryResult<unknown, Failure>,
  'data' | 'error' | 'isPending' | 'fetchStatus' | 'refetch'
>

/** State of a field whose options load: pending, or why options are missing and how to retry. */
export function choicesOf(...sources: readonly Source[]) {
  const failed = sources.filter(({ data, error }) => error && data === undefined)
  const failure = failed[0]?.error
  return {
    // A disabled query is never pending.
    loading: sources.some(({ isPending, fetchStatus }) => isPending && fetchStatus !== 'idle'),
    ...(failure && {
      failure: failureText(failure),
      onRetry: () => failed.forEach(({ refetch }) => void refetch()),
    }),
  }
}
