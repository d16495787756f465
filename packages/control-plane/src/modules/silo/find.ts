import type { Action } from '@gantry/api/extensions.rules'
import { canonicalUuid, isUuid } from '@gantry/api/name.rules'
import { siloPlace } from '../../authz/fleet-stake.ts'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../kernel/cx.ts'
import { addressOf } from '../../kernel/need.ts'

/** Any silo that the caller may know of: their own, and with a role on the fleet the others too. */
export async function needSilo(cx: Cx, selector: string, action: Action): Promise<Row<'silo'>> {
  cx.user()
  const silos = cx.db.selectFrom('silo').selectAll().where('time_deleted', 'is', null)
  const silo = await (
    isUuid(selector) ? silos.where('id', '=', canonicalUuid(selector)) : silos.where('name', '=', selector)
  ).executeTakeFirst()
  if (!silo || !cx.can('read', siloPlace(silo))) throw addressOf('silo', selector)
  cx.demand(action, siloPlace(silo))
  return silo
}
