import { performance } from 'node:perf_hooks'
import { type Dialect, Kysely, sql } from 'kysely'
import type { Tables } from '../../packages/control-plane/src/db/tables.ts'
import { vmUsage } from '../../packages/control-plane/src/fleet/simulated/load.ts'
import { memoryBlocks } from '../../packages/control-plane/src/blocks/memory.ts'
import { simulatedFleet } from '../../packages/control-plane/src/fleet/simulated/fleet.ts'
import type { PointsBySeries } from '../../packages/control-plane/src/modules/metrics/store/database/codec.ts'
import { resolutions } from '../../packages/control-plane/src/modules/metrics/store/points.ts'
import { sample } from '../../packages/control-plane/src/modules/metrics/sampling/sampler.ts'
import { writeBlocks } from '../../packages/control-plane/src/modules/metrics/store/database/rows.ts'
import { DatabaseWriter } from '../../packages/control-plane/src/modules/metrics/store/database/writer.ts'
import { seedDemo } from '../fill.ts'

export const project = 'running'
/** Hours of samples before now that every instance has. */
export const hours = Number(process.env['GANTRY_BENCH_HOURS'] ?? 24)

const hourMs = 3_600_000
const [{ windowMs }] = resolutions
const firstMac = 0xa8_40_25_f8_00_00

/** A demo installation with many running instances of one vCPU, disk and interface, and a day of their samples. */
export async function fillRunning(dialect: Dialect, instances: number): Promise<Record<string, string>> {
  await seedDemo(dialect)
  const db = new Kysely<Tables>({ dialect })
  for (const text of rows(instances)) await sql.raw(text).execute(db)
  const until = Math.floor(Date.now() / windowMs) * windowMs
  await sql`UPDATE vmm SET time_created = ${new Date(until - (hours + 1) * hourMs)}`.execute(db)
  const services = {
    db,
    fleet: simulatedFleet({ db, blocks: memoryBlocks(), clock: () => new Date() }),
    ending: new AbortController().signal,
  }
  const writer = new DatabaseWriter(db)
  const [first, next] = [until + windowMs - 20_000, until + windowMs - 10_000]
  const begin = performance.now()
  await sample(services, writer, { from: first - 10_000, until: first })
  const numbered = performance.now()
  await sample(services, writer, { from: first, until: next })
  const took = performance.now() - numbered
  // The server takes the rounds of now itself.
  await sql`DELETE FROM metric_head`.execute(db)
  await fillBlocks(db, until)
  await sql.raw('ANALYZE').execute(db)
  const { rows: sizes } = await sql<{ series: number; bytes: number }>`SELECT
    (SELECT count(*) FROM timeseries)::int AS series,
    (SELECT pg_total_relation_size('metric_block'))::int8 AS bytes`.execute(db)
  return {
    'first round, which numbers them': `${((numbered - begin) / 1000).toFixed(1)} s`,
    'a round': `${(took / 1000).toFixed(1)} s`,
    timeseries: (sizes[0]?.series ?? 0).toLocaleString(),
    [`${hours} hours of samples`]: `${((sizes[0]?.bytes ?? 0) / 2 ** 20).toFixed(0)} MiB`,
  }
}

function rows(instances: number): string[] {
  const identity = `gen_random_uuid(), now(), now()`
  return [
    `UPDATE silo_quotas SET cpus = 1000000, memory = ${2 ** 52}, storage = ${2 ** 53 - 1}`,
    `INSERT INTO project (id, time_created, time_modified, name, description, silo_id)
      SELECT ${identity}, '${project}', '', silo_id FROM project WHERE name = 'playground'`,
    `INSERT INTO provisioning (id, kind) SELECT id, 'project' FROM project WHERE name = '${project}'`,
    `INSERT INTO instance (id, time_created, time_modified, name, description, project_id, ncpus, memory, hostname,
        user_data, run_state, time_run_state_updated, intended_state, vmm_id)
      SELECT ${identity}, 'web-' || lpad(n::text, 6, '0'), '', p.id, 1, ${2 ** 30}, 'web', '', 'running', now(),
        'running', gen_random_uuid()
      FROM project p, generate_series(1, ${instances}) n WHERE p.name = '${project}'`,
    `INSERT INTO vmm (id, instance_id, sled_id, ncpus, memory, time_created)
      SELECT i.vmm_id, i.id, s.ids[1 + i.place % cardinality(s.ids)], i.ncpus, i.memory, now()
      FROM (SELECT i.*, row_number() OVER (ORDER BY i.id) AS place FROM instance i JOIN project p ON p.id = i.project_id
        WHERE p.name = '${project}') i, (SELECT array_agg(id) AS ids FROM sled) s`,
    `INSERT INTO simulated_vm (id, sled_id, instance_id, phase, phase_since, by_guest)
      SELECT v.id, v.sled_id, v.instance_id, 'running', now(), false FROM vmm v JOIN instance i ON i.id = v.instance_id
      JOIN project p ON p.id = i.project_id WHERE p.name = '${project}'`,
    `INSERT INTO disk (id, time_created, time_modified, name, description, project_id, size, block_size, state,
        instance_id, slot, content_id)
      SELECT ${identity}, i.name || '-boot', '', i.project_id, ${2 ** 30}, 512, 'attached', i.id, 0, gen_random_uuid()::text
      FROM instance i JOIN project p ON p.id = i.project_id WHERE p.name = '${project}'`,
    `INSERT INTO network_interface (id, time_created, time_modified, name, description, instance_id, vpc_id, subnet_id,
        mac_int, ip, ip_int, slot, is_primary, transit_ips)
      SELECT ${identity}, 'net0', '', i.id, s.vpc_id, s.id, ${firstMac} + i.place,
        host('0.0.0.0'::inet + (3000000000 + i.place)), 3000000000 + i.place, 0, true, '[]'
      FROM (SELECT i.*, row_number() OVER (ORDER BY i.id) AS place FROM instance i JOIN project p ON p.id = i.project_id
        WHERE p.name = '${project}') i, (SELECT * FROM vpc_subnet ORDER BY id LIMIT 1) s`,
    'ANALYZE',
  ]
}

/**
 * Blocks of one object, as upkeep writes them, and copies of them for all others: their numbers differ, but their
 * size and their number of rows do not.
 */
async function fillBlocks(db: Kysely<Tables>, until: number): Promise<void> {
  const series = await db
    .selectFrom('metric_lane')
    .innerJoin('timeseries', 'timeseries.lane', 'metric_lane.id')
    .innerJoin('instance', (join) => join.on(sql<boolean>`metric_lane.source = 'instance:' || instance.id`))
    .innerJoin('project', 'project.id', 'instance.project_id')
    .select(['metric_lane.id', 'timeseries.slot as number', 'timeseries.name', 'timeseries.fields'])
    .where('project.name', '=', project)
    .where('metric_lane.id', '=', (eb) =>
      eb
        .selectFrom('metric_lane as l')
        .innerJoin('instance as i', (join) => join.on(sql<boolean>`l.source = 'instance:' || i.id`))
        .innerJoin('project as p', 'p.id', 'i.project_id')
        .select((inner) => inner.fn.min('l.id').as('id'))
        .where('p.name', '=', project),
    )
    .execute()
  const id = series[0]?.id
  if (id === undefined) throw new Error('no object to copy')
  const since = until - (hours + 1) * hourMs
  for (let starts = until - hours * hourMs; starts < until; starts += windowMs)
    await writeBlocks(db, 0, new Date(starts), new Map([[id, windowOf(series, since, starts)]]))
  await sql`INSERT INTO metric_block (lane, tier, starts, data)
    SELECT l.id, b.tier, b.starts, b.data FROM metric_block b, metric_lane l
    JOIN instance i ON l.source = 'instance:' || i.id JOIN project p ON p.id = i.project_id
    WHERE b.lane = ${id} AND b.tier = 0 AND l.id <> ${id} AND p.name = ${project}`.execute(db)
  // Upkeep resumes from here.
  for (const [name, at] of [
    ['head', until],
    ['minutes', until - (until % resolutions[1].windowMs)],
    ['hours', until - (until % resolutions[2].windowMs)],
    ['past', until],
  ] as const)
    await db
      .insertInto('metric_progress')
      .values({ name, until: new Date(at) })
      .execute()
  await sql`UPDATE metric_lane SET last_at = ${new Date(until)}`.execute(db)
}

interface Series {
  number: number
  name: string
  fields: Record<string, unknown>
}

function windowOf(all: readonly Series[], since: number, starts: number): PointsBySeries {
  const fine = Array.from({ length: windowMs / 5000 }, (_, index) => starts + (index + 1) * 5000)
  const coarse = fine.filter((time) => time % 10_000 === 0)
  const machine = { id: 'vm', ncpus: 1, disks: ['disk'], interfaces: ['nic'] }
  const [ofVcpu, ofOthers] = [fine, coarse].map((times) => vmUsage(machine, since, times))
  const starting = (times: readonly number[]) => times.map(() => since)
  const [fineStarts, coarseStarts] = [starting(fine), starting(coarse)]
  return new Map(
    all.map(({ number, name, fields }) => {
      const [target, metric = ''] = name.split(':')
      const isVcpu = target === 'virtual_machine'
      const from = isVcpu
        ? ofVcpu?.vcpus[0]
        : target === 'virtual_disk'
          ? ofOthers?.disks[0]
          : ofOthers?.interfaces[0]
      const values = (from as unknown as Record<string, number[]>)[isVcpu ? String(fields['state']) : metric]
      const times = isVcpu ? fine : coarse
      return [
        number,
        { times, starts: isVcpu ? fineStarts : coarseStarts, values: values ?? times.map(() => 0) },
      ]
    }),
  )
}
