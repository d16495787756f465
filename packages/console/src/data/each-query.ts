import type { InputOf, OpRef } from '@gantry/api/client/client'
import type { OpName } from '@gantry/api/registry'
import { queryOptions } from '@tanstack/react-query'
import type { Failure } from './failure.ts'
import { inParallel } from './in-parallel.ts'
import { type ItemOf, type ListName, metaOf, readAll } from './queries.ts'

/** Concurrent list requests. */
const concurrency = 4

/**
 * All rows of several parents, where the API lists one parent at a time, such as the routes of all routers. Rows
 * follow the order of the parents. Sends no request until the parents are known.
 */
export function eachQuery<Name extends ListName>(
  op: OpRef<Name>,
  parents: readonly { id: string }[] | undefined,
  inputOf: (id: string) => InputOf<Name>,
) {
  const ids = (parents ?? []).map(({ id }) => id)
  return queryOptions<ItemOf<Name>[], Failure, ItemOf<Name>[], [OpName, unknown]>({
    queryKey: [op.name, { each: ids }],
    meta: metaOf(op),
    queryFn: async ({ signal }) => {
      const rows = new Map<string, ItemOf<Name>[]>()
      await inParallel(ids, concurrency, signal, async (id, either) => {
        rows.set(id, await readAll(op, inputOf(id), either))
      })
      return ids.flatMap((id) => rows.get(id) ?? [])
    },
    enabled: parents !== undefined,
  })
}
