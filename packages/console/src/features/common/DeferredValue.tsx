import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Skeleton } from '#/ui/Skeleton.tsx'

/** Undefined while loading, and `unknown` if it could not be read. */
export type Deferred<Data> = Data | 'unknown' | undefined

export const deferredOf = <Data,>({
  data,
  isError,
}: Pick<UseQueryResult<Data>, 'data' | 'isError'>): Deferred<Data> =>
  data ?? (isError ? 'unknown' : undefined)

/** A table cell whose data loads after the row. */
export function DeferredValue<Data>({
  of: value,
  render,
}: {
  of: Deferred<Data>
  render: (data: Data) => ReactNode
}) {
  if (value === undefined) return <Skeleton />
  return value === 'unknown' ? <span className="text-faint">unknown</span> : render(value)
}
