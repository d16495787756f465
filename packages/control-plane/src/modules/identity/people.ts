import { canonicalUuid } from '@gantry/api/name.rules'
import type { Row } from '../../db/tables.ts'
import { kindOf } from '../../kernel/kinds.ts'
import type { Reader } from '../../kernel/cx.ts'
import { notFound } from '../../kernel/refusal.ts'

export const personView = ({ id, external_id, silo_id }: Row<'silo_user'>) => ({
  id,
  display_name: external_id,
  silo_id,
})

/** A user or a group of the silo; those of other silos are missing ones. */
export async function needPerson(
  db: Reader,
  table: 'silo_user' | 'silo_group',
  id: string,
  siloId: string,
): Promise<Row<'silo_user'>> {
  const row = await db
    .selectFrom(table)
    .selectAll()
    .where('id', '=', canonicalUuid(id))
    .where('silo_id', '=', siloId)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (!row) throw notFound(kindOf[table], { id: canonicalUuid(id) })
  return row
}
