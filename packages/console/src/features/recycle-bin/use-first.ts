import { type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useState } from 'react'
import type { Failure } from '#/data/failure.ts'

/** The first answer, as of the moment of opening: what restoring something does ends the answer to the question. */
export function useFirst<Data, Key extends QueryKey>(
  query: UseQueryOptions<Data, Failure, Data, Key>,
): { data: Data | undefined; error: Failure | null } {
  const [first, setFirst] = useState<Data>()
  const { data, error } = useQuery({ ...query, enabled: first === undefined, gcTime: 0 })
  if (first === undefined && data !== undefined) setFirst(data)
  return { data: first ?? data, error: first === undefined ? error : null }
}
