import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { type ListQuery, listPage } from '../../list/page.ts'
import { implement } from '../../pipeline/implement.ts'
import { need, needFleet, needOwnSilo } from '../../lookup/need.ts'

/** No subnet pool exists here, so that those who may see where they would be see none. */
const none = (cx: Cx, query: ListQuery, allow: () => unknown) =>
  listPage(
    cx,
    'ip_pool',
    query,
    async () => {
      await allow()
      return { where: {}, and: sql`false` }
    },
    (row): never => {
      throw new Error(`${row.id} is no subnet`)
    },
  )

export const externalSubnetsHttp = implement({
  externalSubnetList: (cx, { query: { project, ...query } }) =>
    none(cx, { project, ...query }, () => need(cx, 'project', { project }, 'list_children')),
  instanceExternalSubnetList: async (cx, { path, query }) => {
    await need(cx, 'instance', { ...query, ...path }, 'read')
    return { items: [], next_page: null }
  },
  subnetPoolList: (cx, { query }) => none(cx, query, () => needFleet(cx, 'list_children')),
  currentSiloSubnetPoolList: (cx, { query }) =>
    none(cx, query, () => needOwnSilo(cx, 'list_children', 'siloIpPool')),
  siloSubnetPoolList: (cx, { path, query }) => none(cx, query, () => need(cx, 'silo', path, 'read')),
})
