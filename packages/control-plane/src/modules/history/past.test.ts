import type { PastObject } from '@gantry/api/history/past'
import { pastDeletedMax } from '@gantry/api/history/past.rules'
import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultSettings } from '../../settings.ts'
import { type Caller, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { withNote } from '../../testing/counted-statements.ts'
import { made } from '../../testing/hidden-things.ts'
import { migratedDatabase } from '../../testing/migrated-database.ts'
import { rounds } from '../../testing/rounds.ts'

const GiB = 2 ** 30
const at = 'project=atlas'
const minute = 60_000

let bed: TestBed
let member: Caller
let viewer: Caller
let operator: Caller
let ahead = 0
const now = () => new Date(Date.now() + ahead)
let sent: CompiledQuery[] = []
beforeAll(async () => {
  const dialect = withNote(await migratedDatabase(), (text, parameters) => {
    if (text.includes('change c')) sent.push(CompiledQuery.raw(text, [...parameters]))
  })
  bed = await testControlPlane({ dialect, idle: true, environment: { clock: now } })
  member = await bed.signIn('member')
  viewer = await bed.signIn('viewer')
  operator = await bed.signIn('admin')
  await made(member, '/v1/projects', { name: 'atlas', description: '' })
})
afterAll(() => bed.stop())

const get = async (path: string, by = viewer) => {
  const { status, body } = await by.get(path)
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
  return body
}
const moment = (ms: number): string => encodeURIComponent(new Date(ms).toISOString())
async function listAt(kind: string, ms: number, more = at): Promise<PastObject[]> {
  const items: PastObject[] = []
  const query = `kind=${kind}&at=${moment(ms)}&${more}&limit=100`
  for (let token = ''; ;) {
    const page = await get(`/ext/v1/past?${query}${token}`)
    items.push(...page.items)
    if (!page.next_page) return items
    token = `&page_token=${encodeURIComponent(page.next_page)}`
  }
}
const objectAt = (kind: string, id: string, ms: number): Promise<PastObject> =>
  get(`/ext/v1/past/${id}?kind=${kind}&at=${moment(ms)}`)

/** The same numbers each time, so that a failure can be repeated. */
function randomly(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const blank = { type: 'blank', block_size: 512 }
const rule = (name: string, priority: number) => ({
  name,
  description: '',
  status: 'enabled',
  direction: 'inbound',
  targets: [{ type: 'vpc', value: 'default' }],
  filters: { hosts: null, ports: ['22'], protocols: null },
  action: 'allow',
  priority,
})

interface Copy {
  from: number
  until: number
  /** What the API answers at that time, by kind and then by id. */
  kinds: Record<string, Map<string, Record<string, unknown>>>
}

/** The fields of the API that tell the state of an object. */
// oxlint-disable-next-line typescript/no-explicit-any -- answers of several shapes
const told: Record<string, (object: any) => Record<string, unknown>> = {
  instance: ({ name, description, ncpus, memory, hostname, run_state, auto_restart_policy }) => ({
    name,
    description,
    ncpus,
    memory,
    hostname,
    run_state,
    auto_restart_policy: auto_restart_policy ?? null,
  }),
  disk: ({ name, description, size, state, block_size }) => ({
    name,
    description,
    size,
    block_size,
    state: state.state,
  }),
  'vpc-firewall-rule': ({ name, priority, status, direction, action, filters, targets }) => ({
    name,
    priority,
    status,
    direction,
    action,
    filters,
    targets,
  }),
}

async function copyNow(): Promise<Copy['kinds']> {
  const rows = {
    instance: (await get(`/v1/instances?${at}&limit=100`, member)).items,
    disk: (await get(`/v1/disks?${at}&limit=100`, member)).items,
    'vpc-firewall-rule': (await get(`/v1/vpc-firewall-rules?${at}&vpc=default`, member)).rules,
  }
  return Object.fromEntries(
    Object.entries(rows).map(([kind, objects]) => [
      kind,
      new Map(objects.map((object: { id: string }) => [object.id, told[kind]?.(object) ?? {}])),
    ]),
  )
}

test('a random history, rebuilt at many instants, is what was copied then', async () => {
  const random = randomly(43)
  const copies: Copy[] = []
  let names = 0
  const call = (method: string, path: string, body?: object) => member.call(method, path, body)
  const actions = [
    () =>
      call('POST', `/v1/instances?${at}`, {
        name: `vm-${++names}`,
        description: '',
        ncpus: 1 + random(4),
        memory: GiB,
        hostname: 'vm',
        start: random(2) === 0,
        network_interfaces: { type: 'none' },
      }),
    () =>
      call('POST', `/v1/disks?${at}`, {
        name: `disk-${++names}`,
        description: '',
        size: (1 + random(4)) * GiB,
        disk_source: blank,
      }),
    (instance: string) =>
      call('PUT', `/v1/instances/${instance}?${at}`, {
        ncpus: 1 + random(8),
        memory: (1 + random(8)) * GiB,
        boot_disk: null,
        auto_restart_policy: random(2) === 0 ? 'never' : null,
        hostname: 'vm',
      }),
    (instance: string) => call('POST', `/v1/instances/${instance}/start?${at}`),
    (instance: string) => call('POST', `/v1/instances/${instance}/stop?${at}`),
    (instance: string) => call('DELETE', `/v1/instances/${instance}?${at}`),
    (instance: string, disk: string) =>
      call('POST', `/v1/instances/${instance}/disks/attach?${at}`, { disk }),
    (instance: string, disk: string) =>
      call('POST', `/v1/instances/${instance}/disks/detach?${at}`, { disk }),
    (_: string, disk: string) => call('DELETE', `/v1/disks/${disk}?${at}`),
    () =>
      call('PUT', `/v1/vpc-firewall-rules?${at}&vpc=default`, {
        rules: Array.from({ length: random(6) }, (_, index) => rule(`rule-${index}`, 1 + random(50))),
      }),
  ]
  const any = (of: Map<string, unknown> | undefined): string =>
    [...(of?.keys() ?? [])][random(of?.size || 1)] ?? 'none'
  for (let step = 0; step < 150; step++) {
    const last = copies.at(-1)?.kinds
    await actions[random(actions.length)]?.(any(last?.instance), any(last?.disk))
    const from = now().getTime()
    copies.push({ from, until: 0, kinds: await copyNow() })
    ahead += minute
    const copy = copies.at(-1)
    if (copy) copy.until = now().getTime() - 1000
  }
  const counts = copies.map(({ kinds }) => Object.values(kinds).map(({ size }) => size))
  // The history is worth its name.
  expect(new Set(counts.map(String)).size).toBeGreaterThan(30)
  for (let instant = 0; instant < rounds({ sample: 300, all: 1000 }); instant++) {
    const { from, until, kinds } = copies[random(copies.length)] as Copy
    const ms = from + random(until - from)
    const [kind = '', expected] = Object.entries(kinds)[random(3)] ?? []
    const more = kind === 'vpc-firewall-rule' ? `${at}&vpc=default` : at
    const listed = await listAt(kind, ms, more)
    const found = new Map(listed.map(({ id, fields }) => [id, fields]))
    expect([...found.keys()].toSorted()).toEqual([...(expected?.keys() ?? [])].toSorted())
    for (const [id, fields] of expected ?? []) expect(found.get(id)).toMatchObject(fields)
    // One of them alone, and what differs from the newest copy.
    const id = any(expected)
    if (id === 'none') continue
    const object = await objectAt(kind, id, ms)
    expect(object.fields).toMatchObject(expected?.get(id) ?? {})
    const isNow = copies.at(-1)?.kinds[kind]?.get(id)
    expect(object.is_gone).toBe(isNow === undefined)
    for (const { field, before, after } of object.differences) {
      expect(before).not.toEqual(after)
      expect(isNow && field in isNow ? isNow[field] : after).toEqual(after)
    }
  }
}, 600_000)

test('an object refers to others by their names, and secrets of it are not told', async () => {
  const user_data = btoa('password: heron')
  const id = await made(member, `/v1/instances?${at}`, {
    name: 'holder',
    description: '',
    ncpus: 1,
    memory: GiB,
    hostname: 'holder',
    start: false,
    user_data,
    network_interfaces: { type: 'none' },
    disks: [{ type: 'create', name: 'held', description: '', size: GiB, disk_source: blank }],
  })
  const before = now().getTime()
  ahead += minute
  expect((await listAt('disk', before)).find(({ name }) => name === 'held')?.fields).toMatchObject({
    instance: 'holder',
  })
  const object = await objectAt('instance', id, before)
  expect(JSON.stringify(object)).not.toContain(user_data)
  expect(object).toMatchObject({ name: 'holder', differences: [], is_gone: false, time_changed: null })
  expect((await objectAt('instance', id, before - 30 * minute)).fields).toBeNull()
})

test('a moment without records is refused with the earliest one that has them', async () => {
  const { id, time_created } = await get('/v1/projects/atlas')
  const path = (ms: number) => `/ext/v1/past?kind=disk&${at}&at=${moment(ms)}`
  const early = await viewer.get(path(Date.parse(time_created) - 1))
  expect(early).toMatchObject({ status: 400, body: { help: expect.stringContaining(time_created) } })
  const { changes_retention_days } = defaultSettings.audit
  const long = now().getTime() - (changes_retention_days + 1) * 86_400_000
  const forgotten = await viewer.get(`/ext/v1/past/${id}?kind=project&at=${moment(long)}`)
  expect(forgotten).toMatchObject({ status: 400, body: { help: /^The earliest possible moment is 20/ } })
  expect((await viewer.get(path(now().getTime() + 10 * minute))).status).toBe(400)
  expect((await viewer.get(path(now().getTime() + 10_000))).status).toBe(200)
  const noVpc = await viewer.get(`/ext/v1/past?kind=vpc-firewall-rule&${at}&at=${moment(now().getTime())}`)
  expect(noVpc.status).toBe(400)
  expect((await viewer.get(`/ext/v1/past?kind=disk&${at}&at=yesterday`)).status).toBe(400)
})

test('what was in a project that one has lost is gone too', async () => {
  const { id: project } = await get('/v1/projects/atlas')
  const id = await made(member, `/v1/disks?${at}`, {
    name: 'secret',
    description: '',
    size: GiB,
    disk_source: blank,
  })
  const moments = now().getTime()
  ahead += minute
  const guest = await bed.addUser('guest', { roles: [{ at: { project }, role: 'viewer' }] })
  const object = `/ext/v1/past/${id}?kind=disk&at=${moment(moments)}`
  const list = `/ext/v1/past?kind=disk&${at}&limit=1&at=${moment(moments)}`
  expect((await guest.get(object)).status).toBe(200)
  const { next_page } = await get(list, guest)
  await sql`WITH ended AS (DELETE FROM role_assignment WHERE identity_id = ${guest.id})
    UPDATE counter SET value = value + 1 WHERE name = 'roles'`.execute(bed.db)
  ahead += minute
  for (const path of [object, list, `${list}&page_token=${encodeURIComponent(next_page)}`])
    expect((await guest.get(path)).status).toBe(404)
  const stranger = await bed.addUser('stranger', {
    siloId: await bed.addSilo('strangers'),
    roles: [{ at: 'silo', role: 'admin' }],
  })
  for (const path of [object, list]) expect((await stranger.get(path)).status).toBe(404)
  // An id of another kind, and one of nothing, are alike.
  const other = await viewer.get(`/ext/v1/past/${id}?kind=instance&at=${moment(moments)}`)
  const none = await viewer.get(`/ext/v1/past/${crypto.randomUUID()}?kind=instance&at=${moment(moments)}`)
  expect([other.status, none.status]).toEqual([404, 404])
  // It is deleted, and those who see the project see what it was.
  await member.call('DELETE', `/v1/disks/secret?${at}`)
  expect(await objectAt('disk', id, moments)).toMatchObject({
    name: 'secret',
    is_gone: true,
    differences: [],
  })
})

interface Plan {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}
const scanned = (plan: Plan): number =>
  plan['Relation Name'] === 'change'
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : (plan.Plans ?? []).reduce((sum, each) => sum + scanned(each), 0)
async function examinedBy({ sql: text, parameters }: CompiledQuery): Promise<number> {
  const { rows } = await bed.db.executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    CompiledQuery.raw(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...parameters]),
  )
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
  return plan ? scanned(plan) : Number.NaN
}

test('a project with a hundred thousand changes costs as much as any other', async () => {
  await made(member, '/v1/projects', { name: 'busy', description: '' })
  const id = await made(member, '/v1/disks?project=busy', {
    name: 'busy',
    description: '',
    size: GiB,
    disk_source: blank,
  })
  const created = await bed.db
    .selectFrom('change')
    .select('time')
    .where('object_id', '=', id)
    .executeTakeFirstOrThrow()
  const begin = created.time.getTime()
  const many = (count: number, op: string, object: string) =>
    sql`INSERT INTO change (id, seq, transaction_id, position, time, silo_id, project_id, kind, op, object_id, name,
        generation, before, after, actor, request_id, operation)
      SELECT md5(${op} || n)::uuid, NULL, c.transaction_id, 0, c.time + interval '1 hour' + n * interval '1 millisecond', c.silo_id, c.project_id,
        'disk', ${op}, ${sql.raw(object)}, 'gone-' || n, 1 + n, c.after || jsonb_build_object('description', n), NULL, c.actor,
        c.request_id, c.operation
      FROM change c, generate_series(1, ${count}::int) n WHERE c.object_id = ${id} AND c.op = 'create'`.execute(
      bed.db,
    )
  await many(100_000, 'update', 'c.object_id')
  await many(pastDeletedMax, 'delete', `md5('object' || n)::uuid`)
  await sql`ANALYZE change`.execute(bed.db)
  ahead += 120 * minute
  sent = []
  const list = await get(`/ext/v1/past?kind=disk&project=busy&limit=50&at=${moment(begin)}`)
  expect(list.items).toHaveLength(50)
  const object = await objectAt('disk', id, begin + 60 * minute + 30)
  expect(object.fields?.description).toBe(31)
  const examined = await Promise.all(sent.splice(0).map(examinedBy))
  for (const rows of examined) expect(rows).toBeLessThanOrEqual(pastDeletedMax + 2)
  // All of them, page after page, while sixteen others read the same page.
  const ids = (items: readonly PastObject[]) => new Set(items.map((each) => each.id))
  const others = Array.from({ length: 16 }, () =>
    get(`/ext/v1/past?kind=disk&project=busy&limit=50&at=${moment(begin)}`),
  )
  const items = await listAt('disk', begin, 'project=busy')
  expect(items).toHaveLength(pastDeletedMax + 1)
  expect(ids(items).size).toBe(items.length)
  for (const other of await Promise.all(others)) expect(ids(other.items)).toEqual(ids(list.items))
  // One more is too many, and the refusal says from when on it is possible.
  await sql`INSERT INTO change SELECT (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(),
      'object_id', gen_random_uuid(), 'time', c.time + interval '1 minute'))).* FROM change c
    WHERE c.id = md5('delete1')::uuid`.execute(bed.db)
  const refused = await viewer.get(`/ext/v1/past?kind=disk&project=busy&at=${moment(begin)}`)
  expect(refused).toMatchObject({ status: 400, body: { message: expect.stringMatching(/more than 5000/) } })
  const [, earliest = ''] = /is (\S+)\.$/.exec(refused.body.help) ?? []
  expect(
    (await viewer.get(`/ext/v1/past?kind=disk&project=busy&at=${encodeURIComponent(earliest)}`)).status,
  ).toBe(200)
  await sql`DELETE FROM change WHERE name LIKE 'gone-%'`.execute(bed.db)
  expect((await operator.get('/v1/me')).status).toBe(200)
}, 600_000)
