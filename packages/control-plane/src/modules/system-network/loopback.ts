import type { LoopbackAddress, LoopbackAddressCreate } from '@gantry/api/rack-network/address-lot'
import { isSwitchLocation, type SwitchLocation } from '@gantry/api/rack-network/address-lot.rules'
import { formatIpNet, parseIpNet } from '@gantry/api/base/ip.rules'
import type { Row } from '../../db/tables.ts'
import { needCapability } from '../../fleet/capabilities.ts'
import { retryWhenTaken } from '../../change/retry.ts'
import { change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { aim, need, needFleet } from '../../lookup/need.ts'
import { type ListQuery, listAll } from '../../list/page.ts'
import { invalid, notFound, unreadable } from '../../context/refusal.ts'
import { withGeneration } from '../../lookup/views.ts'
import { release, reserve } from './reservations.ts'

const loopbackView = (row: Row<'loopback_address'>): LoopbackAddress =>
  withGeneration(
    {
      id: row.id,
      address_lot_block_id: row.address_lot_block_id,
      rack_id: row.rack_id,
      switch_slot: row.switch_location,
      address: row.address,
    },
    row.generation,
  )

export const listLoopbacks = (cx: Cx, query: ListQuery) => {
  needFleet(cx, 'list_children')
  return listAll(cx, 'loopback_address', query, loopbackView)
}

/** A switch has two slots; anything else is a mistake. */
export function needLocation(given: string): SwitchLocation {
  if (isSwitchLocation(given)) return given
  throw invalid('Switch location must be switch0 or switch1', 'Name one of the two switches of the rack.')
}

export async function createLoopback(cx: Cx, body: LoopbackAddressCreate): Promise<LoopbackAddress> {
  needFleet(cx, 'modify')
  needCapability(cx.services.fleet, 'switches')
  const switch_location = needLocation(body.switch_slot)
  const { row: rack } = await need(cx, 'rack', { rack_id: body.rack_id }, 'read')
  const { row: lot } = await need(cx, 'address_lot', { address_lot: body.address_lot }, 'read')
  const net = parseIpNet(`${body.address}/${body.mask}`)
  if (!net) throw invalid('invalid address', 'A mask is at most 32 for IPv4 and 128 for IPv6.')
  const ip = { version: net.version, value: net.address }
  return change(cx, fleetScope, async (tx) => {
    await tx.lockById('address_lot', lot.id)
    const id = cx.newId()
    const reservation = { lot, holder_id: id, address: ip, is_anycast: body.anycast }
    const address_lot_block_id = await reserve(tx, reservation)
    const address = formatIpNet(net)
    const there = await tx.read
      .selectFrom('loopback_address')
      .select('id')
      .where('rack_id', '=', rack.id)
      .where('switch_location', '=', switch_location)
      .where('address', '=', address)
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    if (there) throw invalid('address unavailable', `${switch_location} already has ${address}.`)
    // Overlapping lots have the same address, and each change locks only its own lot.
    return loopbackView(
      await retryWhenTaken(
        'loopback_address_key',
        tx.insert('loopback_address', {
          id,
          address_lot_block_id,
          rack_id: rack.id,
          switch_location,
          address,
        }),
      ),
    )
  })
}

interface LoopbackKey {
  rack_id: string
  switch_slot: string
  address: string
  subnet_mask: number
}

export async function deleteLoopback(cx: Cx, at: LoopbackKey): Promise<void> {
  needFleet(cx, 'modify')
  const net = parseIpNet(`${at.address}/${at.subnet_mask}`)
  if (!net) throw unreadable('invalid ip address')
  const row = await cx.db
    .selectFrom('loopback_address')
    .selectAll()
    .where('rack_id', '=', at.rack_id)
    .where('switch_location', '=', needLocation(at.switch_slot))
    .where('address', '=', formatIpNet(net))
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (!row) throw notFound('loopback-address', { name: formatIpNet(net) })
  aim(cx, row)
  await change(cx, fleetScope, async (tx) => {
    const loopback = await tx.lockById('loopback_address', row.id)
    await release(tx, loopback.id)
    await tx.remove('loopback_address', loopback)
  })
}
