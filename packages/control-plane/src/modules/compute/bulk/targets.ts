import { type BulkAction, bulkActionLimits } from '@gantry/api/compute/instance-action.rules'
import { instanceAllows } from '@gantry/api/compute/instance.rules'
import { sql } from 'kysely'
import type { Cx } from '@gantry/control-plane/context/cx'
import { conflict, invalid } from '@gantry/control-plane/context/refusal'
import type { Reader } from '@gantry/control-plane/db/database'
import { compileFilter } from '@gantry/control-plane/list/filter/compile'
import { placeOf } from '@gantry/control-plane/list/filter/place'
import { boundedSearch, inPlace } from '@gantry/control-plane/list/filter/search-bounds'

interface Target {
  instance_id: string
  name: string
  state: 'pending'
  error: null
}

/**
 * Finds the instances of a project that match a filter and allow an action. The search is bounded and in its caller's turn,
 * as that of a list, and so before the change: the change reads again only what was found.
 */
export async function actionTargets(
  cx: Cx,
  projectId: string,
  action: BulkAction,
  filter: string,
): Promise<(db: Reader, atMost: number) => Promise<Target[]>> {
  const place = await placeOf(cx, { project: projectId })
  const { condition } = compileFilter(cx, 'instance', filter, place)
  const against = action === 'delete' ? 'no_delete' : action === 'stop' ? 'no_stop' : undefined
  const isFree = against ? sql`coalesce(t.protection ->> ${against}, 'false') <> 'true'` : sql`true`
  const matches = sql`${inPlace('instance', place)} AND ${condition ?? sql`true`}
    AND t.run_state IN (${sql.join(instanceAllows[action])}) AND ${isFree}`
  const { rows: found } = await boundedSearch(cx, 'instance', place, () =>
    sql<{ id: string }>`SELECT t.id FROM instance t WHERE ${matches}
      ORDER BY t.name LIMIT ${bulkActionLimits.instances + 1}`.execute(cx.db),
  )
  if (found.length > bulkActionLimits.instances)
    throw invalid(
      `more than ${bulkActionLimits.instances} instances match`,
      'Narrow the filter, and repeat the action for the rest.',
    )
  return async (db, atMost) => {
    const { rows } = await sql<{ id: string; name: string }>`
      SELECT t.id, t.name FROM instance t WHERE t.id = ANY (${found.map(({ id }) => id)}::uuid[]) AND ${matches}
      ORDER BY t.name`.execute(db)
    if (rows.length > atMost)
      throw conflict(`${rows.length} instances match by now`, 'Review the list, then try again.')
    if (rows.length === 0)
      throw conflict(`no instance that matches can ${action} now`, 'Review the list, then try again.')
    return rows.map(({ id, name }) => ({ instance_id: id, name, state: 'pending', error: null }))
  }
}
