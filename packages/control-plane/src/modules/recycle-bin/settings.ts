import type { RecycleBinSettings } from '@gantry/api/history/recycle-bin'
import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import type { Services } from '../../context/services.ts'
import type { Reader } from '../../db/database.ts'
import { needOwnSilo } from '../../lookup/need.ts'

/** For how many hours a silo keeps what is deleted. */
export async function hoursOf(
  db: Pick<Reader, 'selectFrom'>,
  { settings }: Pick<Services, 'settings'>,
  silo_id: string,
): Promise<number> {
  const row = await db
    .selectFrom('silo_recycle_bin')
    .select('hours')
    .where('silo_id', '=', silo_id)
    .executeTakeFirst()
  return row?.hours ?? settings.recycle_bin.hours
}

export async function viewSettings(cx: Cx): Promise<RecycleBinSettings> {
  const { silo_id } = needOwnSilo(cx, 'read')
  return { hours: await hoursOf(cx.db, cx.services, silo_id) }
}

/** What is in the bin already keeps the time that its owner was told. */
export async function updateSettings(cx: Cx, { hours }: RecycleBinSettings): Promise<RecycleBinSettings> {
  const { silo_id } = needOwnSilo(cx, 'modify')
  return change(cx, { silo_id, project_id: null }, async (tx) => {
    await tx.hold('silo', silo_id)
    const before = await hoursOf(tx.read, cx.services, silo_id)
    await tx.plain
      .insertInto('silo_recycle_bin')
      .values({ silo_id, hours })
      .onConflict((conflict) => conflict.column('silo_id').doUpdateSet({ hours }))
      .execute()
    if (before !== hours) tx.note('silo-recycle-bin', silo_id, { hours: before }, { hours })
    return { hours }
  })
}
