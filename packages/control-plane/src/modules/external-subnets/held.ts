import { type RawBuilder, sql } from 'kysely'
import type { Change } from '../../change/change.ts'
import type { Row } from '../../db/tables.ts'

/** What an external subnet has of its pool. */
export type Block = Pick<
  Row<'external_subnet'>,
  'subnet' | 'first_int' | 'last_int' | 'subnet_pool_id' | 'subnet_pool_member_id'
>

const columns = sql`e.subnet_pool_id, e.subnet_pool_member_id, e.first_int, e.last_int`

/** The blocks of external subnets. */
export const liveBlocks: RawBuilder<unknown> = sql`(
  SELECT ${columns} FROM external_subnet e WHERE e.time_deleted IS NULL)`

/** With those of external subnets in a recycle bin, whose rows still name theirs. */
export const heldBlocks: RawBuilder<unknown> = sql`(
  SELECT ${columns} FROM external_subnet e WHERE e.time_deleted IS NULL UNION ALL
  SELECT ${columns} FROM recycled r JOIN external_subnet e ON e.id = r.object_id WHERE r.kind = 'external-subnet')`

/** Whether an external subnet has an address of the block. */
export const overlapping = async (tx: Change, block: Block): Promise<boolean> =>
  (await tx.read
    .selectFrom('external_subnet')
    .select('id')
    .where('subnet_pool_member_id', '=', block.subnet_pool_member_id)
    .where('first_int', '<=', block.last_int)
    .where('last_int', '>=', block.first_int)
    .where('time_deleted', 'is', null)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Whether the member of the pool that the block is of still exists; the pool is locked. */
export const isInMember = async (tx: Change, block: Block): Promise<boolean> =>
  (await tx.plain
    .selectFrom('subnet_pool_member')
    .select('id')
    .where('id', '=', block.subnet_pool_member_id)
    .executeTakeFirst()) !== undefined
