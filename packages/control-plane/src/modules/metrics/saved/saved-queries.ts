import type {
  MetricQuery,
  MetricQueryCreate,
  MetricQueryUpdate,
  MetricWatch,
  MetricWatchEvent,
} from '@gantry/api/metrics/metric-query'
import { watchRules } from '@gantry/api/metrics/metric-query.rules'
import { sql } from 'kysely'
import type { Reader } from '@gantry/control-plane/db/database'
import type { Row } from '@gantry/control-plane/db/tables'
import { liveRows } from '@gantry/control-plane/change/children'
import { type Change, change, fleetScope } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { invalid } from '@gantry/control-plane/context/refusal'
import { compileFilter } from '@gantry/control-plane/list/filter/compile'
import { placeInProject } from '@gantry/control-plane/list/filter/place'
import { need, needFleet, type Selectors } from '@gantry/control-plane/lookup/need'
import { type ListQuery, listPage } from '@gantry/control-plane/list/page'
import { isSameJson } from '@gantry/control-plane/db/same-json'
import { resourceView } from '@gantry/control-plane/lookup/views'
import { parseQuery } from '@gantry/control-plane/oxql/parse'

type Saved = Row<'metric_query'>

/** A watch as shown in views, with the number of breaches and the first ones. */
type SeenWatch = Omit<Row<'metric_watch'>, 'due' | 'lease_until'> & { breaching: number }

const queryView = (row: Saved, watch: SeenWatch | undefined): MetricQuery =>
  resourceView(row, {
    project_id: row.project_id,
    filter_of: row.filter_of,
    query: row.query,
    threshold: row.threshold,
    watch: row.threshold && watch ? watchView(watch) : null,
  })

const watchView = ({ state, since, evaluated, breaching, breaches, problem }: SeenWatch): MetricWatch => ({
  state,
  since: since.toISOString(),
  time_evaluated: evaluated?.toISOString() ?? null,
  breaching,
  breaches,
  problem,
})

const { breachesShown } = watchRules

async function queryViews(db: Reader, rows: readonly Saved[]): Promise<MetricQuery[]> {
  const watched = rows.flatMap(({ id, threshold }) => (threshold ? [id] : []))
  const watches =
    watched.length === 0
      ? []
      : await db
          .selectFrom('metric_watch')
          .select(['metric_query_id', 'state', 'since', 'evaluated', 'problem'])
          .select([
            sql<number>`jsonb_array_length(breaches)`.as('breaching'),
            sql<
              SeenWatch['breaches']
            >`jsonb_path_query_array(breaches, ${sql.lit(`$[0 to ${breachesShown - 1}]`)})`.as('breaches'),
          ])
          .where('metric_query_id', 'in', watched)
          .execute()
  const byQuery = new Map(watches.map((watch) => [watch.metric_query_id, watch]))
  return rows.map((row) => queryView(row, byQuery.get(row.id)))
}

const viewIn = async (db: Reader, row: Saved): Promise<MetricQuery> => {
  const [view] = await queryViews(db, [row])
  if (!view) throw new Error('a row makes a view')
  return view
}

/** With a project, only its own; without one, only the fleet's. */
export async function listQueries(cx: Cx, query: ListQuery) {
  const { items, next_page } = await listPage(
    cx,
    'metric_query',
    query,
    async (at) => {
      if (!at.project) {
        needFleet(cx, 'list_children')
        return { where: { project_id: null } }
      }
      const { row } = await need(cx, 'project', at, 'list_children')
      return { where: { project_id: row.id } }
    },
    (row) => row,
  )
  return { items: await queryViews(cx.db, items), next_page }
}

export async function viewQuery(cx: Cx, at: Selectors): Promise<MetricQuery> {
  const { row } = await need(cx, 'metric_query', at, 'read')
  return viewIn(cx.db, row)
}

export async function createQuery(cx: Cx, at: Selectors, body: MetricQueryCreate): Promise<MetricQuery> {
  const owner = at.project ? await need(cx, 'project', at, 'create_child') : undefined
  if (!owner) needFleet(cx, 'create_child')
  const { name, description, query, threshold } = body
  const filter_of = body.filter_of ?? null
  if (filter_of && !owner)
    throw invalid('a filter is saved in a project', 'Name the project whose objects it is about.')
  readQuery(cx, { filter_of, project_id: owner?.row.id ?? null, query })
  return change(cx, owner?.scope ?? fleetScope, async (tx) => {
    if (owner) await tx.hold('project', owner.row.id)
    const row = await tx.insert('metric_query', {
      name,
      description,
      silo_id: owner?.row.silo_id ?? null,
      project_id: owner?.row.id ?? null,
      filter_of,
      query,
      threshold: threshold ? JSON.stringify(threshold) : null,
    })
    if (threshold) await beginWatch(tx, row.id)
    return viewIn(tx.read, row)
  })
}

/** Refuses what could never be evaluated: by the rules of OxQL, or by those of filters as anybody in the project. */
function readQuery(
  cx: Cx,
  { filter_of, project_id, query }: Pick<Saved, 'filter_of' | 'project_id' | 'query'>,
) {
  if (filter_of && project_id) compileFilter(cx, filter_of, query, placeInProject(project_id))
  else parseQuery(query)
}

export async function updateQuery(cx: Cx, at: Selectors, body: MetricQueryUpdate): Promise<MetricQuery> {
  const { row: found, scope } = await need(cx, 'metric_query', at, 'modify')
  if (body.query) readQuery(cx, { ...found, query: body.query })
  return change(cx, scope, async (tx) => {
    const row = await tx.lock('metric_query', found)
    const query = body.query ?? row.query
    const threshold = body.threshold ?? null
    const saved = await tx.update('metric_query', row, {
      name: body.name ?? row.name,
      description: body.description ?? row.description,
      query,
      threshold: threshold && JSON.stringify(threshold),
    })
    if (query !== row.query || !isSameJson(threshold, row.threshold))
      await (threshold ? beginWatch(tx, row.id) : endWatch(tx, row.id))
    return viewIn(tx.read, saved)
  })
}

export async function deleteQuery(cx: Cx, at: Selectors): Promise<void> {
  const { row, scope } = await need(cx, 'metric_query', at, 'modify')
  await change(cx, scope, async (tx) => {
    await tx.remove('metric_query', await tx.lock('metric_query', row))
    await endWatch(tx, row.id)
  })
}

/** Deletes the saved queries of a deleted project. */
export async function removeQueriesOf(tx: Change, project_id: string): Promise<void> {
  const rows = await liveRows(tx, 'metric_query', 'project_id', project_id)
  if (rows.length === 0) return
  await tx.removeAll('metric_query', rows)
  for (const { id } of rows) await endWatch(tx, id)
}

/** Brings back the saved queries of a restored project. */
export async function restoreQueriesOf(
  tx: Change,
  project_id: string,
  ids: readonly string[],
): Promise<void> {
  await tx.restoreAll('metric_query', ids)
  for (const { id, threshold } of await liveRows(tx, 'metric_query', 'project_id', project_id))
    if (threshold) await beginWatch(tx, id)
}

/**
 * Starts evaluation over, because breaches of the previous threshold do not count. Keeps the state until then, so
 * that a raised alert also ends.
 */
async function beginWatch(tx: Change, metric_query_id: string): Promise<void> {
  const now = tx.cx.now()
  const fresh = { evaluated: null, due: now, lease_until: null, breaches: '[]', problem: null }
  await tx.plain
    .insertInto('metric_watch')
    .values({ metric_query_id, state: 'no_data', since: now, ...fresh })
    .onConflict((conflict) => conflict.column('metric_query_id').doUpdateSet(fresh))
    .execute()
}

/** The watch removes its own row, after ending a raised alert. */
async function endWatch(tx: Change, metric_query_id: string): Promise<void> {
  await tx.plain
    .updateTable('metric_watch')
    .set({ due: tx.cx.now(), lease_until: null })
    .where('metric_query_id', '=', metric_query_id)
    .execute()
}

export async function queryHistory(cx: Cx, at: Selectors): Promise<{ items: MetricWatchEvent[] }> {
  const { row } = await need(cx, 'metric_query', at, 'list_children')
  const events = await cx.db
    .selectFrom('metric_watch_event')
    .selectAll()
    .where('metric_query_id', '=', row.id)
    .orderBy('time', 'desc')
    .orderBy('id')
    .limit(watchRules.eventsKept)
    .execute()
  return {
    items: events.map(({ id, time, state, breaching, breaches, problem }) => ({
      id,
      time: time.toISOString(),
      state,
      breaching,
      breaches,
      problem,
    })),
  }
}
