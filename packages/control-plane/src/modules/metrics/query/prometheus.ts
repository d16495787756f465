import { provisioningMetrics } from '@gantry/api/metrics/metric.rules'
import { sql } from 'kysely'
import { fleetId } from '@gantry/control-plane/authz/actor'
import type { StoredTags } from '@gantry/control-plane/db/tables/column-types'
import { tagLabel } from '@gantry/api/tags/tag-label.rules'
import type { Cx } from '@gantry/control-plane/context/cx'
import { Reply } from '@gantry/control-plane/pipeline/implement'
import { need } from '@gantry/control-plane/lookup/need'
import { invalid } from '@gantry/control-plane/context/refusal'
import { catalogue, type KnownSchema } from './catalogue.ts'
import { isIn, type Scope } from '../store/sample-store.ts'
import { inShare, type Spend } from './shares.ts'
import { configuredStore } from '../store/configured-store.ts'

/** Maximum of lines in a response: about 40 MB. */
const maxLines = 100_000
/** A timeseries without a sample for this many rounds has ended. */
const roundsBack = 3

type Labels = Readonly<Record<string, string | number | boolean>>

/** Samples written before others get their turn. */
const samplesPerTurn = 2000

/**
 * The newest sample of each timeseries visible to the caller, in Prometheus's text format 0.0.4: a fleet viewer sees
 * all, others the projects that they may read and their silo's provisioning. What is read follows what they see.
 */
export async function scrape(cx: Cx, at: { project?: string | null | undefined }): Promise<Reply> {
  const only = at.project ? (await need(cx, 'project', { project: at.project }, 'read')).row.id : undefined
  const page = new Exposition()
  await inShare(cx, async (spend) => {
    await addSamples(cx, samplesFor(cx, only), page, spend)
    await addProvisioned(cx, only, page)
    await addInstances(cx, readableIn(cx, only), page)
  })
  const pieces = page.pieces()
  const text = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value, done } = pieces.next()
      if (done) controller.close()
      else controller.enqueue(text.encode(value))
    },
  })
  return new Reply(undefined, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }, { stream })
}

const isFleetReader = (cx: Cx): boolean => cx.can('read', { class: 'fleet' })

/** The caller's silo as a whole, or the projects in it that they may read; of these only one, if it is named. */
function readableIn(cx: Cx, only: string | undefined): Exclude<Scope, 'all'> {
  const { silo_id, projects } = cx.user()
  const mayRead = (project_id: string): boolean => cx.can('read', { class: 'project', silo_id, project_id })
  if (only !== undefined) return { projects: [only].filter(mayRead) }
  // No role is on a project with this id.
  return mayRead(fleetId) ? { silo: silo_id } : { projects: projects.filter(mayRead) }
}

/** A fleet viewer sees samples of projects whose names the policy hides. */
function samplesFor(cx: Cx, only: string | undefined): Scope {
  if (!isFleetReader(cx)) return readableIn(cx, only)
  return only === undefined ? 'all' : { projects: [only] }
}

const isNothing = (of: Scope): boolean => of !== 'all' && 'projects' in of && of.projects.length === 0

async function addSamples(cx: Cx, of: Scope, page: Exposition, spend: Spend): Promise<void> {
  if (isNothing(of)) return
  const now = cx.now()
  const backMs = roundsBack * cx.services.settings.metrics.round_seconds * 1000
  const signal = cx.raw?.signal
  const wanted = { since: new Date(now.getTime() - backMs), now, of, signal }
  let read = 0
  for await (const { name, fields, value } of configuredStore(cx.services).newest(cx.db, wanted)) {
    const schema = catalogue.get(name)
    if (schema) page.add(schema, fields, value)
    if (++read % samplesPerTurn > 0) continue
    await spend(samplesPerTurn)
    await new Promise((resolve) => setTimeout(resolve))
    signal?.throwIfAborted()
  }
}

/** Every member may see what their silo has provisioned. */
async function addProvisioned(cx: Cx, only: string | undefined, page: Exposition): Promise<void> {
  const projects = sql`SELECT id FROM project p WHERE time_deleted IS NULL`
  const silos = sql`SELECT id FROM silo WHERE time_deleted IS NULL`
  const of = samplesFor(cx, only)
  const owners = [
    ...(isNothing(of) ? [] : [of === 'all' ? projects : sql`${projects} AND ${isIn(of)}`]),
    ...(only === undefined ? [of === 'all' ? silos : sql`${silos} AND id = ${cx.user().silo_id}`] : []),
    ...(of === 'all' ? [sql`SELECT ${fleetId}::uuid`] : []),
  ]
  if (owners.length === 0) return
  const { rows } = await sql<{ id: string; metric: string; value: number }>`
    SELECT owner.id, m.metric, newest.value FROM (${sql.join(owners, sql` UNION ALL `)}) AS owner (id)
    CROSS JOIN (VALUES ${sql.join(provisioningMetrics.map((metric) => sql`(${metric}::text)`))}) AS m (metric)
    CROSS JOIN LATERAL (SELECT value FROM provisioned v WHERE v.id = owner.id AND v.metric = m.metric
      ORDER BY time DESC LIMIT 1) AS newest
    ORDER BY owner.id, m.metric`.execute(cx.db)
  for (const { id, metric, value } of rows) {
    const schema = catalogue.get(`collection_target:${metric}`)
    if (schema) page.add(schema, { id }, value)
  }
}

/** Names of instances and projects, to join to samples by id. */
async function addInstances(cx: Cx, of: Exclude<Scope, 'all'>, page: Exposition): Promise<void> {
  if (isNothing(of)) return
  const rows = await cx.db
    .selectFrom('instance as i')
    .innerJoin('project as p', 'p.id', 'i.project_id')
    .select([
      'i.id as instance_id',
      'i.name as instance_name',
      'i.tags',
      'p.id as project_id',
      'p.name as project_name',
    ])
    .where('p.silo_id', '=', cx.user().silo_id)
    .where(isIn(of))
    .where('i.time_deleted', 'is', null)
    .orderBy('i.id')
    .limit(maxLines)
    .execute()
  const { prometheus_tags } = cx.services.settings.metrics
  for (const { tags, ...names } of rows) {
    const labels = { ...names, ...tagLabels(tags ?? {}, prometheus_tags) }
    page.line('gantry_instance_info', 'gauge', 'Names of an instance and its project', labels, 1)
  }
}

/** Of the allowed keys only: each value that people choose makes another timeseries. An absent label is empty. */
const tagLabels = (tags: StoredTags, allowed: readonly string[]): Labels =>
  Object.fromEntries(allowed.flatMap((key) => (tags[key] ? [[tagLabel(key), tags[key]]] : [])))

/** Prometheus has base units, with the unit at the end of the name. */
const units: Partial<Record<KnownSchema['units'], { name: string; factor: number }>> = {
  nanoseconds: { name: 'seconds', factor: 1e-9 },
  degrees_celsius: { name: 'celsius', factor: 1 },
  watts: { name: 'watts', factor: 1 },
  rpm: { name: 'rpm', factor: 1 },
  bytes: { name: 'bytes', factor: 1 },
}

/** Groups lines by metric, as the format requires. */
class Exposition {
  readonly #metrics = new Map<string, string[]>()
  #lines = 0

  add(schema: KnownSchema, labels: Labels, value: number): void {
    const [target = '', metric = ''] = schema.timeseries_name.split(':')
    const unit = units[schema.units]
    const isTotal = schema.datum_type.startsWith('cumulative')
    const name = [
      'gantry',
      target,
      metric,
      ...(unit && !metric.includes(unit.name) ? [unit.name] : []),
      ...(isTotal ? ['total'] : []),
    ].join('_')
    const help = schema.description.metric
    this.line(name, isTotal ? 'counter' : 'gauge', help, labels, value * (unit?.factor ?? 1))
  }

  line(name: string, type: 'counter' | 'gauge', help: string, labels: Labels, value: number): void {
    if (++this.#lines > maxLines)
      throw invalid(
        `this is more than ${maxLines} timeseries`,
        'Scrape each project by itself, with the parameter `project`.',
      )
    let lines = this.#metrics.get(name)
    if (!lines) this.#metrics.set(name, (lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]))
    const inside = Object.entries(labels).map(([label, text]) => `${label}="${escaped(String(text))}"`)
    lines.push(`${name}{${inside.join(',')}} ${value}`)
  }

  /** One metric after the other, so that a long text is not made at once. */
  *pieces(): Generator<string, undefined> {
    for (const [name, lines] of this.#metrics) {
      this.#metrics.delete(name)
      yield `${lines.join('\n')}\n`
    }
  }
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
