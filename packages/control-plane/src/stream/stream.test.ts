import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  type Caller,
  eventually,
  type Following,
  testControlPlane,
  type TestBed,
} from '../testing/control-plane.ts'
import { testServices } from '../testing/services.ts'
import { defaultSettings } from '../settings.ts'
import { fleetId, type SiloUser } from '../authz/actor.ts'
import { Background } from '../background.ts'
import { ChangeFeed } from './change-feed.ts'
import type { ChangeLog, Published } from './publisher.ts'
import { changeStream } from './stream.ts'
import { positions } from './positions.ts'

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
const expectEvent = (stream: Following, what: string) =>
  eventually(
    async () => stream.received(),
    (received) => received.includes(what),
  )
const addKey = (who: Caller, name: string) =>
  who.post('/v1/me/ssh-keys', { name, description: '', public_key: 'k' })
const addProject = (name: string) => admin.post('/v1/projects', { name, description: '' })
const describeProject = (name: string) =>
  admin.call('PUT', `/v1/projects/${name}`, { description: crypto.randomUUID() })
const viewer: SiloUser = {
  kind: 'silo_user',
  time_created: new Date(0),
  time_modified: new Date(0),
  silo_id: 'silo',
  silo_name: 'silo',
  user_id: 'viewer',
  display_name: 'viewer',
  credential: undefined,
  fleet: undefined,
  silo: 'viewer',
  project: () => undefined,
  projects: [],
}

/** A feed over generated changes, with streams of it. */
function madeUp(total: number) {
  let asked = 0
  let after = 0
  let kind = 'project'
  let project_id: string | null = null
  let aheadMs = 0
  const row = (seq: number): Published => ({
    seq,
    kind,
    op: 'update',
    id: project_id ?? playground,
    name: 'x'.repeat(63),
    project_id,
    silo_id: 'silo',
    version: 1,
    time: new Date(services.clock().getTime() + aheadMs).toISOString(),
    actor: { kind: 'system' },
  })
  /** The change number behind the position in a piece of the stream. */
  const at = (piece: string) => positions(services).open(/^id: (.*)$/m.exec(piece)?.[1] ?? '')
  const log: ChangeLog = {
    last: async () => total,
    first: async () => 1,
    after: async (seq, limit) => {
      asked++
      after = seq
      return Array.from({ length: Math.max(0, Math.min(limit, total - seq)) }, (_, at) => row(seq + at + 1))
    },
  }
  const feed = new ChangeFeed(log)
  const services = testServices({ db: bed.db })
  return {
    feed,
    services,
    at,
    asked: () => asked,
    after: () => after,
    /** Adds one more change, which the feed has yet to find. */
    write: () => void total++,
    /** Adds one more change for the feed to find. */
    add: (ofKind = 'project', inProject: string | null = null, inMs = 0) => {
      kind = ofKind
      project_id = inProject
      aheadMs = inMs
      total++
      return feed.look()
    },
    open: async (since: number, identify: () => Promise<SiloUser> = async () => viewer, actor = viewer) => {
      await positions(services).load()
      return changeStream({
        services,
        feed,
        positions: positions(services),
        actor,
        rolesAt: total,
        identify,
        filter: undefined,
        since,
        signal: new AbortController().signal,
        onEnd: () => {},
      })
    },
    stop: () => feed.endAll(),
  }
}
const decoder = new TextDecoder()
const text = ({ value }: ReadableStreamReadResult<Uint8Array>): string => decoder.decode(value)
const ids = (stream: Following) => stream.events.filter(({ event }) => event === 'change').map(({ id }) => id)

test('a response names the position from which the stream covers everything it does not include', async () => {
  const answer = await eventually(
    () => admin.get('/v1/projects'),
    ({ headers }) => headers.has('x-change-seq'),
  )
  await addProject('after-the-answer')
  const stream = await follow(admin, { query: `since=${answer.headers.get('x-change-seq')}` })
  await expectEvent(stream, 'create project after-the-answer')
  expect(stream.received()).toContain('create project after-the-answer')
})

test('the position tells nothing of the changes of others', async () => {
  const mine = await bed.addUser('stranger')
  const position = async () => (await mine.get('/v1/me')).headers.get('x-change-seq') ?? ''
  await eventually(position, Boolean)
  const before = [await position(), await position()]
  for (const name of ['unheard-1', 'unheard-2']) await addProject(name)
  const positions = [...before, await position(), await position()]
  expect(new Set(positions).size).toBe(4)
  for (const one of positions) expect(one).toMatch(/^[0-9a-f]{32}$/)
  const stream = await follow(mine, { query: `since=${before[0]}` })
  await addKey(mine, 'stranger-key')
  await expectEvent(stream, 'create ssh-key stranger-key')
  expect(stream.events.map(({ event }) => event)).toEqual(['ready', 'change'])
  expect(stream.events.flatMap(({ data }) => Object.keys(data))).not.toContain('seq')
  stream.close()
})

test('the position is named to signed-in callers only', async () => {
  await eventually(
    () => admin.get('/v1/projects'),
    ({ headers }) => headers.has('x-change-seq'),
  )
  for (const path of ['/v1/ping', '/v1/me', '/v1/unknown', '/v1/projects?limit=x'])
    expect((await bed.anonymous.get(path)).headers.has('x-change-seq')).toBe(false)
})

test('delivers each change once, in order', async () => {
  const stream = await follow(admin)
  await addProject('told')
  await admin.call('PUT', '/v1/projects/told', { name: 'retold' })
  await expectEvent(stream, 'update project retold')
  const received = stream.received()
  expect(received[0]).toBe('create project told')
  expect(received.at(-1)).toBe('update project retold')
  expect(received).toContain('create vpc-subnet default')
  const change = stream.events.find(({ event }) => event === 'change')?.data
  expect(Object.keys(change ?? {}).sort()).toEqual([
    'id',
    'kind',
    'name',
    'op',
    'project_id',
    'time',
    'version',
  ])
  const numbers = ids(stream)
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index))
  stream.close()
  await eventually(async () => stream.ended(), Boolean)
})

test('resumes after the last number seen, without a gap or a repeat, during concurrent writes', async () => {
  const whole = await follow(admin)
  const pieces: number[] = []
  let at: number | undefined
  const writing = Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 12; n++) await addKey(admin, `writer-${writer}-${n}`)
    }),
  )
  for (let cut = 0; cut < 12; cut++) {
    const stream = await follow(admin, at === undefined ? {} : { lastEventId: at })
    at ??= stream.events[0]?.id
    await new Promise((resolve) => setTimeout(resolve, 15))
    stream.close()
    pieces.push(...ids(stream))
    at = ids(stream).at(-1) ?? at
  }
  await writing
  await addKey(admin, 'the-end')
  await expectEvent(whole, 'create ssh-key the-end')
  const rest = await follow(admin, { since: 0, lastEventId: at ?? 0 })
  await expectEvent(rest, 'create ssh-key the-end')
  pieces.push(...ids(rest))
  const all = ids(whole)
  expect(pieces).toEqual(all.filter((id) => id >= (pieces[0] ?? 0)))
  expect(all).toHaveLength(97)
  whole.close()
  rest.close()
})

describe('resuming from an unusable position', () => {
  test.each(['x', '-1', '1.5', '1e3', '0x1', '9'.repeat(20), '1,2'])(
    'Last-Event-ID %s is refused',
    async (lastEventId) => {
      await expect(bed.follow(admin, { lastEventId })).rejects.toThrow(
        /answered 400: .*not a position in the change stream/s,
      )
    },
  )

  test.each(['0', '7', '0'.repeat(32), 'f'.repeat(32)])(
    'position %s, which is not of this installation, requires a full refetch',
    async (lastEventId) => {
      const stream = await follow(admin, { lastEventId })
      expect(stream.events.map(({ event }) => event)).toEqual(['reset', 'ready'])
      stream.close()
    },
  )

  test('a number from another database requires a full refetch', async () => {
    const stream = await follow(admin, { since: 1_000_000 })
    expect(stream.events.map(({ event }) => event)).toEqual(['reset', 'ready'])
    await addProject('after-reset')
    await expectEvent(stream, 'create project after-reset')
    stream.close()
  })

  test('so does a number before the retained ones, also when nothing is retained', async () => {
    const other = await testControlPlane()
    const who = await other.signIn('admin')
    const firstEvent = async (since: number) => {
      const stream = await other.follow(who, { since })
      await eventually(async () => stream.events.length, Boolean)
      stream.close()
      // A feed without listeners drops what it has in memory.
      await new Promise((resolve) => setTimeout(resolve, 500))
      return stream.events[0]
    }
    await eventually(
      () => sql<{ n: number }>`SELECT count(*) AS n FROM change WHERE seq IS NULL`.execute(other.db),
      ({ rows }) => rows[0]?.n === 0,
    )
    const last = (await firstEvent(1_000_000))?.id ?? 0
    await sql`DELETE FROM change WHERE seq < ${last - 5}`.execute(other.db)
    expect((await firstEvent(last - 8))?.event).toBe('reset')
    expect((await firstEvent(last - 6))?.event).toBe('ready')
    await sql`DELETE FROM change`.execute(other.db)
    expect((await firstEvent(last - 1))?.event).toBe('reset')
    expect((await firstEvent(last))?.event).toBe('ready')
    await other.stop()
  })
})

describe('topics', () => {
  const projectId = async (name: string) => String((await admin.get(`/v1/projects/${name}`)).body.id)
  const addDisk = (project: string, name: string) =>
    admin.post(`/v1/disks?project=${project}`, {
      name,
      description: '',
      size: 1024 ** 3,
      disk_source: { type: 'blank', block_size: 512 },
    })
  const disks = (stream: Following) => stream.received().filter((line) => line.startsWith('create disk'))

  test("exclude other projects, the silo and its utilization, but not the listener's own changes", async () => {
    for (const name of ['one', 'two', 'three']) await addProject(name)
    const member = await bed.addUser('onlooker', { roles: [{ at: 'silo', role: 'viewer' }] })
    const query = `project=one&project=${await projectId('two')}`
    const [some, all] = [await follow(member, { query }), await follow(member)]
    for (const name of ['one', 'two', 'three']) await addDisk(name, `disk-${name}`)
    await addProject('four')
    await addKey(member, 'onlooker-key')
    await expectEvent(all, 'create ssh-key onlooker-key')
    await expectEvent(some, 'create ssh-key onlooker-key')
    expect(disks(some)).toEqual(['create disk disk-one', 'create disk disk-two'])
    expect(disks(all)).toEqual(['create disk disk-one', 'create disk disk-two', 'create disk disk-three'])
    const others = some.events.filter(({ data }) => data.kind === 'project' || data.kind === 'utilization')
    expect(others).toEqual([])
    for (const stream of [some, all]) stream.close()
  })

  test("tell everybody in a silo of its use, and its viewers of its pools' names", async () => {
    await addProject('unseen')
    const roles = [{ at: { project: playground }, role: 'viewer' }] as const
    const guest = await follow(await bed.addUser('outsider', { roles: [...roles] }), {
      query: 'topic=utilization',
    })
    const mine = await follow(await bed.signIn('viewer'), { query: 'topic=silo' })
    await addDisk('unseen', 'counted')
    expect((await admin.call('PUT', '/v1/system/ip-pools/external', { description: 'x' })).status).toBe(200)
    await expectEvent(guest, 'update utilization null')
    await expectEvent(mine, 'update ip-pool null')
    expect(guest.events.filter(({ data }) => data.project_id).map(({ data }) => data.kind)).toEqual([])
    for (const stream of [guest, mine]) stream.close()
  })

  test.each([
    ['silo', ['project', 'vpc']],
    ['utilization', ['utilization']],
    ['fleet', ['fault']],
  ])('%s has its own changes', async (topic, kinds) => {
    await addProject(`with-${topic}`)
    const stream = await follow(admin, { query: `topic=${topic}` })
    const sled = await bed.db.selectFrom('sled').select('id').executeTakeFirstOrThrow()
    await admin.post('/ext/v1/faults', { kind: 'sled_lost', sled_id: sled.id })
    await addDisk(`with-${topic}`, 'disk')
    await addProject(`beside-${topic}`)
    await addKey(admin, `key-${topic}`)
    await expectEvent(stream, `create ssh-key key-${topic}`)
    const heard = new Set(stream.events.flatMap(({ event, data }) => (event === 'change' ? [data.kind] : [])))
    for (const own of ['ssh-key', 'task', 'notification']) heard.delete(own)
    expect([...heard].every((kind) => kinds.includes(String(kind)))).toBe(true)
    expect(heard.has(kinds[0])).toBe(true)
    expect(heard.has('disk')).toBe(false)
    stream.close()
  })

  test('news about the tasks and notifications of a user reach that user alone, whatever the topics', async () => {
    await addProject('newsworthy')
    const member = await bed.signIn('member')
    const mine = await follow(member, { query: 'topic=utilization' })
    const others = await follow(admin, {})
    await member.post('/v1/disks?project=newsworthy', {
      name: 'news',
      description: '',
      size: 2 ** 30,
      disk_source: { type: 'blank', block_size: 512 },
    })
    await expectEvent(mine, 'update task null')
    const { id } = (await member.get('/v1/me')).body
    expect(mine.events.filter(({ data }) => data.kind === 'task').map(({ data }) => data.id)).toContain(id)
    const read = { ids: [crypto.randomUUID()] }
    expect((await member.post('/ext/v1/me/notifications/read', read)).status).toBe(204)
    await expectEvent(mine, 'update notification null')
    await addKey(admin, 'after-the-news')
    await expectEvent(others, 'create ssh-key after-the-news')
    expect(others.events.filter(({ data }) => data.id === id)).toEqual([])
    for (const stream of [mine, others]) stream.close()
  })

  test('include a project that gets the name later, and report the id of each name', async () => {
    await addProject('known')
    const stream = await follow(admin, { query: 'project=known,later' })
    expect(stream.events[0]?.data.projects).toEqual({ known: await projectId('known') })
    await addProject('later')
    await expectEvent(stream, 'create project later')
    await addDisk('later', 'of-later')
    await expectEvent(stream, 'create disk of-later')
    stream.close()
  })

  test('never show what the listener may not see, before, during and after having access', async () => {
    await addProject('closed')
    const guest = await bed.addUser('hopeful')
    const policy = (role_assignments: object[]) =>
      admin.call('PUT', '/v1/projects/closed/policy', { role_assignments })
    const stream = await follow(guest, { query: 'topic=silo&topic=fleet&project=closed' })
    const all = await follow(admin)
    expect(stream.events[0]?.data.projects).toEqual({})
    await addDisk('closed', 'before')
    // By now the disk was withheld. An event that is sent after a role was given is judged by that role.
    await addKey(guest, 'hopeful-begin')
    await expectEvent(stream, 'create ssh-key hopeful-begin')
    expect(
      (await policy([{ identity_type: 'silo_user', identity_id: guest.id, role_name: 'viewer' }])).status,
    ).toBe(200)
    await addDisk('closed', 'while')
    await expectEvent(stream, 'create disk while')
    await policy([])
    await addDisk('closed', 'after')
    await addProject('closed-end')
    await expectEvent(all, 'create project closed-end')
    await addKey(guest, 'hopeful-end')
    await expectEvent(stream, 'create ssh-key hopeful-end')
    expect(disks(stream)).toEqual(['create disk while'])
    for (const one of [stream, all]) one.close()
  })

  test.each(['topic=everything', 'project=Not%20A%20Name', `project=${'a,'.repeat(50)}a`])(
    '%s is refused',
    async (query) => {
      await expect(bed.follow(admin, { query })).rejects.toThrow(/answered 400/)
    },
  )
})

describe('visibility', () => {
  test('covers only what the caller may see, and nothing once the role is gone', async () => {
    const guest = await bed.addUser('guest', { roles: [{ at: { project: playground }, role: 'viewer' }] })
    const stream = await follow(guest)
    const all = await follow(admin)
    await addProject('secret')
    await describeProject('secret')
    await describeProject('playground')
    await addKey(guest, 'own')
    await expectEvent(stream, 'update project playground')
    expect(stream.received().filter((line) => line.includes('secret') || line.includes('vpc'))).toEqual([])

    const silent = await admin.call('PUT', '/v1/projects/playground/policy', { role_assignments: [] })
    expect(silent.status).toBe(200)
    await describeProject('playground')
    await addProject('last')
    await expectEvent(all, 'create project last')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(stream.received().filter((line) => line === 'update project playground')).toHaveLength(1)
    for (const one of [stream, all]) one.close()
  })

  test('limits fleet changes to users who may view the fleet', async () => {
    const [mine, theirs] = [await follow(await bed.signIn('viewer')), await follow(admin)]
    const sled = await bed.db.selectFrom('sled').select('id').executeTakeFirstOrThrow()
    await admin.post('/ext/v1/faults', { kind: 'sled_lost', sled_id: sled.id })
    await addProject('after-fault')
    await expectEvent(mine, 'create project after-fault')
    await expectEvent(theirs, 'create project after-fault')
    expect(mine.received().filter((line) => line.includes('fault null'))).toEqual([])
    expect(theirs.received()).toContain('update fault null')
    for (const one of [mine, theirs]) one.close()
  })

  describe('of the change by which the listener loses a role', () => {
    const policies = (stream: Following) =>
      stream.events.filter(({ data }) => data.kind === 'policy').map(({ data }) => data.id)

    test('on a project: once, and of no later one', async () => {
      await addProject('lost')
      const { id } = (await admin.get('/v1/projects/lost')).body
      const guest = await bed.addUser('loser', { roles: [{ at: { project: id }, role: 'viewer' }] })
      const stream = await follow(guest, { query: 'topic=silo' })
      for (let change = 0; change < 2; change++)
        await admin.call('PUT', '/v1/projects/lost/policy', { role_assignments: [] })
      await describeProject('lost')
      await addKey(guest, 'loser-end')
      await expectEvent(stream, 'create ssh-key loser-end')
      expect(policies(stream)).toEqual([id])
      expect(stream.received()).toEqual(['update policy null', 'create ssh-key loser-end'])
      stream.close()
    })

    test('on the fleet: once, and of no later one', async () => {
      const { role_assignments } = (await admin.get('/v1/system/policy')).body
      const guest = await bed.addUser('former-operator', { roles: [{ at: 'fleet', role: 'viewer' }] })
      const stream = await follow(guest, { query: 'topic=silo&topic=fleet' })
      for (let change = 0; change < 2; change++)
        await admin.call('PUT', '/v1/system/policy', { role_assignments })
      await admin.call('PUT', '/v1/system/ip-pools/external', { description: 'unseen' })
      await addKey(guest, 'former-operator-end')
      await expectEvent(stream, 'create ssh-key former-operator-end')
      expect(policies(stream)).toEqual([fleetId])
      stream.close()
    })

    const nobody: SiloUser = { ...viewer, silo: undefined }
    const opened = async () => {
      const made = madeUp(3)
      const guest: SiloUser = { ...nobody, project: () => 'viewer', projects: ['a', 'b'] }
      const reader = (await made.open(3, async () => nobody, guest)).getReader()
      await reader.read()
      const heard = async (): Promise<unknown[]> => {
        const { kind, project_id } = JSON.parse(/^data: (.*)$/m.exec(text(await reader.read()))?.[1] ?? '{}')
        return [kind, project_id]
      }
      return { made, heard }
    }

    test('though the roles were read without it before it arrived', async () => {
      const { made, heard } = await opened()
      for (const project of ['c', 'a', 'b', 'a']) await made.add('policy', project)
      await made.add('silo-group')
      expect([await heard(), await heard(), await heard()]).toEqual([
        ['policy', 'a'],
        ['policy', 'b'],
        ['silo-group', null],
      ])
      made.stop()
    })

    test('and not of one an hour later, if nothing told of the loss', async () => {
      const { made, heard } = await opened()
      await made.add('policy', 'c')
      await made.add('policy', 'a', 3_600_000)
      await made.add('policy', 'b')
      expect(await heard()).toEqual(['policy', 'b'])
      made.stop()
    })

    test('through a group, and not of a later change of the policy', async () => {
      const { made, heard } = await opened()
      await made.add('silo-group')
      await made.add('policy', 'a')
      await made.add('silo-group')
      expect([await heard(), await heard()]).toEqual([
        ['silo-group', null],
        ['silo-group', null],
      ])
      made.stop()
    })
  })

  test('hides an SSH key from all but its owner', async () => {
    const [one, other] = [await bed.signIn('member'), await bed.addUser('nosy')]
    const stream = await follow(other)
    await addKey(one, 'private')
    await addKey(other, 'nosy-own')
    await expectEvent(stream, 'create ssh-key nosy-own')
    expect(stream.received()).not.toContain('create ssh-key private')
    stream.close()
  })
})

test('ends when the user signs out', async () => {
  const leaver = await bed.addUser('leaver')
  const stream = await follow(leaver)
  expect((await leaver.post('/v1/logout')).status).toBe(204)
  await eventually(async () => stream.ended(), Boolean)
})

test('ends soon after its session is gone, even without a change that says so', async () => {
  const [gone, other] = [await bed.addUser('gone'), await bed.addUser('stays')]
  const [stream, stays] = [await follow(gone), await follow(other)]
  await sql`DELETE FROM console_session WHERE silo_user_id = ${gone.id}`.execute(bed.db)
  bed.pass(31_000)
  await eventually(async () => stream.ended(), Boolean)
  expect(stays.ended()).toBe(false)
  stays.close()
})

test('does not keep a session from idling out', async () => {
  const idler = await bed.addUser('idler')
  const stream = await follow(idler)
  for (let step = 0; step < 3; step++) {
    bed.pass(3 * 3_600_000)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  await eventually(async () => stream.ended(), Boolean)
  expect((await idler.get('/v1/me')).status).toBe(401)
})

test('waits for a slow reader', async () => {
  const made = madeUp(5000)
  const reader = (await made.open(0)).getReader()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(made.after()).toBeLessThan(2500)
  for (let read = 0; read < 4000; read++) await reader.read()
  expect(made.after()).toBeGreaterThan(2500)
  made.stop()
  await reader.cancel()
})

describe('with many listeners', () => {
  async function listening(made: ReturnType<typeof madeUp>, identify?: () => Promise<SiloUser>) {
    const streams = await Promise.all(Array.from({ length: 50 }, () => made.open(3, identify)))
    const readers = streams.map((stream) => stream.getReader())
    for (const reader of readers)
      expect(decoder.decode((await reader.read()).value)).toContain('event: ready')
    return readers
  }

  test('each change is queried once and serialised once', async () => {
    const made = madeUp(3)
    const readers = await listening(made)
    const before = made.asked()
    const serialised = vi.spyOn(JSON, 'stringify')
    await made.add()
    expect(made.asked() - before).toBe(1)
    const told = (await Promise.all(readers.map((reader) => reader.read()))).map(text)
    expect(serialised.mock.calls.filter(([value]) => value?.kind === 'project')).toHaveLength(1)
    serialised.mockRestore()
    expect(told.map(made.at)).toEqual(told.map(() => 4))
    // No two are told the same position.
    expect(new Set(told).size).toBe(50)
    made.stop()
  })

  test('a change is delivered while their sessions are looked up', async () => {
    const made = madeUp(3)
    let answer = (): void => {}
    const lookedUp = vi
      .spyOn(made.feed, 'endSignedOut')
      .mockImplementation(() => new Promise((resolve) => (answer = resolve)))
    const background = new Background()
    background.startStreams(made.services, made.feed)
    const [reader] = await listening(made)
    await eventually(async () => lookedUp.mock.calls.length, Boolean)
    made.write()
    const told = await reader?.read()
    expect(told && made.at(text(told))).toBe(4)
    answer()
    made.stop()
    await background.stop()
  })

  test('a policy change re-reads roles a few at a time, before anything else is sent', async () => {
    const made = madeUp(3)
    let [running, peak, identified] = [0, 0, 0]
    const readers = await listening(made, async () => {
      peak = Math.max(peak, ++running)
      await new Promise((resolve) => setTimeout(resolve, 1))
      running--
      identified++
      return viewer
    })
    await made.add('policy')
    const frames = await Promise.all(readers.map((reader) => reader.read()))
    expect(identified).toBe(50)
    expect(peak).toBe(8)
    // A console waits up to a millisecond per listener before it refetches its permissions.
    expect(decoder.decode(frames[0]?.value)).toContain('"spread_ms":50')
    await made.add()
    const [next] = await Promise.all(readers.map((reader) => reader.read()))
    expect(decoder.decode(next?.value)).not.toContain('spread_ms')
    expect(identified).toBe(50)
    made.stop()
  })
})

test('a user has a limited number of streams, and one more after one has ended', async () => {
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

test('ends when the control plane stops, without breaking running requests', async () => {
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
