import type { IpPool, IpPoolCreate, IpPoolUpdate } from '@gantry/api/network/ip-pool'
import type { Action } from '@gantry/api/extensions.rules'
import type { Row } from '../../db/tables.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { aim, need, needFleet, type Selectors } from '../../lookup/need.ts'
import { invalid, notFound } from '../../context/refusal.ts'
import { resourceView } from '../../lookup/views.ts'
import { detachPool } from './gateways.ts'

type Pool = Row<'ip_pool'>

export const assignmentOf = ({ is_service }: Pool): IpPool['assignment'] =>
  is_service ? 'system_services' : 'silos'

export const poolView = (row: Pool): IpPool =>
  resourceView(row, {
    ip_version: row.ip_version,
    pool_type: row.pool_type,
    assignment: assignmentOf(row),
  })

export const needPool = async (cx: Cx, at: Selectors, action: Action): Promise<Pool> =>
  (await need(cx, 'ip_pool', at, action)).row

/** What former versions called the pool of the rack's own services, when there was one. */
export async function needServicePool(cx: Cx, action: Action): Promise<Pool> {
  needFleet(cx, action)
  const [pool, another] = await cx.db
    .selectFrom('ip_pool')
    .selectAll()
    .where('is_service', '=', true)
    .where('ip_version', '=', 'v4')
    .where('time_deleted', 'is', null)
    .orderBy('id')
    .limit(2)
    .execute()
  if (!pool) throw notFound('ip-pool', { text: 'the service IP pool' })
  if (another)
    throw invalid(
      `the rack's own services have several pools of IPv4, among them ${pool.name} and ${another.name}`,
      'Name the pool, with the operations of other pools.',
    )
  if (action === 'modify') aim(cx, pool)
  return pool
}

export async function createPool(cx: Cx, create: IpPoolCreate): Promise<Pool> {
  needFleet(cx, 'modify')
  const { name, description, ip_version, pool_type, assignment } = create
  if (pool_type === 'multicast' && assignment === 'system_services')
    throw invalid("the system's services have unicast addresses", 'Assign the pool to silos.')
  return change(cx, fleetScope, (tx) =>
    tx.insert('ip_pool', {
      name,
      description,
      pool_type,
      is_service: assignment === 'system_services',
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

/** Gives a pool to silos, which are then linked one by one, or to the system's own services. */
export async function assignPool(cx: Cx, at: Selectors, assignment: IpPool['assignment']): Promise<Pool> {
  const { id } = await needPool(cx, at, 'modify')
  return change(cx, fleetScope, async (tx) => {
    const pool = await tx.lockById('ip_pool', id)
    const is_service = assignment === 'system_services'
    if (pool.is_service === is_service)
      throw invalid(
        `IP pool ${pool.name} is already assigned to ${words[assignment]}`,
        'Nothing is left to do.',
      )
    if (is_service && pool.pool_type === 'multicast')
      throw invalid("the system's services have unicast addresses", 'Assign a pool of unicast addresses.')
    if (is_service) await refuseLinked(tx, pool)
    else await keepOneForServices(tx, pool)
    return tx.update('ip_pool', pool, { is_service })
  })
}

const words = { silos: 'silos', system_services: "the system's services" } as const

async function refuseLinked(tx: Change, pool: Pool): Promise<void> {
  const link = await tx.read
    .selectFrom('ip_pool_silo')
    .innerJoin('silo', 'silo.id', 'ip_pool_silo.silo_id')
    .select('silo.name')
    .where('ip_pool_id', '=', pool.id)
    .orderBy('silo.name')
    .limit(1)
    .executeTakeFirst()
  if (link)
    throw invalid(
      `IP pool ${pool.name} is linked to silos, such as ${link.name}`,
      "Unlink its silos first: a pool of the system's services is linked to none.",
    )
}

/** The services of the system are never left without a pool. Pools of theirs are locked, so that two do not go at once. */
async function keepOneForServices(tx: Change, pool: Pool): Promise<void> {
  const pools = await tx.read
    .selectFrom('ip_pool')
    .select('id')
    .where('is_service', '=', true)
    .where('time_deleted', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (pools.every(({ id }) => id === pool.id))
    throw invalid(
      `IP pool ${pool.name} is the last one of the system's services`,
      'Assign another pool to them first.',
    )
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
    if (pool.is_service) await keepOneForServices(tx, pool)
    await tellSilos(tx, id)
    await tx.plain.deleteFrom('ip_pool_silo').where('ip_pool_id', '=', id).execute()
    await detachPool(tx, id)
    tx.at(fleetScope)
    await tx.remove('ip_pool', pool)
  })
}
