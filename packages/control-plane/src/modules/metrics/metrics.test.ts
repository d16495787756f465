import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulatedFleet } from '../../fleet/simulated/fleet.ts'
import { type Caller, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { defaultSettings } from '../../settings.ts'
import { parseQuery } from '../../oxql/parse.ts'
import { runMachine } from '../../testing/sampled-machine.ts'
import { testServices } from '../../testing/services.ts'
import { databaseStore } from './store/database/database-store.ts'
import { forgetProvisioned } from './sampling/provisioned.ts'
import { tablesOf } from './query/queries.ts'
import { sample, samplePast } from './sampling/sampler.ts'
import { DatabaseWriter } from './store/database/writer.ts'
import { timeseriesSource } from './query/timeseries-source.ts'
import { maintainBlocks } from './store/database/upkeep.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
/** A fixed clock: the fleet's samples are a function of it. */
const start = Date.parse('2026-03-02T10:00:00Z')

let bed: TestBed
let now = start
let member: Caller
let admin: Caller
let writer: DatabaseWriter
let web: string
const services = () => ({
  db: bed.db,
  fleet: simulatedFleet({ ...bed, clock: () => new Date(now) }),
  ending: new AbortController().signal,
})

/** Rounds up to this time. */
async function sampleUntil(until: number, roundMs = 10 * second): Promise<void> {
  while (now < until) {
    now += roundMs
    await sample(services(), writer, { from: now - roundMs, until: now })
  }
}
const keep = () =>
  maintainBlocks({
    db: bed.db,
    now: new Date(now),
    retention: defaultSettings.metrics,
    isEnding: () => false,
  })

async function ask(query: string, who = member, project = 'atlas') {
  const { status, body } = await who.post(`/v1/timeseries/query?project=${project}`, { query })
  return status === 200 ? body.tables : `${status} ${body.message}`
}
const at = (ms: number) => `@${new Date(ms).toISOString().slice(0, -1)}`

beforeAll(async () => {
  bed = await testControlPlane({ idle: true, environment: { clock: () => new Date(now) } })
  member = await bed.signIn('member')
  admin = await bed.signIn('admin')
  await member.post('/v1/projects', { name: 'atlas', description: '' })
  await member.post('/v1/projects', { name: 'other', description: '' })
  writer = new DatabaseWriter(bed.db)
  const machine = { description: '', ncpus: 2, memory: 1024 ** 3, hostname: 'web', start: false }
  const disk = { type: 'create', name: 'd', description: '', size: 1024 ** 3 }
  const disks = [{ ...disk, disk_source: { type: 'blank', block_size: 512 } }]
  web = (await member.post('/v1/instances?project=atlas', { ...machine, name: 'web', disks })).body.id
  await member.post('/v1/instances?project=other', { ...machine, name: 'db' })
  await run('web', 'a')
  await run('db', 'b')
  await sampleUntil(start + 5 * minute)
})
afterAll(() => bed.stop())

/** A VMM that starts running now, without waiting for jobs. */
async function run(name: string, letter: string): Promise<string> {
  const instance = await bed.db
    .selectFrom('instance')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  const id = `${letter.repeat(8)}-0000-4000-8000-000000000000`
  await runMachine(bed.db, instance.id, id, now)
  return id
}

/** Before anything exists that could be named. */
const vcpuOf = () => 'get virtual_machine:vcpu_usage | filter state == "run"'

const vcpu = (more = '') => `get virtual_machine:vcpu_usage | filter instance_id == "${web}"${more}`

describe('a running instance', () => {
  test('has samples of each vCPU and state, whose states add up to the time', async () => {
    const [table] = await ask(vcpu(` && timestamp > ${at(now - minute)} && timestamp <= ${at(now)}`))
    expect(table.timeseries).toHaveLength(8)
    const sums = table.timeseries[0].points.timestamps.map((_: string, index: number) =>
      table.timeseries.reduce(
        (sum: number, { points }: any) => sum + points.values[0].values.values[index], // oxlint-disable-line typescript/no-explicit-any -- an answer of many shapes
        0,
      ),
    )
    expect(sums).toHaveLength(12)
    // The first point counts from the start of the virtual machine.
    expect(sums.slice(1)).toEqual(Array.from({ length: 11 }, () => 2 * 5e9))
  })

  test('answers the query of its CPU chart', async () => {
    const query = vcpu(` && timestamp >= ${at(start)} && timestamp < ${at(now)} && state == "run"`)
    const [table] = await ask(`${query} | align mean_within(60s) | group_by [instance_id], sum`)
    const [{ fields, points }] = table.timeseries
    expect(fields).toEqual({ instance_id: { type: 'uuid', value: web } })
    expect(points.timestamps).toHaveLength(5)
    for (const value of points.values[0].values.values) {
      expect(value).toBeGreaterThan(0)
      expect(value).toBeLessThan(2 * 5e9)
    }
  })

  test('has samples of its disks and interfaces', async () => {
    for (const name of ['virtual_disk:bytes_read', 'instance_network_interface:bytes_sent']) {
      const [table] = await ask(`get ${name} | filter timestamp > ${at(now - minute)}`)
      expect(table.timeseries).toHaveLength(1)
      expect(table.timeseries[0].points.timestamps).toHaveLength(6)
    }
  })

  test('is not seen from another project', async () => {
    const [table] = await ask(vcpu(), member, 'other')
    expect(table.timeseries).toEqual([])
  })
})

test('a project has no timeseries of the fleet', async () => {
  expect(await ask('get collection_target:cpus_provisioned')).toContain('400')
  expect(await ask('get nope:nothing | filter x == 1')).toBe('400 Timeseries not found for: nope:nothing')
})

test.each([
  // One check for the page of timeseries, and one for each instance.
  ['virtual_machine:vcpu_usage', 3],
  // One for each project, the silos and the fleet.
  ['collection_target:cpus_provisioned', 4],
])('reading %s checks the deadline of a query even while it finds nothing', async (name, least) => {
  let checks = 0
  const [from, to] = [(start - 2 * hour) * 1000, (start - hour) * 1000]
  const check = () => void checks++
  const source = timeseriesSource(bed.db, databaseStore, () => new Date(now))
  const request = { name, any: [{ tests: [], from, to }], from, to, maxPoints: 1000, check }
  for await (const one of source.read(request)) throw new Error(`found ${JSON.stringify(one.fields)}`)
  expect(checks).toBeGreaterThanOrEqual(least)
})

test.each([
  ['nothing', '', 400],
  ['no table', 'get', 400],
  ['an operation alone', 'filter x == 1', 400],
  ['no filter', 'get virtual_machine:vcpu_usage', 200],
  ['a window of nothing', `${vcpuOf()} | align mean_within(0s)`, 400],
  ['a window of a week', `${vcpuOf()} | align mean_within(7d)`, 200],
  ['a group by nothing', `${vcpuOf()} | align mean_within(1m) | group_by []`, 200],
  ['a group by what it lacks', `${vcpuOf()} | align mean_within(1m) | group_by [nothing]`, 400],
  ['a field that it lacks', 'get virtual_machine:vcpu_usage | filter nothing == 1', 400],
  ['another type', 'get virtual_machine:vcpu_usage | filter vcpu_id == "x"', 400],
  ['a regular expression without an end', `${vcpuOf()} && state ~= "(a+)+$"`, 200],
  ['one that refers to itself', `${vcpuOf()} && state ~= "(a)\\1"`, 400],
  ['one that is not closed', `${vcpuOf()} && state ~= "(a"`, 400],
  ['many repetitions', `${vcpuOf()} && state ~= "${'a?'.repeat(200)}${'a'.repeat(200)}"`, 200],
  ['no samples', `${vcpuOf()} && timestamp > @2031-01-01`, 200],
  ['all of them', 'get virtual_machine:vcpu_usage | filter timestamp > @1970-01-01', 200],
  ['the last none', `${vcpuOf()} | last 0`, 400],
])('a query of %s has an answer', async (_, query, status) => {
  const answer = await member.post('/v1/timeseries/query?project=atlas', { query })
  const isRefused = status !== 200
  expect([answer.status, typeof answer.body.message]).toEqual([status, isRefused ? 'string' : 'undefined'])
})

describe('tags are fields', () => {
  const tag = (kind: string, id: string, env: string) =>
    (kind === 'instance' ? member : admin).call('PUT', `/ext/v1/tags/${id}?kind=${kind}`, {
      tags: [{ key: 'env', value: env }],
    })
  const usage = (rest: string, who = member) =>
    ask(`get virtual_machine:vcpu_usage | filter timestamp > ${at(start)}${rest}`, who)
  const envs = (tables: { timeseries: { fields: Record<string, { value: string }> }[] }[]) =>
    [...new Set(tables[0]?.timeseries.map(({ fields }) => fields['tag.env']?.value ?? 'none'))].toSorted(
      (one, other) => one.localeCompare(other),
    )

  test('of the instance that the samples are of, empty where it has none', async () => {
    const grouped = ' | align mean_within(1m) | group_by [tag.env], sum'
    expect(envs(await usage(grouped))).toEqual([''])
    await tag('instance', web, 'prod')
    expect(envs(await usage(grouped))).toEqual(['prod'])
    expect(envs(await usage(' && tag.env == "prod" | first 1'))).toEqual(['prod'])
    expect((await usage(' && tag.env == "test"'))[0].timeseries).toEqual([])
    expect((await usage(' && tag.env ~= "^pr" | last 2'))[0].timeseries[0].points.timestamps).toHaveLength(2)
  })

  test('and of no object that others have, or that the caller does not see', async () => {
    const other = (await member.get('/v1/instances/db?project=other')).body.id
    await tag('instance', other, 'secret')
    expect(envs(await usage(' | align mean_within(1m) | group_by [tag.env]'))).toEqual(['prod'])
    const query = `get virtual_machine:vcpu_usage | filter timestamp > ${at(start)} && tag.env != "x"`
    const ofFleet = (await admin.post('/v1/system/timeseries/query', { query })).body.tables
    expect(envs(ofFleet)).toEqual([''])
    const sled = ofFleet[0].timeseries[0].fields.sled_id.value
    await tag('sled', sled, 'row-1')
    expect(envs((await admin.post('/v1/system/timeseries/query', { query })).body.tables)).toContain('row-1')
  })

  test('a query names a few of them, and none where nothing has tags', async () => {
    const many = Array.from({ length: 9 }, (_, index) => `tag.k${index} == "x"`).join(' && ')
    expect(await usage(` && ${many}`)).toContain('A query may name 8 tags at most')
    expect(await usage(' && tag. == "x"')).toMatch(/^400/)
    const query = 'get hardware_component:temperature | filter tag.env == "x" | last 1'
    const refused = await admin.post('/v1/system/timeseries/query', { query })
    expect(refused.body.message).toContain('tag.env')
    expect(refused.status).toBe(400)
  })
})

test('a query that finds nothing ends at its deadline', async () => {
  let time = now
  const clock = () => new Date((time += 20 * second))
  const asked = tablesOf(
    testServices({ db: bed.db, clock }),
    parseQuery(vcpu(` && timestamp < ${at(start)}`)),
    { place: 'fleet' },
  )
  await expect(asked).rejects.toThrow('Query takes longer than the current limit of 10 seconds')
})

describe('an operator', () => {
  const query = (text: string) => admin.post('/v1/system/timeseries/query', { query: text })

  test('sees sleds', async () => {
    const text = `get hardware_component:temperature | filter component_kind ~= "^sbtsi" | last 1`
    const { tables } = (await query(text)).body
    expect(tables[0].timeseries).toHaveLength(2 * 8)
  })

  test('sees the schemas of sampled timeseries, by name', async () => {
    const all = (await admin.get('/v1/system/timeseries/schemas')).body.items
    const names = all.map(({ timeseries_name }: { timeseries_name: string }) => timeseries_name)
    expect(names).toContain('virtual_machine:vcpu_usage')
    expect(names).toEqual(names.toSorted())
    const first = (await admin.get('/v1/system/timeseries/schemas?limit=3')).body
    const rest = (await admin.get(`/v1/system/timeseries/schemas?page_token=${first.next_page}`)).body
    expect([...first.items, ...rest.items]).toEqual(all)
  })

  test('may not read everything at once', async () => {
    const { status, body } = await query('get virtual_disk:reads')
    expect([status, body.message.split('.')[0]]).toEqual([
      400,
      'This query requires at least one full table scan',
    ])
  })
})

describe('provisioning', () => {
  const window = `start_time=${new Date(start - hour).toISOString()}&end_time=${new Date(start + hour).toISOString()}`
  const pages = (more: string, metric = 'virtual_disk_space_provisioned') =>
    member.get(`/v1/metrics/${metric}?${window}${more}`)

  test('is recorded at each change, for a project and for the silo', async () => {
    const inProject = (await pages('&project=atlas')).body.items
    expect(inProject).toEqual([
      { timestamp: new Date(start + 10 * second).toISOString(), datum: { type: 'i64', datum: 1024 ** 3 } },
    ])
    expect((await pages('')).body.items).toEqual(inProject)
    expect((await pages('&project=other')).body.items[0].datum).toEqual({ type: 'i64', datum: 0 })
    const fleet = await admin.get(`/v1/system/metrics/virtual_disk_space_provisioned?${window}`)
    expect(fleet.body.items).toEqual(inProject)
  })

  test('continues in the order that was asked for', async () => {
    const disk = { name: 'more', description: '', size: 1024 ** 3 }
    const source = { disk_source: { type: 'blank', block_size: 512 } }
    await member.post('/v1/disks?project=atlas', { ...disk, ...source })
    await sampleUntil(now + 10 * second)
    const first = (await pages('&project=atlas&order=descending&limit=1')).body
    const rest = (
      await member.get(`/v1/metrics/virtual_disk_space_provisioned?page_token=${first.next_page}`)
    ).body
    const sizes = [...first.items, ...rest.items].map(({ datum }) => datum.datum / 1024 ** 3)
    expect(sizes).toEqual([2, 1])
  })

  test('is a timeseries, too', async () => {
    const text = 'get collection_target:virtual_disk_space_provisioned | last 1'
    const { tables } = (await admin.post('/v1/system/timeseries/query', { query: text })).body
    const newest = tables[0].timeseries.map(
      (one: { points: { values: { values: { values: number[] } }[] } }) =>
        one.points.values[0]?.values.values[0],
    )
    expect(Math.max(...newest)).toBe(2 * 1024 ** 3)
  })

  test('of a deleted project is not scraped, and is forgotten with the records of its time', async () => {
    const { id } = (await member.post('/v1/projects', { name: 'brief', description: '' })).body
    await sampleUntil(now + 10 * second)
    // A VPC would keep the project.
    await member.call('DELETE', '/v1/vpc-subnets/default?project=brief&vpc=default')
    await member.call('DELETE', '/v1/vpcs/default?project=brief')
    expect((await member.call('DELETE', '/v1/projects/brief')).status).toBe(204)
    await sampleUntil(now + 10 * second)
    const ids = async () => {
      const rows = await bed.db.selectFrom('provisioned').select('id').distinct().orderBy('id').execute()
      return rows.map((row) => row.id)
    }
    const before = await ids()
    expect(before).toContain(id)
    const scraped = (await admin.get('/ext/v1/metrics/prometheus')).body
    expect(scraped).toContain('gantry_collection_target_cpus_provisioned{')
    expect(scraped).not.toContain(id)
    await forgetProvisioned(bed.db, new Date(now - minute))
    expect(await ids()).toEqual(before)
    await forgetProvisioned(bed.db, new Date(now + minute))
    expect(await ids()).toEqual(before.filter((one) => one !== id))
  })

  test.each([
    ['start_time=2026-01-01T00:00:00Z', 'missing field `end_time`'],
    ['start_time=x&end_time=2026-01-01T00:00:00Z', 'start_time: input is not an RFC 3339 timestamp'],
  ])('%s is refused', async (query, problem) => {
    const { status, body } = await member.get(`/v1/metrics/cpus_provisioned?${query}`)
    expect([status, body.message]).toEqual([400, `unable to parse query string: ${problem}`])
  })
})

describe('samples over time', () => {
  const last = (to: number, count = 12) =>
    vcpu(
      ` && state == "run" && vcpu_id == 0 && timestamp > ${at(to - count * 5 * second)} && timestamp <= ${at(to)}`,
    )
  const totals = async (query: string) => (await ask(query))[0].timeseries[0].points

  test('stay the same when they move into blocks, and after the coarser ones replace them', async () => {
    await sampleUntil(start + 6 * minute)
    await sampleUntil(start + 40 * minute, 2 * minute)
    const to = start + 6 * minute
    const before = await totals(last(to, 24))
    await keep()
    expect(await totals(last(to, 24))).toEqual(before)
    expect(
      await bed.db.selectFrom('metric_block').select('lane').where('tier', '=', 0).execute(),
    ).not.toEqual([])
    const { count } = await bed.db
      .selectFrom('metric_head')
      .select((eb) => eb.fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    // Only the rounds of the last window remain, because it is still open.
    expect(Number(count)).toBeLessThan(10)

    now += 3 * 24 * hour
    for (let run = 0; run < 40; run++) await keep()
    const blocks = await bed.db.selectFrom('metric_block').select('tier').distinct().orderBy('tier').execute()
    expect(blocks).toEqual([{ tier: 1 }, { tier: 2 }])
    // A session expires before three days.
    member = await bed.signIn('member')
    const after = await totals(last(to, 24))
    expect(after.timestamps).toEqual(before.timestamps)
    // The total of a minute is kept, but not its distribution within the minute.
    const ofLastMinute = (points: typeof after): number =>
      points.values[0].values.values.slice(-12).reduce((sum: number, value: number) => sum + value, 0)
    expect(ofLastMinute(after)).toBe(ofLastMinute(before))
  })

  test('a machine that does not run has none, and one that starts again counts from its start', async () => {
    const stopped = now
    await bed.db
      .updateTable('vmm')
      .set({ time_gone: new Date(now) })
      .execute()
    await sampleUntil(stopped + minute)
    await run('web', 'c')
    const restarted = now
    await sampleUntil(restarted + minute)
    const points = await totals(
      vcpu(` && state == "run" && vcpu_id == 0 && timestamp > ${at(stopped)} && timestamp <= ${at(now)}`),
    )
    expect(points.start_times[0]).toBe(new Date(restarted).toISOString())
    expect(points.timestamps).toHaveLength(12)
  })

  test('continues its timeseries after a restart on the same sled, apart from the gap', async () => {
    const before = now
    await bed.db
      .updateTable('vmm')
      .set({ time_gone: new Date(now) })
      .execute()
    await sampleUntil(before + minute)
    const restarted = now
    await run('web', 'e')
    await sampleUntil(restarted + minute)
    const span = ` && timestamp > ${at(before - minute)} && timestamp <= ${at(now)}`
    const [table] = await ask(vcpu(` && state == "run" && vcpu_id == 0${span}`))
    expect(table.timeseries).toHaveLength(1)
    const [{ points }] = table.timeseries
    expect(points.timestamps).toHaveLength(24)
    expect(points.start_times[12]).toBe(new Date(restarted).toISOString())
  })
})

test('the links of a sled count since the time that the fleet says', async () => {
  const { fleet, ...others } = services()
  const writer = new DatabaseWriter(bed.db)
  let [since, sent] = [now, 1_000_000]
  const measured = async (roundMs: number): Promise<void> => {
    now += roundMs
    const hosts: typeof fleet.measurements.hosts = async (...asked) =>
      new Map(
        [...(await fleet.measurements.hosts(...asked))].map(([id, usage]) => [
          id,
          {
            ...usage,
            links: usage.links.map((link) => ({
              ...link,
              since: new Date(since),
              bytes_sent: asked[1].map(() => sent),
            })),
          },
        ]),
      )
    const on = { ...others, fleet: { ...fleet, measurements: { ...fleet.measurements, hosts } } }
    await sample(on, writer, { from: now - roundMs, until: now })
  }
  const before = now
  await measured(10 * second)
  // The host starts again, and its cards with it.
  now += hour
  ;[since, sent] = [now, 400]
  await measured(10 * second)
  const text = `get sled_data_link:bytes_sent | filter link_name == "net0" && timestamp > ${at(before)}`
  // The earlier session has expired.
  admin = await bed.signIn('admin')
  const [table] = (await admin.post('/v1/system/timeseries/query', { query: text })).body.tables
  expect(table.timeseries).toHaveLength(8)
  for (const { points } of table.timeseries) {
    expect(points.values[0].values.values).toEqual([1_000_000, 400])
    expect(points.start_times[1]).toBe(new Date(since).toISOString())
  }
})

test('a first start has a day of past samples', async () => {
  const id = await run('db', 'd')
  await bed.db
    .updateTable('vmm')
    .set({ time_created: new Date(now - 30 * hour) })
    .where('id', '=', id)
    .execute()
  await samplePast(services(), writer, now)
  const from = at(now - 24 * hour)
  const query = `get virtual_disk:reads | filter timestamp > ${from} && timestamp <= ${at(now)}`
  expect(await ask(query, member, 'other')).toEqual([{ name: 'virtual_disk:reads', timeseries: [] }])
  const sent = 'get instance_network_interface:bytes_sent'
  const aligned = `${sent} | filter timestamp > ${from} && timestamp <= ${at(now)} | align mean_within(1h)`
  const [table] = await ask(aligned, member, 'other')
  expect(table.timeseries[0].points.timestamps).toHaveLength(24)
})

describe('a scrape', () => {
  const scrape = async (who: Caller, more = ''): Promise<string> =>
    (await who.get(`/ext/v1/metrics/prometheus${more}`)).body ?? ''
  /** Values of a metric by the value of one label. */
  const valuesOf = (text: string, name: string, label: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`))
      .map((line) => new RegExp(`${label}="([^"]*)"`).exec(line)?.[1])

  beforeAll(async () => {
    await sampleUntil(now + 10 * second)
    admin = await bed.signIn('admin')
    member = await bed.signIn('member')
  })

  test('shows an operator everything', async () => {
    const text = await scrape(admin)
    expect(valuesOf(text, 'gantry_hardware_component_power_watts', 'chassis_kind')).toHaveLength(8)
    expect(valuesOf(text, 'gantry_virtual_machine_vcpu_usage_seconds_total', 'state')).toContain('run')
    expect(text).toMatch(/^# TYPE gantry_virtual_disk_bytes_read_total counter$/m)
  })

  test('shows others what they may see', async () => {
    const ofMember = await scrape(member)
    expect(ofMember).not.toContain('chassis_kind')
    expect(new Set(valuesOf(ofMember, 'gantry_instance_info', 'instance_name'))).toEqual(
      new Set(['db', 'web']),
    )
    const nobody = await bed.addUser('nobody')
    const text = await scrape(nobody)
    expect(text).not.toContain('instance_id')
    // Every member may see the provisioning of the silo.
    expect(valuesOf(text, 'gantry_collection_target_cpus_provisioned', 'id')).toHaveLength(1)
    expect((await nobody.get('/ext/v1/metrics/prometheus?project=atlas')).status).toBe(404)
  })

  test('can be limited to a project', async () => {
    const text = await scrape(member, '?project=other')
    expect(valuesOf(text, 'gantry_instance_info', 'instance_name')).toEqual(['db'])
    expect(valuesOf(text, 'gantry_virtual_machine_vcpu_usage_seconds_total', 'instance_id')).not.toContain(
      web,
    )
  })
})

test('a timeseries whose number could not be stored is numbered in the next round', async () => {
  const writer = new DatabaseWriter(bed.db)
  const source = 'instance:fresh'
  const timeseries = [{ name: 'a:b', fields: {}, times: [now], values: [1] }]
  const write = () => writer.write([{ source, timeseries }], new Date(now))
  await sql`ALTER TABLE timeseries ADD CONSTRAINT full_disk CHECK (slot < 0) NOT VALID`.execute(bed.db)
  await expect(write()).rejects.toThrow('full_disk')
  await sql`ALTER TABLE timeseries DROP CONSTRAINT full_disk`.execute(bed.db)
  await write()
  const numbered = bed.db
    .selectFrom('timeseries as t')
    .innerJoin('metric_lane as l', 'l.id', 't.lane')
    .where('l.source', '=', source)
    .select(['t.slot', 't.name'])
  expect(await numbered.execute()).toEqual([{ slot: 0, name: 'a:b' }])
})
