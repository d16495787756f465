import { canonicalUuid, isUuid } from '@gantry/api/name.rules'
import type { Row } from '../../db/tables.ts'
import type { Reader } from '../../kernel/cx.ts'
import { addressOf } from '../../kernel/need.ts'
import { Refusal } from '../../kernel/refusal.ts'

const linkedPools = (db: Reader, siloId: string) =>
  db
    .selectFrom('ip_pool')
    .innerJoin('ip_pool_silo', 'ip_pool_silo.ip_pool_id', 'ip_pool.id')
    .selectAll('ip_pool')
    .where('ip_pool_silo.silo_id', '=', siloId)
    .where('ip_pool.time_deleted', 'is', null)

export const findDefaultPool = (db: Reader, siloId: string): Promise<Row<'ip_pool'> | undefined> =>
  linkedPools(db, siloId).where('ip_pool_silo.is_default', '=', true).executeTakeFirst()

export async function needDefaultPool(db: Reader, siloId: string): Promise<Row<'ip_pool'>> {
  const pool = await findDefaultPool(db, siloId)
  if (pool) return pool
  throw new Refusal('ObjectNotFound', 'not found: default IP pool for current silo', {
    help: 'Ask an operator to link an IP pool to this silo as its default.',
  })
}

/** A pool that is not linked to the silo is, from there, a missing one. */
export async function needLinkedPool(db: Reader, siloId: string, nameOrId: string): Promise<Row<'ip_pool'>> {
  const pools = linkedPools(db, siloId)
  const pool = await (
    isUuid(nameOrId)
      ? pools.where('ip_pool.id', '=', canonicalUuid(nameOrId))
      : pools.where('ip_pool.name', '=', nameOrId)
  ).executeTakeFirst()
  if (!pool) throw addressOf('ip-pool', nameOrId)
  return pool
}
