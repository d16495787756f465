import type { SubnetPool, SubnetPoolCreate, SubnetPoolUpdate } from '@gantry/api/network/subnet-pool'
import type { Row } from '../../db/tables.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { need, needFleet, type Selectors } from '../../lookup/need.ts'
import { invalid } from '../../context/refusal.ts'
import { resourceView } from '../../lookup/views.ts'

type Pool = Row<'subnet_pool'>

export const poolView = (row: Pool): SubnetPool => resourceView(row, { ip_version: row.ip_version })

export async function createPool(cx: Cx, body: SubnetPoolCreate): Promise<Pool> {
  needFleet(cx, 'modify')
  return change(cx, fleetScope, (tx) => tx.insert('subnet_pool', body))
}

export async function updatePool(
  cx: Cx,
  at: Selectors,
  { name, description }: SubnetPoolUpdate,
): Promise<Pool> {
  const { row } = await need(cx, 'subnet_pool', at, 'modify')
  return change(cx, fleetScope, async (tx) => {
    const pool = await tx.update('subnet_pool', await tx.lock('subnet_pool', row), {
      ...(name && { name }),
      ...(description !== null && description !== undefined && { description }),
    })
    await tellSilos(tx, pool.id)
    return pool
  })
}

/** Users of a silo see the pools that are linked to it, but no changes of the fleet. */
async function tellSilos(tx: Change, poolId: string): Promise<void> {
  const links = tx.read.selectFrom('subnet_pool_silo').select('silo_id').where('subnet_pool_id', '=', poolId)
  for (const { silo_id } of await links.execute())
    tx.note('subnet-pool', poolId, undefined, undefined, { silo_id, project_id: null })
}

/** Links are deleted with the pool. */
export async function deletePool(cx: Cx, at: Selectors): Promise<void> {
  const { row } = await need(cx, 'subnet_pool', at, 'modify')
  await change(cx, fleetScope, async (tx) => {
    const pool = await tx.lock('subnet_pool', row)
    const member = await tx.read
      .selectFrom('subnet_pool_member')
      .select('subnet')
      .where('subnet_pool_id', '=', pool.id)
      .orderBy('first_key')
      .executeTakeFirst()
    if (member)
      throw invalid(
        'Subnet pool cannot be deleted while it contains members',
        `Remove its members first, beginning with ${member.subnet}.`,
      )
    await tellSilos(tx, pool.id)
    await tx.plain.deleteFrom('subnet_pool_silo').where('subnet_pool_id', '=', pool.id).execute()
    await tx.remove('subnet_pool', pool)
  })
}
