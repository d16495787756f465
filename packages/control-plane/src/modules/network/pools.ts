import type { SiloIpPool } from '@gantry/api/silo'
import { canonicalUuid, isUuid } from '@gantry/api/name.rules'
import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { Change } from '../../kernel/change.ts'
import type { Cx } from '../../kernel/cx.ts'
import type { Reader } from '../../db/database.ts'
import { addressOf } from '../../kernel/need.ts'
import { type ListQuery, listPage } from '../../kernel/page.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { siloIpPoolView } from './views.ts'

const linkedPools = (db: Reader, siloId: string) =>
  db
    .selectFrom('ip_pool')
    .innerJoin('ip_pool_silo', 'ip_pool_silo.ip_pool_id', 'ip_pool.id')
    .selectAll('ip_pool')
    .where('ip_pool_silo.silo_id', '=', siloId)
    .where('ip_pool.time_deleted', 'is', null)

export const findDefaultPool = (db: Reader, siloId: string): Promise<Row<'ip_pool'> | undefined> =>
  linkedPools(db, siloId).where('ip_pool_silo.is_default', '=', true).executeTakeFirst()

export async function lockDefaultPool({ read }: Change, siloId: string): Promise<Row<'ip_pool'>> {
  const pool = await linkedPools(read, siloId)
    .where('ip_pool_silo.is_default', '=', true)
    .forUpdate('ip_pool')
    .executeTakeFirst()
  if (pool) return pool
  throw new Refusal('ObjectNotFound', 'not found: default IP pool for current silo', {
    help: 'Ask an operator to link an IP pool to this silo as its default.',
  })
}

/** A pool that is not linked to the silo is treated as missing. */
export async function needLinkedPool(db: Reader, siloId: string, nameOrId: string): Promise<Row<'ip_pool'>> {
  const pool = await linkedPool(db, siloId, nameOrId).executeTakeFirst()
  if (!pool) throw addressOf('ip-pool', nameOrId)
  return pool
}

export async function lockLinkedPool(
  { read }: Change,
  siloId: string,
  nameOrId: string,
): Promise<Row<'ip_pool'>> {
  const pool = await linkedPool(read, siloId, nameOrId).forUpdate('ip_pool').executeTakeFirst()
  if (!pool) throw addressOf('ip-pool', nameOrId)
  return pool
}

const linkedPool = (db: Reader, siloId: string, nameOrId: string) =>
  isUuid(nameOrId)
    ? linkedPools(db, siloId).where('ip_pool.id', '=', canonicalUuid(nameOrId))
    : linkedPools(db, siloId).where('ip_pool.name', '=', nameOrId)

/** Pools from which a silo may allocate, one of them the default. */
export async function listLinkedPools(
  cx: Cx,
  query: ListQuery,
  siloId: string,
): Promise<{ items: SiloIpPool[]; next_page: string | null }> {
  const defaultPool = await findDefaultPool(cx.db, siloId)
  const linked = sql`EXISTS (SELECT 1 FROM ip_pool_silo s WHERE s.ip_pool_id = t.id AND s.silo_id = ${siloId})`
  return listPage(
    cx,
    'ip_pool',
    query,
    () => ({ where: {}, and: linked }),
    (row) => siloIpPoolView(row, defaultPool),
  )
}
