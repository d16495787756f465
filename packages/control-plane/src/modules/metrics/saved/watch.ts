import type { AlertClass } from '@gantry/api/system/alert.rules'
import { type WatchState, watchRules } from '@gantry/api/metrics/metric-query.rules'
import { sql } from 'kysely'
import { fleetId } from '@gantry/control-plane/authz/actor'
import type { Row } from '@gantry/control-plane/db/tables'
import { type Change, change, fleetScope } from '@gantry/control-plane/change/change'
import { systemCx } from '@gantry/control-plane/context/cx'
import { type Reconciler } from '@gantry/control-plane/work/loop'
import { Refusal } from '@gantry/control-plane/context/refusal'
import type { Services } from '@gantry/control-plane/context/services'
import { latestPast } from '@gantry/control-plane/context/time'
import { parseQuery } from '@gantry/control-plane/oxql/parse'
import { withinProject } from '@gantry/control-plane/oxql/within-project'
import { raiseAlert } from '../../alerts/raise.ts'
import { tablesOf } from '../query/queries.ts'
import type { Spend } from '../query/shares.ts'
import { evaluateThreshold, newestValues } from './threshold.ts'

type Watch = Row<'metric_watch'>
type Saved = Row<'metric_query'>

/** A process that holds an evaluation for longer has died. */
const leaseMs = 120_000

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
      const watch = await claim(services, [...ahead.keys()])
      if (watch) ahead.set(watch.owner, await pointsOf(services, watch))
      else if (ahead.size === 0) return
      else catchUp(ahead)
    }
  },
}

/** All others have nothing due: the owner that is least ahead is next. */
function catchUp(ahead: Map<string, number>): void {
  const least = Math.min(...ahead.values())
  for (const [owner, points] of ahead)
    if (points > least) ahead.set(owner, points - least)
    else ahead.delete(owner)
}

/** Evaluates a watch; returns the points that it read. */
async function pointsOf(services: Services, watch: Watch): Promise<number> {
  let points = 1
  const spend = (more: number): undefined => {
    points += more
  }
  try {
    await evaluateWatch(services, watch, spend)
  } catch (error) {
    if (services.ending.aborted) await release(services, watch)
    else {
      services.log.error({ err: error, query: watch.metric_query_id }, 'a saved query was not evaluated')
      await postpone(services, watch)
    }
  }
  return points
}

/** The next watch whose project, or the fleet, is not among these. */
async function claim(
  { db, clock }: Services,
  ahead: readonly string[],
): Promise<(Watch & { owner: string }) | undefined> {
  const now = clock()
  const lease = new Date(now.getTime() + leaseMs)
  const owner = sql`coalesce(q.project_id, ${fleetId}::uuid)`
  const { rows } = await sql<Watch & { owner: string }>`
    UPDATE metric_watch w SET lease_until = ${lease} FROM metric_query q
    WHERE q.id = w.metric_query_id AND w.metric_query_id = ANY (ARRAY(
      SELECT w.metric_query_id FROM metric_watch w JOIN metric_query q ON q.id = w.metric_query_id
      WHERE w.due <= ${now} AND (w.lease_until IS NULL OR w.lease_until < ${now})
        AND ${owner} <> ALL (${ahead}::uuid[])
      ORDER BY w.due LIMIT 1 FOR UPDATE OF w SKIP LOCKED))
    RETURNING w.*, ${owner} AS owner`.execute(db)
  return rows[0]
}

const nextDue = (now: Date): Date => new Date(now.getTime() + watchRules.everySeconds * 1000)

/** Only the lease holder writes: another process, or a change of the query, has ended this lease. */
const held = (watch: Watch) =>
  sql<boolean>`metric_query_id = ${watch.metric_query_id} AND lease_until = ${watch.lease_until}`

async function postpone({ db, clock }: Services, watch: Watch): Promise<void> {
  await db
    .updateTable('metric_watch')
    .set({ due: nextDue(clock()), lease_until: null })
    .where(held(watch))
    .execute()
}

/** Leaves it to the next process, as if it had not been claimed. */
async function release({ db }: Services, watch: Watch): Promise<void> {
  await db.updateTable('metric_watch').set({ lease_until: null }).where(held(watch)).execute()
}

async function evaluateWatch(services: Services, watch: Watch, spend: Spend): Promise<void> {
  const saved = await services.db
    .selectFrom('metric_query')
    .selectAll()
    .where('id', '=', watch.metric_query_id)
    .executeTakeFirstOrThrow()
  if (saved.time_deleted || !saved.threshold) return forget(services, watch, saved)
  const found = await look(services, watch, saved, spend)
  if (found.state === watch.state) await keep(services, watch, found)
  else await turn(services, watch, saved, found)
}

type Found = Pick<Watch, 'state' | 'breaches' | 'problem'> & { now: Date }

/** Compares the query's current result with its threshold. */
async function look(services: Services, watch: Watch, saved: Saved, spend: Spend): Promise<Found> {
  const now = services.clock()
  try {
    const parsed = parseQuery(saved.query)
    const query =
      saved.project_id && saved.silo_id
        ? withinProject(parsed, { silo: saved.silo_id, project: saved.project_id })
        : parsed
    const newest = newestValues(
      await tablesOf(services, query, { signal: services.ending, spend }),
      now.getTime(),
    )
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

const written = ({ state, breaches, problem, now }: Found) => ({
  state,
  breaches: JSON.stringify(breaches),
  problem,
  evaluated: now,
  due: nextDue(now),
  lease_until: null,
})

async function keep({ db }: Services, watch: Watch, found: Found): Promise<void> {
  await db.updateTable('metric_watch').set(written(found)).where(held(watch)).execute()
}

/** A state change, its history entry and its alert commit together. */
async function turn(services: Services, watch: Watch, saved: Saved, found: Found): Promise<void> {
  const cx = systemCx(services, 'metric-watch')
  const { id: metric_query_id, silo_id, project_id } = saved
  await change(cx, { silo_id, project_id }, async (tx) => {
    const done = await tx.plain
      .updateTable('metric_watch')
      .set({ ...written(found), since: found.now })
      .where(held(watch))
      .executeTakeFirst()
    if (done.numUpdatedRows === 0n) return
    const { state, breaches, problem, now } = found
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
    await alert(tx, saved, watch.state, found)
  })
}

/** Removes the findings of a query that is no longer watched. */
async function forget(services: Services, watch: Watch, saved: Saved): Promise<void> {
  const { id, silo_id, project_id, time_deleted } = saved
  await change(systemCx(services, 'metric-watch'), { silo_id, project_id }, async (tx) => {
    const gone = await tx.plain.deleteFrom('metric_watch').where(held(watch)).executeTakeFirst()
    if (gone.numDeletedRows === 0n) return
    if (time_deleted)
      await tx.plain.deleteFrom('metric_watch_event').where('metric_query_id', '=', id).execute()
    await alert(tx, saved, watch.state, { state: 'ok', breaches: [], problem: null, now: services.clock() })
  })
}

/** Raises an alert when a query starts and when it stops firing. */
async function alert(tx: Change, saved: Saved, before: WatchState, found: Found): Promise<void> {
  const began = found.state === 'firing'
  if (began === (before === 'firing')) return
  const { id, name, project_id, query, threshold, time_deleted } = saved
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
  const alertClass: AlertClass = `metric.${owner}_threshold.${began ? 'began' : 'ended'}`
  await raiseAlert(
    tx,
    alertClass,
    { subject: `metric_query:${id}`, project_id },
    {
      metric_query: { id, name },
      project: project ?? null,
      query,
      threshold,
      is_watched: threshold !== null && time_deleted === null,
      state: found.state,
      breaching: found.breaches.length,
      breaches: found.breaches.slice(0, watchRules.breachesShown),
      problem: found.problem,
      time: found.now.toISOString(),
    },
  )
}

/** Makes watches due that a clock jump postponed; their true age is unknown. */
export async function repairWatches({ db }: Services, now: Date): Promise<void> {
  const past = latestPast(now)
  const latest = new Date(past.getTime() + watchRules.everySeconds * 1000)
  await db.updateTable('metric_watch').set({ due: now }).where('due', '>', latest).execute()
  const lease = new Date(past.getTime() + leaseMs)
  await db.updateTable('metric_watch').set({ lease_until: null }).where('lease_until', '>', lease).execute()
}
