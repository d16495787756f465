import type { UsagePrices } from '@gantry/api/usage/usage'
import { type Meter, meters } from '@gantry/api/usage/usage.rules'
import { change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import { fleetId } from '../../authz/actor.ts'
import { needFleet } from '../../lookup/need.ts'

const free: UsagePrices = {
  currency: '',
  prices: Object.fromEntries(meters.map((meter) => [meter, 0])) as Record<Meter, number>,
}

export async function readPrices(db: Pick<Reader, 'selectFrom'>): Promise<UsagePrices> {
  const row = await db.selectFrom('usage_price').select(['currency', 'prices']).executeTakeFirst()
  return row ? { currency: row.currency, prices: { ...free.prices, ...row.prices } } : free
}

export async function viewPrices(cx: Cx): Promise<UsagePrices> {
  needFleet(cx, 'read')
  return readPrices(cx.db)
}

/** Prices are those of now, for every month. */
export async function updatePrices(cx: Cx, { currency, prices }: UsagePrices): Promise<UsagePrices> {
  needFleet(cx, 'modify')
  return change(cx, fleetScope, async (tx) => {
    const before = await readPrices(tx.read)
    const values = { currency, prices: JSON.stringify(prices) }
    await tx.plain
      .insertInto('usage_price')
      .values({ id: 1, ...values })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
      .execute()
    const after = { currency, prices }
    if (JSON.stringify(before) !== JSON.stringify(after)) tx.note('usage-prices', fleetId, before, after)
    return after
  })
}
