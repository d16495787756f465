import type { InputOf, OpRef } from '@gantry/api/client/client'
import { isAbsent } from '#/data/extensions.ts'
import { type ListName, type ListQuery, listQuery } from '#/data/queries.ts'

/**
 * A list as the URL asks for it, and the plain one on servers that cannot sort and filter: then there are no controls
 * for it either, and whoever follows a link still sees the list.
 */
export function foundList<Plain extends ListName, Sorted extends ListName>(
  plain: ListQuery<Plain>,
  op: OpRef<Sorted>,
  input: InputOf<Sorted>,
): ListQuery<Plain> {
  if (isAbsent(op)) return plain
  const sorted = listQuery(op, input)
  return {
    // The rows are the same; what differs is where they are asked for.
    ...(sorted as unknown as ListQuery<Plain>),
    at(pageToken) {
      const query = sorted.at(pageToken)
      const instead = plain.at()
      const queryFn: typeof query.queryFn = async (context) => {
        try {
          return await callOf(query)(context)
        } catch (error) {
          if (!isAbsent(op)) throw error
          return callOf(instead as unknown as typeof query)(context)
        }
      }
      return { ...query, queryFn } as unknown as ReturnType<typeof plain.at>
    },
  }
}

/** Every query here is a call; the library's type allows others. */
const callOf = <Call>({ queryFn }: { queryFn?: Call }) =>
  queryFn as Extract<Call, (...given: never[]) => unknown>
