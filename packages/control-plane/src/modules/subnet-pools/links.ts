import type { SubnetPoolLinkSilo, SubnetPoolSiloLink } from '@gantry/api/network/subnet-pool'
import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { type ListQuery, listPage } from '../../list/page.ts'
import { alreadyExists, invalid, notFound } from '../../context/refusal.ts'

type Pool = Row<'subnet_pool'>
type Link = Row<'subnet_pool_silo'>

export async function listLinks(
  cx: Cx,
  at: Selectors,
  query: ListQuery,
): Promise<{ items: SubnetPoolSiloLink[]; next_page: string | null }> {
  const { row: pool } = await need(cx, 'subnet_pool', at, 'list_children')
  const linked = sql`EXISTS (SELECT 1 FROM subnet_pool_silo s WHERE s.silo_id = t.id AND s.subnet_pool_id = ${pool.id})`
  const { items, next_page } = await listPage(
    cx,
    'silo',
    query,
    () => ({ where: {}, and: linked }),
    ({ id }) => id,
  )
  const defaults = await cx.db
    .selectFrom('subnet_pool_silo')
    .select('silo_id')
    .where('subnet_pool_id', '=', pool.id)
    .where('is_default', '=', true)
    .execute()
  const isDefault = new Set(defaults.map(({ silo_id }) => silo_id))
  return {
    items: items.map((silo_id) => ({ subnet_pool_id: pool.id, silo_id, is_default: isDefault.has(silo_id) })),
    next_page,
  }
}

export async function linkSilo(cx: Cx, at: Selectors, body: SubnetPoolLinkSilo): Promise<SubnetPoolSiloLink> {
  const { row } = await need(cx, 'subnet_pool', at, 'modify')
  const { row: silo } = await need(cx, 'silo', { silo: body.silo }, 'read')
  return change(cx, fleetScope, async (tx) => {
    const [pool, held] = await holdBoth(tx, row.id, silo.id)
    if (linkOf(held, pool))
      throw alreadyExists(
        'subnet-pool-resource',
        `subnet_pool_id: ${pool.id}, resource_id: ${silo.id}, resource_type: Silo`,
        `The pool ${pool.name} is already linked to the silo ${silo.name}.`,
      )
    const other = body.is_default ? defaultOf(held, pool) : undefined
    if (other)
      throw invalid(
        `The silo already has a default subnet pool of IP${pool.ip_version}`,
        `The default pool of the silo ${silo.name} is ${await nameOf(tx, other)}. Link this one without making it the default, then make it the default.`,
      )
    const link = {
      subnet_pool_id: pool.id,
      silo_id: silo.id,
      ip_version: pool.ip_version,
      is_default: body.is_default,
    }
    await tx.plain.insertInto('subnet_pool_silo').values(link).execute()
    note(tx, undefined, link)
    return linkView(link)
  })
}

/** Making a pool the default demotes the previous one of its version in the same change. */
export async function updateLink(
  cx: Cx,
  at: Selectors,
  { is_default }: { is_default: boolean },
): Promise<SubnetPoolSiloLink> {
  const { row } = await need(cx, 'subnet_pool', at, 'modify')
  const { row: silo } = await need(cx, 'silo', at, 'read')
  return change(cx, fleetScope, async (tx) => {
    const [pool, held] = await holdBoth(tx, row.id, silo.id)
    const link = needLink(held, pool, silo)
    const demoted = is_default ? defaultOf(held, pool) : undefined
    if (demoted && demoted.subnet_pool_id !== pool.id) await setDefault(tx, demoted, false)
    await setDefault(tx, link, is_default)
    return linkView({ ...link, is_default })
  })
}

async function setDefault(tx: Change, link: Link, is_default: boolean): Promise<void> {
  await tx.plain
    .updateTable('subnet_pool_silo')
    .set({ is_default })
    .where('silo_id', '=', link.silo_id)
    .where('subnet_pool_id', '=', link.subnet_pool_id)
    .execute()
  note(tx, link, { ...link, is_default })
}

export async function unlinkSilo(cx: Cx, at: Selectors): Promise<void> {
  const { row } = await need(cx, 'subnet_pool', at, 'modify')
  const { row: silo } = await need(cx, 'silo', at, 'read')
  await change(cx, fleetScope, async (tx) => {
    const [pool, held] = await holdBoth(tx, row.id, silo.id)
    const link = needLink(held, pool, silo)
    const used = await firstHeld(tx, link)
    if (used)
      throw invalid(
        'External subnets from this pool are in use in the linked silo',
        `Silo ${silo.name} holds ${used}, perhaps more. Delete its external subnets first.`,
      )
    await tx.plain
      .deleteFrom('subnet_pool_silo')
      .where('subnet_pool_id', '=', pool.id)
      .where('silo_id', '=', silo.id)
      .execute()
    note(tx, link, undefined)
  })
}

/** Called when a silo is deleted. */
export async function removeLinksOfSilo(tx: Change, siloId: string): Promise<void> {
  const links = await tx.plain
    .deleteFrom('subnet_pool_silo')
    .where('silo_id', '=', siloId)
    .returningAll()
    .execute()
  for (const link of links) tx.note('subnet-pool', link.subnet_pool_id, link, undefined, fleetScope)
}

/** Locks silo and pool, so that their links change one at a time; returns them with the silo's links. */
async function holdBoth(tx: Change, poolId: string, siloId: string): Promise<[Pool, Link[]]> {
  await tx.lockById('silo', siloId)
  const pool = await tx.lockById('subnet_pool', poolId)
  const links = tx.read.selectFrom('subnet_pool_silo').selectAll().where('silo_id', '=', siloId)
  return [pool, await links.execute()]
}

const linkOf = (held: readonly Link[], { id }: Pool): Link | undefined =>
  held.find(({ subnet_pool_id }) => subnet_pool_id === id)

function needLink(held: readonly Link[], pool: Pool, silo: Row<'silo'>): Link {
  const link = linkOf(held, pool)
  if (!link) throw notFound('subnet-pool-resource', { id: `(${pool.id}, ${silo.id})` })
  return link
}

const defaultOf = (held: readonly Link[], { ip_version }: Pool): Link | undefined =>
  held.find((link) => link.is_default && link.ip_version === ip_version)

async function nameOf(tx: Change, { subnet_pool_id }: Link): Promise<string> {
  const pool = tx.read.selectFrom('subnet_pool').select('name').where('id', '=', subnet_pool_id)
  return (await pool.executeTakeFirstOrThrow()).name
}

const linkView = ({ subnet_pool_id, silo_id, is_default }: Link): SubnetPoolSiloLink => ({
  subnet_pool_id,
  silo_id,
  is_default,
})

/** Published to operators and to the silo's users, whose pools change. */
function note(tx: Change, before: Link | undefined, after: Link | undefined): void {
  const link = before ?? after
  if (!link) return
  for (const scope of [fleetScope, { silo_id: link.silo_id, project_id: null }])
    tx.note('subnet-pool', link.subnet_pool_id, before, after, scope)
}

/** An external subnet from the pool that the silo holds. */
async function firstHeld(tx: Change, { subnet_pool_id, silo_id }: Link): Promise<string | undefined> {
  const used = await tx.read
    .selectFrom('external_subnet')
    .innerJoin('project', 'project.id', 'external_subnet.project_id')
    .select('subnet')
    .where('external_subnet.subnet_pool_id', '=', subnet_pool_id)
    .where('external_subnet.time_deleted', 'is', null)
    .where('project.silo_id', '=', silo_id)
    .orderBy('first_int')
    .limit(1)
    .executeTakeFirst()
  return used?.subnet
}
