import type {
  AddressLot,
  AddressLotBlock,
  AddressLotBlockCreate,
  AddressLotCreate,
  AddressLotWithBlocks,
} from '@gantry/api/rack-network/address-lot'
import { blockProblem, maxLotBlocks } from '@gantry/api/rack-network/address-lot.rules'
import { addressKey, rangeBounds } from '@gantry/api/network/ip-pool.rules'
import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import { retryWhenExists } from '../../change/retry.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { need, needFleet, type Selectors } from '../../lookup/need.ts'
import { type ListQuery, listAll, listPage } from '../../list/page.ts'
import { insufficient, invalid, refuseIf } from '../../context/refusal.ts'
import { resourceView } from '../../lookup/views.ts'

type Lot = Row<'address_lot'>
type Block = Row<'address_lot_block'>

const lotView = (row: Lot): AddressLot => resourceView(row, { kind: row.kind })
const blockView = ({ id, first_ip, last_ip }: Block): AddressLotBlock => ({
  id,
  first_address: first_ip,
  last_address: last_ip,
})

export const listLots = (cx: Cx, query: ListQuery) => {
  needFleet(cx, 'list_children')
  return listAll(cx, 'address_lot', query, lotView)
}

export async function viewLot(cx: Cx, at: Selectors): Promise<AddressLotWithBlocks> {
  const { row } = await need(cx, 'address_lot', at, 'read')
  const blocks = await blocksOf(cx.db, row.id).orderBy('first_key').orderBy('id').execute()
  return { lot: lotView(row), blocks: blocks.map(blockView) }
}

export async function listBlocks(cx: Cx, at: Selectors, query: ListQuery) {
  const { row } = await need(cx, 'address_lot', at, 'list_children')
  return listPage(cx, 'address_lot_block', query, () => ({ where: { address_lot_id: row.id } }), blockView)
}

const blocksOf = (db: Cx['db'], lotId: string) =>
  db.selectFrom('address_lot_block').selectAll().where('address_lot_id', '=', lotId)

/**
 * Idempotent by name: an existing lot keeps its description and kind, and gains the blocks that it lacks
 * (control plane reference, A 17.3).
 */
export async function createLot(cx: Cx, body: AddressLotCreate): Promise<AddressLotWithBlocks> {
  needFleet(cx, 'create_child')
  for (const { first_address, last_address } of body.blocks) {
    const problem = blockProblem(first_address, last_address)
    if (problem) throw invalid(problem, `Correct the block ${first_address}-${last_address}.`)
  }
  return change(cx, fleetScope, async (tx) => {
    const lot = (await lotNamed(tx, body.name)) ?? (await insertLot(tx, body))
    const known = await blocksOf(tx.read, lot.id).execute()
    const added: Block[] = []
    const blocks = body.blocks.map((block) => {
      const same = [...known, ...added].find(
        ({ first_ip, last_ip }) => first_ip === block.first_address && last_ip === block.last_address,
      )
      if (same) return same
      const row = blockRow(cx.newId(), lot.id, block)
      added.push(row)
      return row
    })
    refuseIf(
      known.length + added.length > maxLotBlocks &&
        insufficient(`an address lot has at most ${maxLotBlocks} blocks`, { help: 'Create another lot.' }),
    )
    if (added.length > 0) await tx.plain.insertInto('address_lot_block').values(added).execute()
    for (const { id, first_ip, last_ip } of added)
      tx.note('address-lot-block', id, undefined, { address_lot: lot.name, first_ip, last_ip })
    return { lot: lotView(lot), blocks: blocks.map(blockView) }
  })
}

const insertLot = (tx: Change, { name, description, kind }: AddressLotCreate): Promise<Lot> =>
  retryWhenExists(tx.insert('address_lot', { name, description, kind }))

async function lotNamed(tx: Change, name: string): Promise<Lot | undefined> {
  const found = await tx.read
    .selectFrom('address_lot')
    .select('id')
    .where('name', '=', name)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  return found && tx.lockById('address_lot', found.id)
}

function blockRow(id: string, address_lot_id: string, block: AddressLotBlockCreate): Block {
  const { first_address: first_ip, last_address: last_ip } = block
  const bounds = rangeBounds(first_ip, last_ip)
  if (!bounds) throw new Error(`${first_ip}-${last_ip} is no block`)
  const keys = { first_key: addressKey(bounds.first), last_key: addressKey(bounds.last) }
  return { id, address_lot_id, first_ip, last_ip, ...keys }
}

/** Its blocks are deleted with it. */
export async function deleteLot(cx: Cx, at: Selectors): Promise<void> {
  const { row } = await need(cx, 'address_lot', at, 'modify')
  await change(cx, fleetScope, async (tx) => {
    const lot = await tx.lock('address_lot', row)
    const user = await userOf(tx, lot.id)
    if (user) throw invalid('lot is in use', `${user} first.`)
    await tx.plain.deleteFrom('address_lot_block').where('address_lot_id', '=', lot.id).execute()
    await tx.remove('address_lot', lot)
  })
}

/** What to do about the first thing that uses an address or a block of the lot. */
async function userOf(tx: Change, lotId: string): Promise<string | undefined> {
  const reserved = await tx.read
    .selectFrom('address_reservation')
    .leftJoin('switch_port_settings', 'switch_port_settings.id', 'address_reservation.holder_id')
    .leftJoin('loopback_address', 'loopback_address.id', 'address_reservation.holder_id')
    .select(['switch_port_settings.name', 'loopback_address.address'])
    .where('address_lot_id', '=', lotId)
    .orderBy('address_key')
    .limit(1)
    .executeTakeFirst()
  if (reserved?.name) return `Delete the switch port settings ${reserved.name}`
  if (reserved) return `Delete the loopback address ${reserved.address ?? ''}`
  const { rows } = await sql<{ name: string }>`SELECT s.name FROM bgp_announce_set s, address_lot_block b
    WHERE b.address_lot_id = ${lotId} AND s.time_deleted IS NULL
    AND s.announcements @> jsonb_build_array(jsonb_build_object('address_lot_block_id', b.id))
    LIMIT 1`.execute(tx.read)
  return rows[0] && `Remove its networks from the BGP announce set ${rows[0].name}`
}
