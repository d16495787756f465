import type { IpPoolLinkSilo, IpPoolSiloLink } from '@gantry/api/network/ip-pool'
import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { type ListQuery, listPage } from '../../list/page.ts'
import { alreadyExists, invalid, notFound } from '../../context/refusal.ts'
import { holdListed } from '../network/addresses/free-address.ts'
import { attachToDefaultGateways, detachPool } from './gateways.ts'
import { needPool } from './pools.ts'

type Pool = Row<'ip_pool'>
type Link = Row<'ip_pool_silo'>

export async function listLinks(
  cx: Cx,
  at: Selectors,
  query: ListQuery,
  where: { discoverable?: true },
): Promise<{ items: IpPoolSiloLink[]; next_page: string | null }> {
  const pool = await needPool(cx, at, 'list_children')
  const linked = sql`EXISTS (SELECT 1 FROM ip_pool_silo s WHERE s.silo_id = t.id AND s.ip_pool_id = ${pool.id})`
  const { items, next_page } = await listPage(
    cx,
    'silo',
    query,
    () => ({ where, and: linked }),
    ({ id }) => id,
  )
  const defaults = await cx.db
    .selectFrom('ip_pool_silo')
    .select('silo_id')
    .where('ip_pool_id', '=', pool.id)
    .where('is_default', '=', true)
    .execute()
  const isDefault = new Set(defaults.map(({ silo_id }) => silo_id))
  return {
    items: items.map((silo_id) => ({ ip_pool_id: pool.id, silo_id, is_default: isDefault.has(silo_id) })),
    next_page,
  }
}

export async function linkSilo(cx: Cx, at: Selectors, body: IpPoolLinkSilo): Promise<IpPoolSiloLink> {
  const { id } = await needPool(cx, at, 'modify')
  const { row: silo } = await need(cx, 'silo', { silo: body.silo }, 'read')
  return change(cx, fleetScope, async (tx) => {
    const [pool, held] = await holdBoth(tx, id, silo.id)
    if (pool.is_service)
      throw invalid(`IP pool ${pool.name} is assigned to the system's services`, 'Assign it to silos first.')
    const { is_default } = body
    const help = held.some((link) => link.ip_pool_id === id)
      ? `The pool ${pool.name} is already linked to the silo ${silo.name}.`
      : is_default && (await otherDefault(tx, silo, held, pool))
    if (help)
      throw alreadyExists(
        'ip-pool-resource',
        `ip_pool_id: ${id}, resource_id: ${silo.id}, resource_type: Silo`,
        help,
      )
    const link = { ip_pool_id: id, silo_id: silo.id, is_default }
    await tx.plain
      .insertInto('ip_pool_silo')
      .values({ ...link, pool_type: pool.pool_type, ip_version: pool.ip_version })
      .execute()
    await announceLink(tx, pool, link)
    return link
  })
}

/** The next step for the default pool that the silo has. */
async function otherDefault(
  tx: Change,
  silo: Row<'silo'>,
  held: readonly Link[],
  { pool_type, ip_version }: Pool,
) {
  const link = held.find(
    (each) => each.is_default && each.pool_type === pool_type && each.ip_version === ip_version,
  )
  if (!link) return undefined
  const pool = tx.read.selectFrom('ip_pool').select('name').where('id', '=', link.ip_pool_id)
  const { name } = await pool.executeTakeFirstOrThrow()
  return `The default pool of the silo ${silo.name} is ${name}. Link this one without making it the default, then make it the default.`
}

/** Making a pool the default demotes the previous one in the same change. */
export async function updateLink(
  cx: Cx,
  at: Selectors,
  { is_default }: { is_default: boolean },
): Promise<IpPoolSiloLink> {
  const { id } = await needPool(cx, at, 'modify')
  const { row: silo } = await need(cx, 'silo', at, 'read')
  return change(cx, fleetScope, async (tx) => {
    const [pool, held] = await holdBoth(tx, id, silo.id)
    if (!held.some((link) => link.ip_pool_id === id))
      throw notFound('ip-pool-resource', { id: `(${id}, ${silo.id})` })
    const links = tx.plain.updateTable('ip_pool_silo').where('silo_id', '=', silo.id)
    if (is_default)
      await links
        .set({ is_default: false })
        .where('is_default', '=', true)
        .where('pool_type', '=', pool.pool_type)
        .where('ip_version', '=', pool.ip_version)
        .execute()
    await links.set({ is_default }).where('ip_pool_id', '=', id).execute()
    const link = { ip_pool_id: id, silo_id: silo.id, is_default }
    await announceLink(tx, pool, link)
    return link
  })
}

/** Unlinking an unlinked pool is a no-op. */
export async function unlinkSilo(cx: Cx, at: Selectors): Promise<void> {
  const { id } = await needPool(cx, at, 'modify')
  const { row: silo } = await need(cx, 'silo', at, 'read')
  await change(cx, fleetScope, async (tx) => {
    const [pool, held] = await holdBoth(tx, id, silo.id)
    const link = held.find(({ ip_pool_id }) => ip_pool_id === id)
    if (!link) return
    await holdListed(tx, id)
    const used = await firstHeld(tx, link)
    if (used)
      throw invalid(
        'IP addresses from this pool are in use in the linked silo',
        `Silo ${silo.name} holds ${used}, perhaps more. Detach and delete what holds them first.`,
      )
    const group = await firstGroupHeld(tx, link)
    if (group)
      throw invalid(
        'instances of the silo are members of multicast groups of this pool',
        `One is ${group}. They must leave the groups first.`,
      )
    await tx.plain
      .deleteFrom('ip_pool_silo')
      .where('ip_pool_id', '=', id)
      .where('silo_id', '=', silo.id)
      .execute()
    await detachPool(tx, id, silo.id)
    note(tx, pool, silo.id, link, undefined)
  })
}

/** Locks silo and pool, so that their links change one at a time; returns them with the silo's links. */
async function holdBoth(tx: Change, poolId: string, siloId: string): Promise<[Pool, Link[]]> {
  await tx.lockById('silo', siloId)
  const pool = await tx.lockById('ip_pool', poolId)
  const links = tx.read.selectFrom('ip_pool_silo').selectAll().where('silo_id', '=', siloId)
  return [pool, await links.execute()]
}

async function announceLink(tx: Change, pool: Pool, link: IpPoolSiloLink): Promise<void> {
  if (link.is_default && pool.pool_type === 'unicast') await attachToDefaultGateways(tx, pool, link.silo_id)
  note(tx, pool, link.silo_id, undefined, link)
}

/** Published to operators and to the silo's users, whose pools change. */
function note(tx: Change, pool: Pool, silo_id: string, before: unknown, after: unknown): void {
  for (const scope of [fleetScope, { silo_id, project_id: null }])
    tx.note('ip-pool', pool.id, before, after, scope)
}

async function firstGroupHeld(tx: Change, { ip_pool_id, silo_id }: Link): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    SELECT g.name FROM multicast_group g JOIN multicast_group_member m ON m.multicast_group_id = g.id
    JOIN instance i ON i.id = m.instance_id JOIN project p ON p.id = i.project_id
    WHERE g.ip_pool_id = ${ip_pool_id} AND p.silo_id = ${silo_id} ORDER BY g.ip_key LIMIT 1`.execute(tx.plain)
  return rows[0]?.name
}

/** An address of the pool that the silo holds. */
async function firstHeld(tx: Change, { ip_pool_id, silo_id }: Link): Promise<string | undefined> {
  const { rows } = await sql<{ ip: string }>`
    SELECT e.ip FROM external_ip e LEFT JOIN instance i ON i.id = e.instance_id
    LEFT JOIN probe b ON b.id = e.probe_id
    JOIN project p ON p.id = coalesce(e.project_id, i.project_id, b.project_id)
    WHERE e.ip_pool_id = ${ip_pool_id} AND e.time_deleted IS NULL AND p.silo_id = ${silo_id}
    ORDER BY e.ip_key LIMIT 1`.execute(tx.plain)
  return rows[0]?.ip
}
