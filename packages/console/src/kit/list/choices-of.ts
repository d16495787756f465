import type { UseQueryResult } from '@tanstack/react-query'
import type { Failure } from '#/data/failure.ts'
import type { Offered } from './use-offered.ts'
import { failureText } from '../feedback/failure-text.ts'

type Source = Pick<UseQueryResult<unknown, Failure>, 'data' | 'error' | 'isPending' | 'fetchStatus'> & {
  refetch: () => unknown
} & Partial<Pick<Offered<unknown>, 'onSearch' | 'hasMore'>>

/** State of a field whose options load: pending, or why options are missing and how to retry. */
export function choicesOf(...sources: readonly Source[]) {
  const failed = sources.filter(({ data, error, onSearch }) => error && (data === undefined || onSearch))
  const failure = failed[0]?.error
  const searched = sources.flatMap(({ onSearch }) => (onSearch ? [onSearch] : []))
  return {
    hasMore: sources.some(({ hasMore }) => hasMore),
    ...(searched.length > 0 && { onSearch: (text: string) => searched.forEach((search) => search(text)) }),
    // A disabled query is never pending.
    loading: sources.some(({ isPending, fetchStatus }) => isPending && fetchStatus !== 'idle'),
    ...(failure && {
      failure: failureText(failure),
      onRetry: () => failed.forEach(({ refetch }) => void refetch()),
    }),
  }
}
