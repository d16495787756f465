import { sql } from 'kysely'
import { fleetId } from '../../authz/actor.ts'
import type { Cx } from '../../kernel/cx.ts'
import { Reply } from '../../kernel/implement.ts'
import { need } from '../../kernel/need.ts'
import { invalid } from '../../kernel/refusal.ts'
import { catalogue, type KnownSchema } from './catalogue.ts'
import { storeOf } from './store-of.ts'
import type { PlainFields } from './samples.ts'

/** Maximum of lines in a response: about 40 MB. */
const maxLines = 100_000
/** A timeseries without a sample for this many rounds has ended. */
const roundsBack = 3

type Labels = Readonly<Record<string, string | number | boolean>>

/**
 * The newest sample of each timeseries visible to the caller, in Prometheus's text format 0.0.4: a fleet viewer sees
 * all, others the projects that they may read and their silo's provisioning.
 */
export async function scrape(cx: Cx, at: { project?: string | null | undefined }): Promise<Reply> {
  cx.user()
  const only = at.project ? (await need(cx, 'project', { project: at.project }, 'read')).row.id : undefined
  const page = new Exposition()
  const seen = visibility(cx, only)
  await addSamples(cx, seen, page)
  await addProvisioned(cx, seen, page)
  await addInstances(cx, seen, page)
  const text = new TextEncoder().encode(page.text())
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(text)
      controller.close()
    },
  })
  return new Reply(undefined, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }, { stream })
}

interface Visibility {
  /** Timeseries of the fleet. */
  fleet: boolean
  silo: (id: string) => boolean
  project: (id: string, siloId: string) => boolean
}

function visibility(cx: Cx, only: string | undefined): Visibility {
  const isReader = cx.can('read', { class: 'fleet' })
  const known = new Map<string, boolean>()
  return {
    fleet: isReader && only === undefined,
    silo: (id) => only === undefined && (isReader || id === cx.user().silo_id),
    project: (id, silo_id) => {
      if (only !== undefined) return id === only
      if (isReader) return true
      let may = known.get(id)
      if (may === undefined) {
        may = cx.can('read', { class: 'project', silo_id, project_id: id })
        known.set(id, may)
      }
      return may
    },
  }
}

async function addSamples(cx: Cx, seen: Visibility, page: Exposition): Promise<void> {
  const now = cx.now()
  const backMs = roundsBack * cx.services.settings.metrics.round_seconds * 1000
  const newest = storeOf(cx.services).newest(cx.db, new Date(now.getTime() - backMs), now)
  for await (const { name, fields, value } of newest) {
    const schema = catalogue.get(name)
    if (schema && isVisible(seen, fields)) page.add(schema, fields, value)
  }
}

const isVisible = (seen: Visibility, { project_id, silo_id }: PlainFields): boolean =>
  typeof project_id === 'string' && typeof silo_id === 'string'
    ? seen.project(project_id, silo_id)
    : seen.fleet

async function addProvisioned(cx: Cx, seen: Visibility, page: Exposition): Promise<void> {
  const { rows } = await sql<{
    id: string
    metric: string
    value: number
    project_silo: string | null
    is_silo: boolean
  }>`
    SELECT newest.*, p.silo_id AS project_silo, s.id IS NOT NULL AS is_silo FROM (
      SELECT DISTINCT ON (id, metric) id, metric, value FROM provisioned ORDER BY id, metric, time DESC) AS newest
    LEFT JOIN project p ON p.id = newest.id AND p.time_deleted IS NULL
    LEFT JOIN silo s ON s.id = newest.id AND s.time_deleted IS NULL
    WHERE newest.id = ${fleetId} OR p.id IS NOT NULL OR s.id IS NOT NULL`.execute(cx.db)
  for (const { id, metric, value, project_silo, is_silo } of rows) {
    const schema = catalogue.get(`collection_target:${metric}`)
    const may = project_silo ? seen.project(id, project_silo) : is_silo ? seen.silo(id) : seen.fleet
    if (schema && may) page.add(schema, { id }, value)
  }
}

/** Names of instances and projects, to join to samples by id; only where the policy shows them. */
async function addInstances(cx: Cx, seen: Visibility, page: Exposition): Promise<void> {
  const { silo_id } = cx.user()
  const rows = await cx.db
    .selectFrom('instance as i')
    .innerJoin('project as p', 'p.id', 'i.project_id')
    .select([
      'i.id as instance_id',
      'i.name as instance_name',
      'p.id as project_id',
      'p.name as project_name',
    ])
    .where('p.silo_id', '=', silo_id)
    .where('i.time_deleted', 'is', null)
    .orderBy('i.id')
    .limit(maxLines)
    .execute()
  for (const row of rows)
    if (
      cx.can('read', { class: 'project', silo_id, project_id: row.project_id }) &&
      seen.project(row.project_id, silo_id)
    )
      page.line('gantry_instance_info', 'gauge', 'Names of an instance and its project', row, 1)
}

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

  text(): string {
    return [...this.#metrics.values()].map((lines) => `${lines.join('\n')}\n`).join('')
  }
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
