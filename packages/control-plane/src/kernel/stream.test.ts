import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Caller,
  eventually,
  type Following,
  testControlPlane,
  type TestBed,
} from '../testing/control-plane.ts'
import { defaultSettings } from '../settings.ts'
import { Bell, changeStream, RecentChanges } from './stream.ts'

let bed: TestBed
let admin: Caller
let playground: string
beforeAll(async () => {
  bed = await testControlPlane()
  admin = await bed.signIn('admin')
  playground = (await admin.get('/v1/projects/playground')).body.id
})
afterAll(() => bed.stop())

const follow = async (...given: Parameters<TestBed['follow']>): Promise<Following> => {
  const stream = await bed.follow(...given)
  await eventually(
    async () => stream.events,
    (events) => events.some(({ event }) => event === 'ready'),
  )
  return stream
}
const tells = (stream: Following, what: string) =>
  eventually(
    async () => stream.told(),
    (told) => told.includes(what),
  )
const addKey = (who: Caller, name: string) =>
  who.post('/v1/me/ssh-keys', { name, description: '', public_key: 'k' })
const addProject = (name: string) => admin.post('/v1/projects', { name, description: '' })
const describeProject = (name: string) =>
  admin.call('PUT', `/v1/projects/${name}`, { description: crypto.randomUUID() })
/** Only what a stream reaches for. */
function reachingFor(db: object): never {
  const bell = new Bell()
  const recentChanges = new RecentChanges(db as never, bell)
  return { db, bell, recentChanges, clock: () => new Date(), log: { info: () => {} } } as never
}
const viewer = {
  kind: 'silo_user',
  silo_id: 'silo',
  fleet: undefined,
  silo: 'viewer',
  project: () => undefined,
} as never
const ids = (stream: Following) => stream.events.filter(({ event }) => event === 'change').map(({ id }) => id)

test('an answer says from where on the stream tells of everything that it does not hold', async () => {
  const answer = await eventually(
    () => admin.get('/v1/projects'),
    ({ headers }) => headers.has('x-change-seq'),
  )
  await addProject('after-the-answer')
  const stream = await follow(admin, { since: Number(answer.headers.get('x-change-seq')) })
  await tells(stream, 'create project after-the-answer')
  expect(stream.told()).toContain('create project after-the-answer')
})

test('tells of each change once, in order, as it was made', async () => {
  const stream = await follow(admin)
  await addProject('told')
  await admin.call('PUT', '/v1/projects/told', { name: 'retold' })
  await tells(stream, 'update project retold')
  const told = stream.told()
  expect(told[0]).toBe('create project told')
  expect(told.at(-1)).toBe('update project retold')
  expect(told).toContain('create vpc-subnet default')
  const change = stream.events.find(({ event }) => event === 'change')?.data
  expect(Object.keys(change ?? {}).sort()).toEqual([
    'id',
    'kind',
    'name',
    'op',
    'project_id',
    'seq',
    'time',
    'version',
  ])
  const numbers = ids(stream)
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index))
  stream.close()
  await eventually(async () => stream.ended(), Boolean)
})

test('goes on from the last number seen, without a gap or a repeat, while many write', async () => {
  const whole = await follow(admin)
  const pieces: number[] = []
  let at: number | undefined
  const writing = Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 12; n++) await addKey(admin, `writer-${writer}-${n}`)
    }),
  )
  for (let cut = 0; cut < 12; cut++) {
    const stream = await follow(admin, at === undefined ? {} : { lastEventId: String(at) })
    at ??= stream.events[0]?.id
    await new Promise((resolve) => setTimeout(resolve, 15))
    stream.close()
    pieces.push(...ids(stream))
    at = ids(stream).at(-1) ?? at
  }
  await writing
  await addKey(admin, 'the-end')
  await tells(whole, 'create ssh-key the-end')
  const rest = await follow(admin, { since: at ?? 0, lastEventId: String(at) })
  await tells(rest, 'create ssh-key the-end')
  pieces.push(...ids(rest))
  const all = ids(whole)
  expect(pieces).toEqual(all.filter((id) => id >= (pieces[0] ?? 0)))
  expect(all).toHaveLength(97)
  whole.close()
  rest.close()
})

describe('starting somewhere else', () => {
  test.each(['x', '-1', '1.5', '1e3', '0x1', '9'.repeat(20), '1,2'])(
    'Last-Event-ID %s is refused',
    async (lastEventId) => {
      await expect(bed.follow(admin, { lastEventId })).rejects.toThrow(
        /answered 400: .*not a sequence number/s,
      )
    },
  )

  test('a number from another database means looking at everything anew', async () => {
    const stream = await follow(admin, { since: 1_000_000 })
    expect(stream.events.map(({ event }) => event)).toEqual(['reset', 'ready'])
    await addProject('after-reset')
    await tells(stream, 'create project after-reset')
    stream.close()
  })

  test('so does a number from before what is kept, also when nothing is kept', async () => {
    const last = (await follow(admin)).events[0]?.id ?? 0
    await eventually(
      () => sql<{ n: number }>`SELECT count(*) AS n FROM change WHERE seq IS NULL`.execute(bed.db),
      ({ rows }) => rows[0]?.n === 0,
    )
    await sql`DELETE FROM change WHERE seq < ${last - 5}`.execute(bed.db)
    const events = async (since: number) => {
      const stream = await follow(admin, { since })
      stream.close()
      return stream.events.map(({ event }) => event)[0]
    }
    expect(await events(last - 8)).toBe('reset')
    expect(await events(last - 6)).toBe('ready')
    await sql`DELETE FROM change`.execute(bed.db)
    expect(await events(last - 1)).toBe('reset')
    expect(await events(last)).toBe('ready')
  })
})

describe('what is heard', () => {
  test('only what may be seen, and nothing once the role is gone', async () => {
    const guest = await bed.addUser('guest', { roles: [{ at: { project: playground }, role: 'viewer' }] })
    const stream = await follow(guest)
    const all = await follow(admin)
    await addProject('secret')
    await describeProject('secret')
    await describeProject('playground')
    await addKey(guest, 'own')
    await tells(stream, 'update project playground')
    expect(stream.told().filter((line) => line.includes('secret') || line.includes('vpc'))).toEqual([])

    const silent = await admin.call('PUT', '/v1/projects/playground/policy', { role_assignments: [] })
    expect(silent.status).toBe(200)
    await describeProject('playground')
    await addProject('last')
    await tells(all, 'create project last')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(stream.told().filter((line) => line === 'update project playground')).toHaveLength(1)
    for (const one of [stream, all]) one.close()
  })

  test('of the fleet only by those who may look at it', async () => {
    const [mine, theirs] = [await follow(await bed.signIn('viewer')), await follow(admin)]
    const sled = await bed.db.selectFrom('sled').select('id').executeTakeFirstOrThrow()
    await admin.post('/ext/v1/faults', { kind: 'sled_lost', sled_id: sled.id })
    await addProject('after-fault')
    await tells(mine, 'create project after-fault')
    await tells(theirs, 'create project after-fault')
    expect(mine.told().filter((line) => line.includes('fault null'))).toEqual([])
    expect(theirs.told()).toContain('update fault null')
    for (const one of [mine, theirs]) one.close()
  })

  test("an SSH key is nobody else's business", async () => {
    const [one, other] = [await bed.signIn('member'), await bed.addUser('nosy')]
    const stream = await follow(other)
    await addKey(one, 'private')
    await addKey(other, 'nosy-own')
    await tells(stream, 'create ssh-key nosy-own')
    expect(stream.told()).not.toContain('create ssh-key private')
    stream.close()
  })
})

test('ends when the person signs out, soon', async () => {
  const leaver = await bed.addUser('leaver')
  const stream = await follow(leaver)
  expect((await leaver.post('/v1/logout')).status).toBe(204)
  bed.pass(31_000)
  await eventually(async () => stream.ended(), Boolean)
})

test('does not keep a session from going idle', async () => {
  const idler = await bed.addUser('idler')
  const stream = await follow(idler)
  for (let step = 0; step < 3; step++) {
    bed.pass(3 * 3_600_000)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  await eventually(async () => stream.ended(), Boolean)
  expect((await idler.get('/v1/me')).status).toBe(401)
})

test('a slow reader is waited for', async () => {
  const many = 2500
  const row = (seq: number) => ({
    seq,
    kind: 'project',
    op: 'update',
    object_id: playground,
    name: 'x'.repeat(63),
    project_id: null,
    silo_id: 'silo',
    generation: 1,
    time: new Date(),
    actor: { kind: 'system' },
  })
  let asked = 0
  const query = {
    select: () => query,
    where: (_: string, __: string, after: unknown) => ((asked = Number(after)), query),
    orderBy: () => query,
    limit: () => query,
    execute: async () => Array.from({ length: 500 }, (_, index) => row(asked + index + 1)),
    executeTakeFirst: async () => ({ value: many, seq: 1 }),
  }
  const stop = new AbortController()
  const services = reachingFor({ selectFrom: () => query })
  const stream = changeStream({
    onEnd: () => {},
    services,
    identify: async () => viewer,
    since: 0,
    signal: stop.signal,
  })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(asked).toBeLessThan(many)
  const reader = stream.getReader()
  for (let read = 0; read < 20; read++) await reader.read()
  expect(asked).toBeGreaterThan(many)
  stop.abort()
  await reader.cancel()
})

test('however many listen, the database is asked as for one or two', async () => {
  let asked = 0
  const query = {
    select: () => query,
    where: () => query,
    orderBy: () => query,
    limit: () => query,
    execute: async () => (asked++, []),
    executeTakeFirst: async () => ({ value: 1, seq: 1 }),
  }
  const stop = new AbortController()
  const services = reachingFor({ selectFrom: () => query })
  const given = { services, identify: async () => viewer, since: 1, signal: stop.signal, onEnd: () => {} }
  const readers = Array.from({ length: 50 }, () => changeStream(given).getReader())
  await Promise.all(readers.map((reader) => reader.read()))
  await new Promise((resolve) => setTimeout(resolve, 1000))
  // Five times a second each, and so 250 of them if each asked for itself.
  expect(asked).toBeLessThan(25)
  expect(asked).toBeGreaterThan(1)
  stop.abort()
  await Promise.all(readers.map((reader) => reader.cancel()))
})

test('a person follows so many streams at once, and one more when one has ended', async () => {
  const { limits } = defaultSettings
  const settings = { ...defaultSettings, limits: { ...limits, streams_per_person: 2 } }
  const other = await testControlPlane({ environment: { settings } })
  const who = await other.signIn('member')
  const [one, two] = [await other.follow(who), await other.follow(who)]
  const refused = await who.get('/ext/v1/changes')
  expect([refused.status, refused.body.help]).toEqual([
    429,
    'You have 2 change streams open, the maximum. Close a console tab first.',
  ])
  const neighbour = await other.follow(await other.signIn('viewer'))
  one.close()
  await eventually(async () => other.follow(who).catch(() => undefined), Boolean)
  for (const stream of [two, neighbour]) stream.close()
  await other.stop()
})

test('ends when the control plane stops, which closes nothing under running requests', async () => {
  const other = await testControlPlane()
  const who = await other.signIn('member')
  const stream = await other.follow(who)
  await eventually(async () => stream.events.length, Boolean)
  const answers = Array.from({ length: 10 }, (_, index) => addKey(who, `last-${index}`))
  await other.stop()
  for (const { status } of await Promise.all(answers)) expect(status).toBe(201)
  await eventually(async () => stream.ended(), Boolean)
  expect(other.logged.filter(({ level }) => level === 'error')).toEqual([])
})
