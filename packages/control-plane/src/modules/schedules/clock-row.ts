import { nextTimes } from '@gantry/api/schedules/schedule.rules'
import type { Change } from '../../change/change.ts'
import type { Row } from '../../db/tables.ts'

type Timed = Pick<Row<'schedule'>, 'id' | 'timing' | 'timezone' | 'is_enabled'>

/** Makes a schedule due at its next time from now; a disabled one, and one that is never due again, is not. */
export async function setClock(tx: Change, { id, timing, timezone, is_enabled }: Timed): Promise<void> {
  const [next] = is_enabled ? nextTimes(timing, timezone, tx.cx.now().getTime(), 1) : []
  if (next === undefined) await tx.plain.deleteFrom('schedule_clock').where('schedule_id', '=', id).execute()
  else
    await tx.plain
      .insertInto('schedule_clock')
      .values({ schedule_id: id, next_run: new Date(next) })
      .onConflict((conflict) => conflict.column('schedule_id').doUpdateSet({ next_run: new Date(next) }))
      .execute()
}
