import type { UseQueryResult } from '@tanstack/react-query'
import type { Failure } from '#/data/failure.ts'
import { failureText } from './failure-text.ts'

type Source = Pick<
  UseQueryResult<unknown, Failure>,
  'data' | 'error' | 'isPending' | 'fetchStatus' | 'refetch'
>

/** How a field stands that offers what was read: still waiting, or why it is not all there and how to ask again. */
export function choicesOf(...sources: readonly Source[]) {
  const failed = sources.filter(({ data, error }) => error && data === undefined)
  const failure = failed[0]?.error
  return {
    // What is not asked for does not come either.
    loading: sources.some(({ isPending, fetchStatus }) => isPending && fetchStatus !== 'idle'),
    ...(failure && {
      failure: failureText(failure),
      onRetry: () => failed.forEach(({ refetch }) => void refetch()),
    }),
  }
}
