import { addressKey } from '@gantry/api/network/ip-pool.rules'
import type { IpAddress } from '@gantry/api/base/ip.rules'
import type { Row } from '../../db/tables.ts'
import type { Change } from '../../change/change.ts'
import { invalid } from '../../context/refusal.ts'

interface Wanted {
  lot: Pick<Row<'address_lot'>, 'id' | 'name'>
  /** The loopback address or the settings that will hold it. */
  holder_id: string
  address: IpAddress
  is_anycast?: boolean
}

/**
 * Reserves an address in its lot; returns the block that contains it. The lot must be locked, so that no other
 * change reserves the same address.
 */
export async function reserve(tx: Change, { lot, holder_id, address, is_anycast = false }: Wanted) {
  const key = addressKey(address)
  const block = await tx.read
    .selectFrom('address_lot_block')
    .select('id')
    .where('address_lot_id', '=', lot.id)
    .where('first_key', '<=', key)
    .where('last_key', '>=', key)
    .orderBy('first_key')
    .executeTakeFirst()
  if (!block) throw invalid('address not in lot', `Choose an address of the address lot ${lot.name}.`)
  const others = await tx.read
    .selectFrom('address_reservation')
    .select('is_anycast')
    .where('address_lot_id', '=', lot.id)
    .where('address_key', '=', key)
    .execute()
  if (others.some((other) => !(other.is_anycast && is_anycast)))
    throw invalid('address unavailable', `Choose an unused address of the address lot ${lot.name}.`)
  await tx.plain
    .insertInto('address_reservation')
    .values({
      holder_id,
      address_key: key,
      address_lot_id: lot.id,
      address_lot_block_id: block.id,
      is_anycast,
    })
    .execute()
  return block.id
}

/** Releases everything that a holder has reserved. */
export const release = (tx: Change, holderId: string) =>
  tx.plain.deleteFrom('address_reservation').where('holder_id', '=', holderId).execute()
