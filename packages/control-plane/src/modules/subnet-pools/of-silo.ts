import type { SiloSubnetPool } from '@gantry/api/network/subnet-pool'
import { canonicalUuid, isUuid } from '@gantry/api/base/name.rules'
import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import { addressOf } from '../../lookup/need.ts'
import { type ListQuery, listPage } from '../../list/page.ts'
import { resourceView } from '../../lookup/views.ts'

/** Pools that are linked to the silo, with the links. */
export const linkedPools = (db: Pick<Reader, 'selectFrom'>, siloId: string) =>
  db
    .selectFrom('subnet_pool')
    .innerJoin('subnet_pool_silo', 'subnet_pool_silo.subnet_pool_id', 'subnet_pool.id')
    .selectAll('subnet_pool')
    .select('subnet_pool_silo.is_default')
    .where('subnet_pool_silo.silo_id', '=', siloId)
    .where('subnet_pool.time_deleted', 'is', null)

/** The one of this name or id. */
export const linkedPool = (db: Pick<Reader, 'selectFrom'>, siloId: string, nameOrId: string) =>
  isUuid(nameOrId)
    ? linkedPools(db, siloId).where('subnet_pool.id', '=', canonicalUuid(nameOrId))
    : linkedPools(db, siloId).where('subnet_pool.name', '=', nameOrId)

/** A pool that is not linked to the caller's silo is treated as missing. */
export async function viewOwnPool(cx: Cx, nameOrId: string): Promise<SiloSubnetPool> {
  const { silo_id } = cx.user()
  const pool = await linkedPool(cx.db, silo_id, nameOrId).executeTakeFirst()
  if (!pool) throw addressOf('subnet-pool', nameOrId)
  return view(pool, pool.is_default)
}

export async function listPoolsOf(
  cx: Cx,
  query: ListQuery,
  siloId: string,
): Promise<{ items: SiloSubnetPool[]; next_page: string | null }> {
  const linked = sql`EXISTS (SELECT 1 FROM subnet_pool_silo s WHERE s.subnet_pool_id = t.id AND s.silo_id = ${siloId})`
  const defaults = await cx.db
    .selectFrom('subnet_pool_silo')
    .select('subnet_pool_id')
    .where('silo_id', '=', siloId)
    .where('is_default', '=', true)
    .execute()
  const isDefault = new Set(defaults.map(({ subnet_pool_id }) => subnet_pool_id))
  return listPage(
    cx,
    'subnet_pool',
    query,
    () => ({ where: {}, and: linked }),
    (row) => view(row, isDefault.has(row.id)),
  )
}

const view = (row: Row<'subnet_pool'>, is_default: boolean): SiloSubnetPool =>
  resourceView(row, { ip_version: row.ip_version, is_default })
