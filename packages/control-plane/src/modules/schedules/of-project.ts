import type { Change } from '../../change/change.ts'
import { liveRows } from '../../change/children.ts'
import { setClock } from './clock-row.ts'

/** Deletes the schedules of a deleted project. */
export async function removeSchedulesOf(tx: Change, project_id: string): Promise<void> {
  const rows = await liveRows(tx, 'schedule', 'project_id', project_id)
  if (rows.length === 0) return
  await tx.removeAll('schedule', rows)
  const ids = rows.map(({ id }) => id)
  await tx.plain.deleteFrom('schedule_clock').where('schedule_id', 'in', ids).execute()
}

/** Brings back the schedules of a restored project, due from now on. */
export async function restoreSchedulesOf(
  tx: Change,
  project_id: string,
  ids: readonly string[],
): Promise<void> {
  await tx.restoreAll('schedule', ids)
  for (const row of await liveRows(tx, 'schedule', 'project_id', project_id)) await setClock(tx, row)
}
