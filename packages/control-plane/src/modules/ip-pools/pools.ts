import type { IpPool, IpPoolCreate, IpPoolUpdate } from '@gantry/api/network/ip-pool'
import type { Action } from '@gantry/api/extensions.rules'
import type { Row } from '../../db/tables.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { addressOf, aim, need, needFleet, type Selectors } from '../../lookup/need.ts'
import { invalid, notFound } from '../../context/refusal.ts'
import { resourceView } from '../../lookup/views.ts'
import { detachPool } from './gateways.ts'

type Pool = Row<'ip_pool'>

export const poolView = (row: Pool): IpPool =>
  resourceView(row, {
    ip_version: row.ip_version,
    pool_type: 'unicast',
    assignment: row.is_service ? 'system_services' : 'silos',
  })

/** The pool of the rack's own services has separate operations, and is missing everywhere else. */
export async function needPool(cx: Cx, at: Selectors, action: Action): Promise<Pool> {
  const { row } = await need(cx, 'ip_pool', at, action)
  if (row.is_service) throw addressOf('ip-pool', at.pool ?? '')
  return row
}

export async function needServicePool(cx: Cx, action: Action): Promise<Pool> {
  needFleet(cx, action)
  const pool = await cx.db
    .selectFrom('ip_pool')
    .selectAll()
    .where('is_service', '=', true)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (!pool) throw notFound('ip-pool', { text: 'the service IP pool' })
  if (action === 'modify') aim(cx, pool)
  return pool
}

export async function createPool(cx: Cx, create: IpPoolCreate): Promise<Pool> {
  needFleet(cx, 'modify')
  const { name, description, ip_version, pool_type, assignment } = create
  if (pool_type !== 'unicast')
    throw invalid('pools of multicast addresses are not supported', 'Create a pool of type `unicast`.')
  if (assignment !== 'silos')
    throw invalid("the rack's own services have one pool", 'Add ranges to that pool instead.')
  return change(cx, fleetScope, (tx) =>
    tx.insert('ip_pool', {
      name,
      description,
      ...(ip_version && { ip_version, has_one_version: true }),
    }),
  )
}

export async function updatePool(cx: Cx, at: Selectors, { name, description }: IpPoolUpdate): Promise<Pool> {
  const { id } = await needPool(cx, at, 'modify')
  return change(cx, fleetScope, async (tx) => {
    const pool = await tx.update('ip_pool', await tx.lockById('ip_pool', id), {
      ...(name && { name }),
      ...(description !== null && description !== undefined && { description }),
    })
    await tellSilos(tx, id)
    return pool
  })
}

/** Users of a silo see the pools that are linked to it, but no changes of the fleet. */
async function tellSilos(tx: Change, poolId: string): Promise<void> {
  const links = tx.read.selectFrom('ip_pool_silo').select('silo_id').where('ip_pool_id', '=', poolId)
  for (const { silo_id } of await links.execute())
    tx.note('ip-pool', poolId, undefined, undefined, { silo_id, project_id: null })
}

/** Links and gateway attachments are deleted with the pool. */
export async function deletePool(cx: Cx, at: Selectors): Promise<void> {
  const { id } = await needPool(cx, at, 'modify')
  await change(cx, fleetScope, async (tx) => {
    const pool = await tx.lockById('ip_pool', id)
    const range = await tx.read
      .selectFrom('ip_pool_range')
      .select(['first_ip', 'last_ip'])
      .where('ip_pool_id', '=', id)
      .orderBy('first_key')
      .executeTakeFirst()
    if (range)
      throw invalid(
        'IP Pool cannot be deleted while it contains IP ranges',
        `Remove its ranges first, beginning with ${range.first_ip}-${range.last_ip}.`,
      )
    await tellSilos(tx, id)
    await tx.plain.deleteFrom('ip_pool_silo').where('ip_pool_id', '=', id).execute()
    await detachPool(tx, id)
    tx.at(fleetScope)
    await tx.remove('ip_pool', pool)
  })
}
