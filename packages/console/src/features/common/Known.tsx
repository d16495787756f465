import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Skeleton } from '#/ui/Skeleton.tsx'

/** Undefined while loading, and `unknown` if it could not be read. */
export type Late<Data> = Data | 'unknown' | undefined

export const lateOf = <Data,>({
  data,
  isError,
}: Pick<UseQueryResult<Data>, 'data' | 'isError'>): Late<Data> => data ?? (isError ? 'unknown' : undefined)

/** A table cell whose data loads after the row. */
export function Known<Data>({ of: late, render }: { of: Late<Data>; render: (data: Data) => ReactNode }) {
  if (late === undefined) return <Skeleton />
  return late === 'unknown' ? <span className="text-faint">unknown</span> : render(late)
}
