import type { InputOf, OpRef } from '@gantry/api/client/client'
import { type Answer, call } from '#/data/client.ts'
import { isAbsent } from '#/data/extensions.ts'
import type { Fallback } from '#/data/fallback.ts'
import { type ListName, type ListQuery, listQuery } from '#/data/queries.ts'
import { findQuery } from './find.ts'
import type { FindSearch } from './use-list-page.ts'

/** Where a list looks: in a project or a VPC of one, among the silo's own, or in everything that the user may see. */
export interface ListPlace {
  project?: string | undefined
  vpc?: string | undefined
  siloOnly?: true | undefined
}

/**
 * A list with the URL's filter and order. The plain list answers a URL without either, and servers that cannot filter
 * answer a link with a filter by the plain list.
 */
export function foundList<Name extends ListName, Sorted extends ListName>(
  plain: ListQuery<Name>,
  sorted: OpRef<Sorted>,
  { project, vpc, siloOnly }: ListPlace,
  search: FindSearch,
): ListQuery<Name> {
  const wanted = findQuery(search)
  if (Object.keys(wanted).length === 0 || isAbsent(sorted)) return plain
  const fallback: Fallback<Sorted> = async (asked, options) => {
    const [, input] = plain.at().queryKey as [string, { query: object }]
    const { query } = asked as unknown as { query: { limit: number; pageToken?: string } }
    const { limit, pageToken } = query
    const page = { ...input, query: { ...input.query, limit, pageToken } } as unknown as InputOf<Name>
    return (await call(plain.op, page, options)) as unknown as Answer<Sorted>
  }
  const query = { ...(project && { project }), ...(vpc && { vpc }), ...(siloOnly && { siloOnly }), ...wanted }
  // The rows have the same type; only the operation differs.
  return listQuery(sorted, { query } as unknown as InputOf<Sorted>, {
    fallback,
  }) as unknown as ListQuery<Name>
}
