import type { MetricClass } from '@gantry/api/system/alert-class.rules'
import { type WatchState, watchRules } from '@gantry/api/metrics/metric-query.rules'
import { sql } from 'kysely'
import { fleetId } from '@gantry/control-plane/authz/actor'
import type { Row } from '@gantry/control-plane/db/tables'
import { type Change, change, fleetScope } from '@gantry/control-plane/change/change'
import { systemCx } from '@gantry/control-plane/context/cx'
import { Lease } from '@gantry/control-plane/work/lease'
import { type Reconciler } from '@gantry/control-plane/work/loop'
import { Refusal } from '@gantry/control-plane/context/refusal'
import type { Services } from '@gantry/control-plane/context/services'
import { latestPast } from '@gantry/control-plane/context/time'
import { countInProject } from '@gantry/control-plane/list/filter/totals'
import { parseQuery } from '@gantry/control-plane/oxql/parse'
import { withinProject } from '@gantry/control-plane/oxql/within-project'
import { raiseAlert } from '../../alerts/raise.ts'
import { tablesOf } from '../query/queries.ts'
import type { Spend } from '../query/shares.ts'
import { evaluateThreshold, type Newest, newestValues } from './threshold.ts'

type Watch = Row<'metric_watch'>
type Saved = Row<'metric_query'>

/** A process that holds an evaluation for longer has died. Another process, or a change of the query, ends a lease. */
export const watchLease = new Lease('metric_watch', {
  key: 'metric_query_id',
  token: 'lease_until',
  ms: 120_000,
})

/**
 * Evaluates saved queries with a threshold, one by one, outside of requests and beside the queue of people's queries. A
 * lease excludes other processes from the same query; when its holder dies, another one evaluates it again.
 */
export const metricWatch: Reconciler = {
  name: 'metric-watch',
  everyMs: 5000,
  async run(services) {
    // Points that each project, or the fleet, has read ahead of the others: it waits while another one has a query due,
    // so that a project with many large queries does not hold up those of others.
    const ahead = new Map<string, number>()
    while (!services.ending.aborted) {
      const watch = await claimNext(services, [...ahead.keys()])
      if (watch) ahead.set(watch.owner, await evaluateClaimed(services, watch))
      else if (ahead.size === 0) return
      else releaseLeastAhead(ahead)
    }
  },
}

/** All others have nothing due: the owner that is least ahead is next. */
function releaseLeastAhead(ahead: Map<string, number>): void {
  const least = Math.min(...ahead.values())
  for (const [owner, points] of ahead)
    if (points > least) ahead.set(owner, points - least)
    else ahead.delete(owner)
}

/** Evaluates a watch; returns the points that it read. */
async function evaluateClaimed(services: Services, watch: Watch): Promise<number> {
  let points = 1
  const spend = (more: number): undefined => {
    points += more
  }
  try {
    await evaluateWatch(services, watch, spend)
  } catch (error) {
    // The next process evaluates it, as if it had not been claimed.
    if (services.ending.aborted) await watchLease.leave(services.db, watch)
    else {
      services.log.error({ err: error, query: watch.metric_query_id }, 'a saved query was not evaluated')
      await watchLease.leave(services.db, watch, { due: nextDue(services.clock()) })
    }
  }
  return points
}

/** The next watch whose project, or the fleet, is not among these. */
async function claimNext(
  { db, clock }: Services,
  ahead: readonly string[],
): Promise<(Watch & { owner: string }) | undefined> {
  const now = clock()
  const owner = sql<string>`coalesce(q.project_id, ${fleetId}::uuid)`
  const next = sql`ARRAY(
    SELECT w.metric_query_id FROM metric_watch w JOIN metric_query q ON q.id = w.metric_query_id
    WHERE w.due <= ${now} AND ${watchLease.isFree(now, 'w')} AND ${owner} <> ALL (${ahead}::uuid[])
    ORDER BY w.due LIMIT 1 FOR UPDATE OF w SKIP LOCKED)`
  const [watch] = await watchLease.claim(db, now, sql`metric_query_id = ANY (${next})`, {
    more: sql<{ owner: string }>`(SELECT ${owner} FROM metric_query q WHERE q.id = metric_query_id) AS owner`,
  })
  return watch
}

const nextDue = (now: Date): Date => new Date(now.getTime() + watchRules.everySeconds * 1000)

async function evaluateWatch(services: Services, watch: Watch, spend: Spend): Promise<void> {
  const saved = await services.db
    .selectFrom('metric_query')
    .selectAll()
    .where('id', '=', watch.metric_query_id)
    .executeTakeFirstOrThrow()
  if (saved.time_deleted || !saved.threshold) return removeWatch(services, watch, saved)
  const evaluation = await evaluateQuery(services, watch, saved, spend)
  if (evaluation.state === watch.state) await watchLease.leave(services.db, watch, columnsOf(evaluation))
  else await recordTransition(services, watch, saved, evaluation)
}

type Evaluation = Pick<Watch, 'state' | 'breaches' | 'problem'> & { now: Date }

/** Compares the query's current result with its threshold. */
async function evaluateQuery(
  services: Services,
  watch: Watch,
  saved: Saved,
  spend: Spend,
): Promise<Evaluation> {
  const now = services.clock()
  try {
    const newest = await newestOf(services, saved, spend)
    if (!saved.threshold) throw new Error('only queries with a threshold are evaluated')
    return { ...evaluateThreshold(saved.threshold, newest, watch, now), problem: null, now }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { message, extra } = error
    const problem = [message, extra.help].filter(Boolean).join('. ')
    // An overloaded server refuses queries temporarily, which must not end an alert.
    const isStillFiring = watch.state === 'firing' && watch.evaluated !== null
    if (isStillFiring) return { state: 'firing', breaches: watch.breaches, problem, now }
    return { state: 'no_data', breaches: [], problem, now }
  }
}

/** What is compared with the threshold: how many objects match a filter, or the newest values of timeseries. */
async function newestOf(services: Services, saved: Saved, spend: Spend): Promise<Newest[]> {
  const { filter_of, silo_id, project_id } = saved
  if (filter_of && project_id) {
    const cx = systemCx(services, 'metric-watch')
    const { count, examined } = await countInProject(cx, filter_of, saved.query, project_id)
    await spend(examined)
    return [{ fields: [], value: count }]
  }
  const parsed = parseQuery(saved.query)
  const query = project_id && silo_id ? withinProject(parsed, { silo: silo_id, project: project_id }) : parsed
  const tables = await tablesOf(services, query, {
    place: project_id ? { project: project_id } : 'fleet',
    signal: services.ending,
    spend,
  })
  return newestValues(tables, services.clock().getTime())
}

const columnsOf = ({ state, breaches, problem, now }: Evaluation) => ({
  state,
  breaches: JSON.stringify(breaches),
  problem,
  evaluated: now,
  due: nextDue(now),
})

/** A state change, its history entry and its alert commit together. */
async function recordTransition(
  services: Services,
  watch: Watch,
  saved: Saved,
  evaluation: Evaluation,
): Promise<void> {
  const cx = systemCx(services, 'metric-watch')
  const { id: metric_query_id, silo_id, project_id } = saved
  await change(cx, { silo_id, project_id }, async (tx) => {
    const columns = { ...columnsOf(evaluation), since: evaluation.now }
    if (!(await watchLease.leave(tx.plain, watch, columns))) return
    const { state, breaches, problem, now } = evaluation
    await tx.plain
      .insertInto('metric_watch_event')
      .values({
        id: cx.newId(),
        metric_query_id,
        time: now,
        state,
        breaching: breaches.length,
        breaches: JSON.stringify(breaches.slice(0, watchRules.breachesShown)),
        problem,
      })
      .execute()
    await sql`DELETE FROM metric_watch_event WHERE id = ANY (ARRAY(SELECT id FROM metric_watch_event
      WHERE metric_query_id = ${metric_query_id} ORDER BY time DESC, id OFFSET ${watchRules.eventsKept}))`.execute(
      tx.plain,
    )
    tx.note('metric-query', metric_query_id, { state: watch.state }, { state })
    await raiseThresholdAlert(tx, saved, watch.state, evaluation)
  })
}

/** Removes the findings of a query that is no longer watched. */
async function removeWatch(services: Services, watch: Watch, saved: Saved): Promise<void> {
  const { id, silo_id, project_id, time_deleted } = saved
  await change(systemCx(services, 'metric-watch'), { silo_id, project_id }, async (tx) => {
    const removed = await tx.plain
      .deleteFrom('metric_watch')
      .where(watchLease.isHeld(watch))
      .executeTakeFirst()
    if (removed.numDeletedRows === 0n) return
    if (time_deleted)
      await tx.plain.deleteFrom('metric_watch_event').where('metric_query_id', '=', id).execute()
    await raiseThresholdAlert(tx, saved, watch.state, {
      state: 'ok',
      breaches: [],
      problem: null,
      now: services.clock(),
    })
  })
}

/** Raises an alert when a query starts and when it stops firing. */
async function raiseThresholdAlert(
  tx: Change,
  saved: Saved,
  before: WatchState,
  evaluation: Evaluation,
): Promise<void> {
  const began = evaluation.state === 'firing'
  if (began === (before === 'firing')) return
  const { id, name, silo_id, project_id, filter_of, query, threshold, time_deleted } = saved
  const project = project_id
    ? await tx.read
        .selectFrom('project')
        .select(['id', 'name'])
        .where('id', '=', project_id)
        .executeTakeFirst()
    : undefined
  // Deliveries belong to the fleet, like their receivers.
  tx.at(fleetScope)
  const owner = project_id ? 'project' : 'fleet'
  const alertClass: MetricClass = `metric.${owner}_threshold.${began ? 'began' : 'ended'}`
  await raiseAlert(
    tx,
    alertClass,
    { subject: `metric_query:${id}`, silo_id, project_id },
    {
      metric_query: { id, name },
      project: project ?? null,
      filter_of,
      query,
      threshold,
      is_watched: threshold !== null && time_deleted === null,
      state: evaluation.state,
      breaching: evaluation.breaches.length,
      breaches: evaluation.breaches.slice(0, watchRules.breachesShown),
      problem: evaluation.problem,
      time: evaluation.now.toISOString(),
    },
  )
}

/** Makes watches due that a clock jump postponed; their true age is unknown. */
export async function repairWatches({ db }: Services, now: Date): Promise<void> {
  const past = latestPast(now)
  const latest = new Date(past.getTime() + watchRules.everySeconds * 1000)
  await db.updateTable('metric_watch').set({ due: now }).where('due', '>', latest).execute()
  await watchLease.repair(db, now)
}
