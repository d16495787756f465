import { type BulkAction, bulkActionLimits } from '@gantry/api/compute/instance-action.rules'
import { instanceAllows } from '@gantry/api/compute/instance.rules'
import { sql } from 'kysely'
import type { Cx } from '@gantry/control-plane/context/cx'
import { conflict, invalid } from '@gantry/control-plane/context/refusal'
import type { Reader } from '@gantry/control-plane/db/database'
import { compileFilter } from '@gantry/control-plane/list/filter/compile'
import { placeOf } from '@gantry/control-plane/list/filter/place'
import { inPlace } from '@gantry/control-plane/list/filter/search-bounds'

interface Target {
  instance_id: string
  name: string
  state: 'pending'
  error: null
}

/**
 * Reads the instances of a project that match a filter and allow an action. What the filter means is settled before the
 * change that reads them.
 */
export async function actionTargets(
  cx: Cx,
  projectId: string,
  action: BulkAction,
  filter: string,
): Promise<(db: Reader, atMost: number) => Promise<Target[]>> {
  const place = await placeOf(cx, projectId)
  const { condition } = compileFilter(cx, 'instance', filter, place)
  const against = action === 'delete' ? 'no_delete' : action === 'stop' ? 'no_stop' : undefined
  const isFree = against ? sql`coalesce(t.protection ->> ${against}, 'false') <> 'true'` : sql`true`
  return async (db, atMost) => {
    const { rows } = await sql<{ id: string; name: string }>`
      SELECT t.id, t.name FROM instance t WHERE ${inPlace('instance', place)} AND ${condition ?? sql`true`}
        AND t.run_state IN (${sql.join(instanceAllows[action])}) AND ${isFree}
      ORDER BY t.name LIMIT ${bulkActionLimits.instances + 1}`.execute(db)
    if (rows.length > bulkActionLimits.instances)
      throw invalid(
        `more than ${bulkActionLimits.instances} instances match`,
        'Narrow the filter, and repeat the action for the rest.',
      )
    if (rows.length > atMost)
      throw conflict(`${rows.length} instances match by now`, 'Review the list, then try again.')
    if (rows.length === 0)
      throw conflict(`no instance that matches can ${action} now`, 'Review the list, then try again.')
    return rows.map(({ id, name }) => ({ instance_id: id, name, state: 'pending', error: null }))
  }
}
