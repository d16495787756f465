import type {
  BgpAnnouncement,
  BgpAnnounceSet,
  BgpAnnounceSetCreate,
  BgpConfig,
  BgpConfigCreate,
  BgpConfigUpdate,
} from '@gantry/api/rack-network/bgp'
import { canonicalUuid, isUuid } from '@gantry/api/base/name.rules'
import { maxPageSize } from '@gantry/api/schema'
import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import { retryWhenExists, retryWhenTaken } from '../../change/retry.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { addressOf, aim, need, needFleet, type Selectors } from '../../lookup/need.ts'
import { type ListQuery, listAll } from '../../list/page.ts'
import { conflict } from '../../context/refusal.ts'
import { resourceView, withGeneration } from '../../lookup/views.ts'

type Config = Row<'bgp_config'>
type AnnounceSet = Row<'bgp_announce_set'>

const configView = (row: Config): BgpConfig =>
  resourceView(row, {
    asn: row.asn,
    max_paths: row.max_paths,
    vrf: row.vrf,
    bgp_announce_set_id: row.bgp_announce_set_id,
  })
const setView = (row: AnnounceSet): BgpAnnounceSet => resourceView(row, {})

export const listConfigs = (cx: Cx, query: ListQuery) => {
  needFleet(cx, 'list_children')
  return listAll(cx, 'bgp_config', query, configView)
}

/** Idempotent for the same name, ASN and announce set (control plane reference, A 17.7). */
export async function createConfig(cx: Cx, body: BgpConfigCreate): Promise<BgpConfig> {
  needFleet(cx, 'modify')
  const { name, description, asn, max_paths, vrf, bgp_announce_set_id } = body
  const { row: set } = await need(cx, 'bgp_announce_set', { announce_set: bgp_announce_set_id }, 'read')
  return change(cx, fleetScope, async (tx) => {
    await tx.hold('bgp_announce_set', set.id)
    const others = await tx.read
      .selectFrom('bgp_config')
      .selectAll()
      .where('time_deleted', 'is', null)
      .where((eb) => eb.or([eb('name', '=', name), eb('asn', '=', asn)]))
      .execute()
    const same = others.find(
      (other) => other.name === name && other.asn === asn && other.bgp_announce_set_id === set.id,
    )
    if (same) return configView(same)
    const sameAsn = others.find((other) => other.asn === asn)
    if (sameAsn)
      throw conflict(
        'cannot have more than one configuration per ASN',
        `The configuration ${sameAsn.name} has the ASN ${asn}.`,
      )
    if (others.length > 0)
      throw conflict('a unique field conflicts with an existing record', 'Choose another name.')
    return configView(
      await retryWhenTaken(
        'bgp_config_asn_key',
        retryWhenExists(
          tx.insert('bgp_config', {
            name,
            description,
            asn,
            max_paths,
            vrf: vrf ?? null,
            bgp_announce_set_id: set.id,
          }),
        ),
      ),
    )
  })
}

/** What the body omits stays. The routers take the rest from the row. */
export async function updateConfig(cx: Cx, given: string, body: BgpConfigUpdate): Promise<BgpConfig> {
  needFleet(cx, 'modify')
  const { row } = await need(cx, 'bgp_config', { bgp_config: given }, 'modify')
  const announce_set = body.bgp_announce_set_id
  const set = announce_set ? (await need(cx, 'bgp_announce_set', { announce_set }, 'read')).row : undefined
  return change(cx, fleetScope, async (tx) => {
    if (set) await tx.hold('bgp_announce_set', set.id)
    const config = await tx.lock('bgp_config', row)
    const name = body.name ?? config.name
    const other = await tx.read
      .selectFrom('bgp_config')
      .select('id')
      .where('name', '=', name)
      .where('id', '<>', config.id)
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    if (other) throw conflict('a unique field conflicts with an existing record', 'Choose another name.')
    return configView(
      await retryWhenExists(
        tx.update('bgp_config', config, {
          name,
          description: body.description ?? config.description,
          max_paths: body.max_paths ?? config.max_paths,
          bgp_announce_set_id: set?.id ?? config.bgp_announce_set_id,
        }),
      ),
    )
  })
}

export async function deleteConfig(cx: Cx, given: string): Promise<void> {
  needFleet(cx, 'modify')
  const { row } = await need(cx, 'bgp_config', { bgp_config: given }, 'modify')
  await change(cx, fleetScope, async (tx) => {
    const config = await tx.lock('bgp_config', row)
    const user = await usingConfig(tx, config.id)
    if (user)
      throw conflict(
        'BGP Config is in use and cannot be deleted',
        `The switch port settings ${user} use it. Remove its peers from them first.`,
      )
    await tx.remove('bgp_config', config)
  })
}

/** The name of settings with a peer of the configuration, now or once a trial reverts. */
async function usingConfig(tx: Change, configId: string): Promise<string | undefined> {
  const peer = sql`jsonb_build_array(jsonb_build_object('bgp_config', ${configId}::text))`
  const user = await tx.read
    .selectFrom('switch_port_settings as s')
    .leftJoin('network_trial as t', (join) =>
      join.onRef('t.subject_id', '=', 's.id').on('t.state', '=', 'running'),
    )
    .select('s.name')
    .where('s.time_deleted', 'is', null)
    .where(sql<boolean>`(s.contents->'bgp_peers' @> ${peer} OR t.before->'contents'->'bgp_peers' @> ${peer})`)
    .limit(1)
    .executeTakeFirst()
  return user?.name
}

/** A bare array without a token, as in the reference: a caller who wants more raises the limit. */
export async function listSets(cx: Cx, { limit, sort_by }: ListQuery): Promise<BgpAnnounceSet[]> {
  needFleet(cx, 'list_children')
  const [, column = 'name', direction = 'a'] = /^(name|id)_(a|de)scending$/.exec(sort_by ?? '') ?? []
  const rows = await cx.db
    .selectFrom('bgp_announce_set')
    .selectAll()
    .where('time_deleted', 'is', null)
    .orderBy(column as 'name' | 'id', direction === 'a' ? 'asc' : 'desc')
    .limit(Math.min(limit ?? maxPageSize, maxPageSize))
    .execute()
  return rows.map(setView)
}

/** Creates the set if there is none of that name; its announcements become exactly the given ones. */
export async function updateSet(cx: Cx, body: BgpAnnounceSetCreate): Promise<BgpAnnounceSet> {
  needFleet(cx, 'modify')
  const { name, description } = body
  for (const { address_lot_block: id } of body.announcement) await needBlock(cx, id)
  return change(cx, fleetScope, async (tx) => {
    const announcements = await heldBlocks(tx, body)
    const found = await tx.read
      .selectFrom('bgp_announce_set')
      .select(['id', 'generation'])
      .where('name', '=', name)
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    // A caller who names a generation has seen a set, so a set that was deleted since is not created again.
    aim(cx, found ?? { id: name, generation: 0 })
    if (!found)
      return setView(
        await retryWhenExists(tx.insert('bgp_announce_set', { name, description, announcements })),
      )
    const set = await tx.lockById('bgp_announce_set', found.id)
    return setView(await tx.update('bgp_announce_set', set, { announcements }))
  })
}

/** Blocks have no names, so only ids are ever found. */
async function needBlock(cx: Cx, given: string): Promise<void> {
  const block =
    isUuid(given) &&
    (await cx.db
      .selectFrom('address_lot_block')
      .select('address_lot_id')
      .where('id', '=', canonicalUuid(given))
      .executeTakeFirst())
  if (!block) throw addressOf('address-lot-block', given)
}

/** The announcements as stored. Keeps the lots of their blocks from being deleted meanwhile. */
async function heldBlocks(tx: Change, { announcement }: BgpAnnounceSetCreate): Promise<string> {
  const stored = announcement.map(({ address_lot_block, network }) => ({
    // Blocks are looked for by this form when their lot is deleted.
    address_lot_block_id: canonicalUuid(address_lot_block),
    network,
  }))
  const ids = [...new Set(stored.map(({ address_lot_block_id: id }) => id))]
  const blocks =
    ids.length === 0
      ? []
      : await tx.read
          .selectFrom('address_lot_block')
          .select(['id', 'address_lot_id'])
          .where('id', 'in', ids)
          .orderBy('address_lot_id')
          .execute()
  const known = new Set(blocks.map(({ id }) => id))
  const gone = ids.find((id) => !known.has(id))
  if (gone !== undefined) throw addressOf('address-lot-block', gone)
  for (const id of new Set(blocks.map(({ address_lot_id }) => address_lot_id)))
    await tx.hold('address_lot', id)
  return JSON.stringify(stored)
}

export async function deleteSet(cx: Cx, at: Selectors): Promise<void> {
  needFleet(cx, 'modify')
  const { row } = await need(cx, 'bgp_announce_set', at, 'modify')
  await change(cx, fleetScope, async (tx) => {
    const set = await tx.lock('bgp_announce_set', row)
    const user = await tx.read
      .selectFrom('bgp_config')
      .select('name')
      .where('bgp_announce_set_id', '=', set.id)
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    if (user) throw conflict('announce set in use', `Delete the BGP configuration ${user.name} first.`)
    await tx.remove('bgp_announce_set', set)
  })
}

export async function listAnnouncements(cx: Cx, at: Selectors): Promise<BgpAnnouncement[]> {
  needFleet(cx, 'read')
  const { row } = await need(cx, 'bgp_announce_set', at, 'list_children')
  return withGeneration(
    row.announcements.map(({ address_lot_block_id, network }) => ({
      announce_set_id: row.id,
      address_lot_block_id,
      network,
    })),
    row.generation,
  )
}
