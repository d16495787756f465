import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { isAbsent } from './extensions.ts'
import type { Failure } from './failure.ts'
import { ask, type Check, freshMs, reasonOf, type Verdict } from './permissions.ts'
import { metaOf } from './queries.ts'

/**
 * Like `useWhyNot`, for rows on which the user's roles can differ, with one request for all rows. Undefined until the
 * answer arrives, so that no menu opens with an entry that would then be disabled.
 */
export function useWhyNotEach<Row extends { id: string }>(
  rows: readonly Row[],
  checkOf: (row: Row) => Check,
): ((row: Row) => string | undefined) | undefined {
  const checks = rows.map(checkOf)
  const { data, isLoading } = useQuery<Verdict[], Failure>({
    queryKey: [op.permissionCheck.name, checks],
    meta: metaOf(op.permissionCheck),
    queryFn: () => Promise.all(checks.map(ask)),
    staleTime: freshMs,
    enabled: () => checks.length > 0 && !isAbsent(op.permissionCheck),
  })
  if (isLoading) return undefined
  const verdicts = new Map(rows.map(({ id }, index) => [id, data?.[index]]))
  return ({ id }) => reasonOf(verdicts.get(id))
}
