import type { UsageReport } from '@gantry/api/usage/usage'
import { type Meter, meters, unitHour, usingStates } from '@gantry/api/usage/usage.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { made } from '../../testing/hidden-things.ts'
import { testServices } from '@gantry/control-plane/testing/services'
import { countUsage } from './count.ts'

const GiB = 2 ** 30
const begin = Date.UTC(2031, 9, 29, 20)

let bed: TestBed
let admin: Caller
let now = begin
beforeAll(async () => {
  bed = await testControlPlane({ idle: true, environment: { clock: () => new Date(now) } })
  admin = await bed.signIn('admin')
})
afterAll(() => bed.stop())

const services = () => testServices({ db: bed.db, clock: () => new Date(now) })
const get = async (path: string, by = admin): Promise<UsageReport> => {
  const { status, body } = await by.get(path)
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
  return body
}

/** The same numbers each time, so that a failure can be repeated. */
function randomly(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

interface Contents {
  project_id: string | null
  tags?: Record<string, string> | null
  ncpus?: number
  memory?: number
  run_state?: string
  size?: number
}

/** Each second of each object, by its records alone: as slow as it is plain. */
async function recounted(
  from: number,
  to: number,
  lineOf: (contents: Contents) => string | undefined,
): Promise<Map<string, Record<Meter, number>>> {
  const kinds = ['instance', 'disk', 'snapshot', 'image', 'floating-ip']
  const records = await bed.db
    .selectFrom('change')
    .select(['object_id', 'kind', 'time', 'generation', 'after'])
    .where('kind', 'in', kinds)
    .execute()
  const sums = new Map<string, Map<Meter, bigint>>()
  for (const id of new Set(records.map(({ object_id }) => object_id))) {
    const own = records
      .filter(({ object_id }) => object_id === id)
      .sort((one, other) => one.generation - other.generation)
    own.forEach(({ kind, time, after }, index) => {
      const contents = after as Contents | null
      if (!contents) return
      const until = own[index + 1]?.time.getTime() ?? to
      const seconds = (ms: number) => Math.floor(Math.min(Math.max(ms, from), to) / 1000)
      const lasted = BigInt(seconds(until) - seconds(time.getTime()))
      const line = lineOf(contents)
      if (line === undefined || lasted === 0n) return
      const add = (meter: Meter, units: number) => {
        const row = sums.get(line) ?? new Map<Meter, bigint>()
        row.set(meter, (row.get(meter) ?? 0n) + lasted * BigInt(units))
        sums.set(line, row)
      }
      if (kind === 'floating-ip') add('address', 1)
      else if (kind !== 'instance') add(kind as Meter, contents.size ?? 0)
      else if ((usingStates as readonly string[]).includes(contents.run_state ?? '')) {
        add('vcpu', contents.ncpus ?? 0)
        add('memory', contents.memory ?? 0)
      }
    })
  }
  return new Map(
    [...sums].map(([line, row]) => [
      line,
      Object.fromEntries(
        meters.map((meter) => [meter, Number(row.get(meter) ?? 0n) / unitHour[meter]]),
      ) as Record<Meter, number>,
    ]),
  )
}

const byText = ([one]: [string, unknown], [other]: [string, unknown]) => one.localeCompare(other)
const told = ({ lines }: UsageReport, of: (line: UsageReport['lines'][number]) => string) =>
  lines.map((line) => [of(line), line.hours] as [string, Record<Meter, number>]).sort(byText)
const sorted = (sums: Map<string, Record<Meter, number>>) => [...sums].sort(byText)

test('what random histories used is what their records say, second by second', async () => {
  const below = randomly(7)
  const projects = ['north', 'south']
  for (const name of projects) await made(admin, '/v1/projects', { name, description: '' })
  const ids: Record<string, string[]> = {
    instances: [],
    disks: [],
    snapshots: [],
    'floating-ips': [],
    images: [],
  }
  const some = <Item>(items: readonly Item[]) => items[below(items.length)]
  const create: Record<string, (name: string) => object> = {
    instances: (name) => ({
      name,
      description: '',
      hostname: name,
      ncpus: 1 + below(4),
      memory: (1 + below(4)) * GiB,
      network_interfaces: { type: 'none' },
      start: below(3) > 0,
    }),
    disks: (name) => ({
      name,
      description: '',
      size: (1 + below(4)) * GiB,
      disk_source: { type: 'blank', block_size: 512 },
    }),
    'floating-ips': (name) => ({ name, description: '', address_allocator: { type: 'auto' } }),
    snapshots: (name) => ({ name, description: '', disk: some(ids.disks ?? []) }),
    images: (name) => ({
      name,
      description: '',
      os: 'debian',
      version: '13',
      source: { type: 'snapshot', id: some(ids.snapshots ?? []) },
    }),
  }
  let number = 0
  const outcomes: number[] = []
  for (let step = 0; step < 300; step++) {
    now += 1000 * below(2 * 1500) + below(1000)
    // Sessions end after some hours.
    if (step % 10 === 0) admin = await bed.signIn('admin')
    const list = some(Object.keys(create)) ?? 'disks'
    const known = ids[list] ?? []
    const act = below(10)
    if (act < 4 || known.length === 0) {
      const path = `/v1/${list}?project=${some(projects)}`
      const { status, body } = await admin.post(path, create[list]?.(`x-${number++}`))
      outcomes.push(status)
      if (status === 201) known.push(body.id)
    } else if (act < 6) {
      const id = known.splice(below(known.length), 1)[0] ?? ''
      const { status } = await admin.call('DELETE', `/v1/${list}/${id}`)
      outcomes.push(status)
      if (status >= 400) known.push(id)
    } else if (act < 8 && list === 'instances') {
      const { status } = await admin.post(`/v1/instances/${some(known)}/${some(['start', 'stop'])}`)
      outcomes.push(status)
    } else if (act < 8 && list === 'images') {
      const way = some(['promote', `demote?project=${some(projects)}`])
      outcomes.push((await admin.post(`/v1/images/${some(known)}/${way}`)).status)
    } else {
      const kind = list === 'floating-ips' ? 'floating-ip' : list.slice(0, -1)
      const tags = below(4) === 0 ? [] : [{ key: 'env', value: some(['prod', 'test', '']) }]
      const { status } = await admin.call('PUT', `/ext/v1/tags/${some(known)}?kind=${kind}`, { tags })
      outcomes.push(status)
    }
    // At any time, in two processes at once.
    if (below(12) === 0) await Promise.all([countUsage(services()), countUsage(services())])
  }
  expect(outcomes.filter((status) => status < 400).length, 'most of it was done').toBeGreaterThan(100)
  await countUsage(services())
  admin = await bed.signIn('admin')
  const days = await bed.db.selectFrom('usage_day').selectAll().execute()
  expect(days.length, 'days were counted').toBeGreaterThan(0)

  const used: Record<Meter, number>[] = []
  for (const month of ['2031-10', '2031-11']) {
    const from = Date.parse(`${month}-01T00:00:00Z`)
    const to = Math.floor(Math.min(month === '2031-10' ? Date.UTC(2031, 10) : now, now) / 1000) * 1000
    const report = await get(`/ext/v1/usage?month=${month}`)
    expect(Date.parse(report.through)).toBe(to)
    expect(told(report, ({ project }) => project?.id ?? '')).toEqual(
      sorted(await recounted(from, to, ({ project_id }) => project_id ?? '')),
    )
    const byTag = await get(`/ext/v1/usage?month=${month}&tag=env`)
    expect(told(byTag, ({ tag }) => tag ?? 'none')).toEqual(
      sorted(await recounted(from, to, ({ tags }) => tags?.env ?? 'none')),
    )
    used.push(report.total.hours)
    // The days add up to the month; floating-point sums of them differ in their last digits.
    const inDays = report.days.reduce((sum, { hours }) => sum + hours.disk, 0)
    expect(inDays).toBeCloseTo(report.total.hours.disk, 6)
    const system = await get(`/ext/v1/system/usage?month=${month}`)
    expect(system.total.hours.vcpu).toBeCloseTo(report.total.hours.vcpu, 6)
  }
  expect(meters.filter((meter) => used.every((hours) => hours[meter] === 0))).toEqual([])
}, 120_000)

test('a month is still right when its change records are gone', async () => {
  const before = await get('/ext/v1/usage?month=2031-10')
  now = Date.UTC(2031, 11, 20)
  admin = await bed.signIn('admin')
  await countUsage(services())
  const november = await get('/ext/v1/usage?month=2031-11')
  await bed.db.deleteFrom('change').execute()
  const after = await get('/ext/v1/usage?month=2031-10')
  expect(after.lines).toEqual(before.lines)
  expect((await get('/ext/v1/usage?month=2031-11')).total).toEqual(november.total)
  await countUsage(services())
  expect((await get('/ext/v1/usage?month=2031-10')).total, 'counted once').toEqual(before.total)
})

test('each sees what is theirs, and operators the silos', async () => {
  const id = await made(admin, '/v1/projects', { name: 'east', description: '' })
  const someone = await bed.addUser('someone', { roles: [{ at: { project: id }, role: 'viewer' }] })
  const path = '/ext/v1/usage?month=2031-11'
  expect((await get(path, someone)).lines, 'of no other project').toEqual([])
  expect((await get(path)).lines.length).toBeGreaterThan(0)
  expect((await someone.get(`${path}&project=north`)).status).toBe(404)
  expect((await someone.get('/ext/v1/system/usage?month=2031-11')).status).toBe(403)
  const system = await get('/ext/v1/system/usage?month=2031-11')
  expect(system.lines.every(({ project, silo }) => project === null && silo !== null)).toBe(true)
})

test('prices are the operators’, and a bad month is refused with what to write', async () => {
  const prices = { vcpu: 0.5, memory: 0, disk: 0, snapshot: 0, image: 0, address: 0 }
  const set = await admin.call('PUT', '/ext/v1/system/usage-prices', { currency: 'EUR', prices })
  expect(set.status).toBe(200)
  const report = await get('/ext/v1/usage?month=2031-11')
  expect(report.currency).toBe('EUR')
  expect(report.total.cost).toBeCloseTo(report.total.hours.vcpu * 0.5, 6)
  const refused = await admin.get('/ext/v1/usage?month=october')
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('2026-10')])
  const early = await admin.get('/ext/v1/usage?month=2033-01')
  expect([early.status, early.body.message]).toEqual([400, 'the month has not begun'])
})
