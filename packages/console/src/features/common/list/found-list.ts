import type { InputOf, OpRef } from '@gantry/api/client/client'
import { isAbsent } from '#/data/extensions.ts'
import { type ListName, type ListQuery, listQuery } from '#/data/queries.ts'

/**
 * A list with the URL's filters, or the plain list on servers that cannot sort and filter. Those show no filter
 * controls, and a link with filters still shows the list.
 */
export function foundList<Plain extends ListName, Sorted extends ListName>(
  plain: ListQuery<Plain>,
  op: OpRef<Sorted>,
  input: InputOf<Sorted>,
): ListQuery<Plain> {
  if (isAbsent(op)) return plain
  const sorted = listQuery(op, input)
  return {
    // The rows have the same type; only the operation differs.
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

/** Every query here has a function; the library's type allows others. */
const callOf = <Call>({ queryFn }: { queryFn?: Call }) =>
  queryFn as Extract<Call, (...given: never[]) => unknown>
