import type { Action } from '@gantry/api/extensions.rules'
import { canonicalUuid, isUuid } from '@gantry/api/name.rules'
import { needed } from '../../authz/policy.ts'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../kernel/cx.ts'
import { addressOf } from '../../kernel/need.ts'
import { forbidden } from '../../kernel/refusal.ts'

/** Any silo that the caller may know of: their own, and with a role on the fleet the others too. */
export async function needSilo(cx: Cx, selector: string, action: Action): Promise<Row<'silo'>> {
  cx.user()
  const silos = cx.db.selectFrom('silo').selectAll().where('time_deleted', 'is', null)
  const silo = await (
    isUuid(selector) ? silos.where('id', '=', canonicalUuid(selector)) : silos.where('name', '=', selector)
  ).executeTakeFirst()
  const place = { class: 'silo', silo_id: silo?.id } as const
  if (!silo || !cx.can('read', place)) throw addressOf('silo', selector)
  if (!cx.can(action, place)) throw forbidden(needed(action, 'silo'))
  return silo
}
