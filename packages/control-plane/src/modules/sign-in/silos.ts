import { canonicalUuid, isUuid } from '@gantry/api/name.rules'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../kernel/cx.ts'
import { addressOf } from '../../kernel/need.ts'
import { notFound } from '../../kernel/refusal.ts'

/** A silo by name or id that the caller may know of; 404 for every other. */
export async function needSilo(cx: Cx, selector: string): Promise<Row<'silo'>> {
  cx.user()
  const all = cx.db.selectFrom('silo').selectAll().where('time_deleted', 'is', null)
  const row = await (
    isUuid(selector) ? all.where('id', '=', canonicalUuid(selector)) : all.where('name', '=', selector)
  ).executeTakeFirst()
  if (!row || !cx.can('read', { class: 'silo', silo_id: row.id })) throw addressOf('silo', selector)
  return row
}

/** A silo that somebody without a session names. */
export async function namedSilo(cx: Cx, name: string): Promise<Row<'silo'>> {
  const row = await cx.db
    .selectFrom('silo')
    .selectAll()
    .where('name', '=', name)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (!row) throw notFound('silo', { name })
  return row
}
