import type { RoleName } from '@gantry/api/base/roles.rules'
import { type Dialect, Kysely } from 'kysely'
import { createControlPlane } from '../app.ts'
import { undeclaredChanges, unlistedActivity } from './declared-changes.ts'
import { fleetId } from '../authz/actor.ts'
import type { BlockStore } from '../blocks/block-store.ts'
import type { Row, Tables } from '../db/tables.ts'
import { type ByteSocket, type ControlPlane, type Environment, type SeedKind } from '../environment.ts'
import type { Fleet, DriverServices } from '../fleet/fleet.ts'
import { simulatedFleet } from '../fleet/simulated/fleet.ts'
import { newUuid } from '../context/ids.ts'
import { Positions } from '../stream/positions.ts'
import { checkShape } from './answer-shape.ts'
import { testEnvironment } from './environment.ts'
import { migratedDatabase } from './migrated-database.ts'

export interface Answer {
  status: number
  /** Parsed JSON, or undefined for an empty body. */
  body: any // oxlint-disable-line typescript/no-explicit-any -- tests look into answers of every shape
  headers: Headers
}

/** What an answer says, in a line that tests compare: its status, and why it was refused. */
export const said = ({ status, body }: Answer): string =>
  status < 400 ? String(status) : `${status} ${body.message}`

/** A user with a cookie, who calls the API like a browser. */
export interface Caller {
  call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>
  get: (path: string) => Promise<Answer>
  post: (path: string, body?: unknown) => Promise<Answer>
  cookie: string
}

interface Person {
  siloId?: string
  roles?: readonly { at: 'fleet' | 'silo' | { project: string }; role: RoleName }[]
  through?: 'group'
}

/** A change stream being read. */
export interface Following {
  /** `id`: the change number behind the position sent. */
  events: { event: string; id: number; data: Record<string, unknown> }[]
  /** The changes received, in words: `create project web`. */
  received: () => string[]
  ended: () => boolean
  close: () => void
}

export interface TestBed {
  plane: ControlPlane
  /** The control plane's own database, for inspection and for set-up without an operation. */
  db: Kysely<Tables>
  blocks: BlockStore
  /** Moves the control plane's clock; background loops notice at once. */
  pass: (ms: number) => void
  signIn: (user: string, silo?: string) => Promise<Caller>
  anonymous: Caller
  addSilo: (name: string, mapped?: Row<'silo'>['mapped_fleet_roles']) => Promise<string>
  /** Creates a user with direct roles or roles through a new group. */
  addUser: (name: string, person?: Person) => Promise<Caller & { id: string }>
  /** Follows the stream of changes until it ends. */
  follow: (
    caller: Caller,
    options?: { since?: number; lastEventId?: number | string; query?: string; address?: string },
  ) => Promise<Following>
  open: (
    caller: Caller,
    path: string,
    address?: string,
  ) => Promise<{
    text: () => string
    type: (text: string) => void
    close: () => void
    closed: () => { code: number; reason: string } | undefined
  }>
  logged: { level: string; fields: Record<string, unknown>; message: string }[]
  stop: () => Promise<void>
}

/** Loops with work that a moved clock makes due, and that is as good as never due otherwise. */
const dueByClock = ['jobs', 'hosts', 'schedules']

const password = 'correct horse'
/** A complete control plane over in-memory PGlite (or a given database), with a clock that tests move. */
export async function testControlPlane(
  options: {
    seed?: SeedKind
    dialect?: Dialect
    environment?: Partial<Environment>
    /** Runs no background loop, for tests that count what a request does. */
    idle?: true
    /** A stream-only process, beside another test bed on the same database. */
    streamsOnly?: true
  } = {},
): Promise<TestBed> {
  let ahead = 0
  const wakes = new Set<() => void>()
  const logged: TestBed['logged'] = []
  const log = (level: string) => (fields: Record<string, unknown>, message: string) =>
    void logged.push({ level, fields, message })
  const environment = testEnvironment()
  const dialect = options.dialect ?? (await migratedDatabase())
  const blocks = options.environment?.blocks ?? environment.blocks
  const plane = createControlPlane({
    dialect,
    ...environment,
    blocks,
    log: { info: log('info'), warn: log('warn'), error: log('error') },
    clock: () => new Date(Date.now() + ahead),
    ...options.environment,
    fleet: wokenFleet(options.environment?.fleet ?? simulatedFleet, wakes),
  })
  await plane.migrate()
  if (options.streamsOnly) plane.startStreams()
  else {
    await plane.seed(options.seed ?? 'playground', password)
    if (!options.idle) plane.start()
  }

  const caller = (cookie: string): Caller => {
    const call: Caller['call'] = async (method, path, body, headers = {}) => {
      const request = new Request(`http://localhost${path}`, {
        method,
        headers: {
          ...(cookie ? { cookie } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const response = await plane.fetch(request, { address: '127.0.0.1' })
      const type = response.headers.get('content-type')
      const text = type === 'text/event-stream' ? '' : await response.text()
      const isJson = text !== '' && (type === null || type === 'application/json')
      const parsed = isJson ? JSON.parse(text) : text || undefined
      if (response.ok) checkShape(method, path, headers, parsed)
      return { status: response.status, body: parsed, headers: response.headers }
    }
    return { call, get: (path) => call('GET', path), post: (path, body) => call('POST', path, body), cookie }
  }

  const db = new Kysely<Tables>({ dialect })
  const positions = new Positions({ ...environment, ...options.environment, db })
  const signIn: TestBed['signIn'] = async (
    username,
    silo = options.seed === 'recovery' ? 'recovery' : 'demo',
  ) => {
    const answer = await caller('').post(`/v1/login/${silo}/local`, { username, password })
    if (answer.status !== 204) throw new Error(`sign-in of ${username} answered ${answer.status}`)
    return caller(answer.headers.get('set-cookie')?.split(';')[0] ?? '')
  }
  const tracked = () => ({
    id: newUuid(environment.random),
    time_created: new Date(),
    time_modified: new Date(),
  })

  return {
    plane,
    db,
    blocks,
    logged,
    addSilo: async (name, mapped = {}) => {
      const silo = {
        ...tracked(),
        name,
        description: '',
        discoverable: true,
        identity_mode: 'local_only' as const,
      }
      await db
        .insertInto('silo')
        .values({ ...silo, mapped_fleet_roles: JSON.stringify(mapped) })
        .execute()
      await db
        .insertInto('silo_quotas')
        .values({ silo_id: silo.id, cpus: 0, memory: 0, storage: 0 })
        .execute()
      await db.insertInto('provisioning').values({ id: silo.id, kind: 'silo' }).execute()
      return silo.id
    },
    addUser: async (name, { siloId, roles = [], through } = {}) => {
      const silo = await db
        .selectFrom('silo')
        .select(['id', 'name'])
        .where(siloId ? 'id' : 'name', '=', siloId ?? 'demo')
        .executeTakeFirstOrThrow()
      const user = { ...tracked(), silo_id: silo.id, external_id: name }
      await db.insertInto('silo_user').values(user).execute()
      await db
        .insertInto('silo_user_password')
        .values({ silo_user_id: user.id, hash: `plain:${password}` })
        .execute()
      const group = { ...tracked(), silo_id: silo.id, external_id: `${name}-group` }
      if (through) {
        await db.insertInto('silo_group').values(group).execute()
        const membership = { silo_group_id: group.id, silo_user_id: user.id }
        await db.insertInto('silo_group_membership').values(membership).execute()
      }
      for (const { at, role } of roles) {
        const resource =
          at === 'fleet'
            ? { resource_type: 'fleet' as const, resource_id: fleetId }
            : at === 'silo'
              ? { resource_type: 'silo' as const, resource_id: silo.id }
              : { resource_type: 'project' as const, resource_id: at.project }
        const identity = through
          ? { identity_type: 'silo_group' as const, identity_id: group.id }
          : { identity_type: 'silo_user' as const, identity_id: user.id }
        await db
          .insertInto('role_assignment')
          .values({ ...resource, ...identity, role_name: role })
          .execute()
      }
      return { ...(await signIn(name, silo.name)), id: user.id }
    },
    follow: async (who, { since, lastEventId, query: more = '', address = '127.0.0.1' } = {}) => {
      await positions.load()
      const sealed = (at: number | string) => (typeof at === 'number' ? String(positions.seal(at)) : at)
      const query = `?${more}${since === undefined ? '' : `&since=${sealed(since)}`}`
      const gone = new AbortController()
      const request = new Request(`http://localhost/ext/v1/changes${query}`, {
        headers: {
          cookie: who.cookie,
          ...(lastEventId === undefined ? {} : { 'last-event-id': sealed(lastEventId) }),
        },
        signal: gone.signal,
      })
      const response = await plane.fetch(request, { address })
      if (!response.body || !response.ok)
        throw new Error(`the stream answered ${response.status}: ${await response.text()}`)
      const following = readEvents(response.body, positions, () => gone.abort())
      // Changes made before the stream begins are not reported.
      await eventually(
        async () => following.events.length > 0 || following.ended(),
        (hasBegun) => hasBegun,
      )
      return following
    },
    pass: (ms) => {
      ahead += ms
      wakes.forEach((wake) => wake())
      for (const loop of dueByClock) plane.wake(loop)
    },
    anonymous: caller(''),
    signIn,
    open: async (who, path, address = '127.0.0.1') => {
      const request = new Request(`http://localhost${path}`, { headers: { cookie: who.cookie } })
      const accepted = await plane.upgrade(request, { address })
      if (accepted instanceof Response)
        throw new Error(`the upgrade answered ${accepted.status}: ${await accepted.text()}`)
      return fakeSocket(accepted)
    },
    stop: async () => {
      const undeclared = await undeclaredChanges(db)
      const unlisted = await unlistedActivity(db)
      await plane.stop()
      if (unlisted.length > 0) throw new Error(`activity-kinds.rules.ts lacks these: ${unlisted.join('; ')}`)
      if (undeclared.length > 0)
        throw new Error(`the contract's \`changes\` lack these: ${undeclared.join('; ')}`)
      // No test may cause an internal error.
      const errors = logged.filter((line) => line.level === 'error')
      if (errors.length > 0)
        throw new Error(
          `errors were logged: ${errors.map(({ message, fields }) => `${message} ${String(fields.err)}`).join('; ')}`,
        )
    },
  }
}

/** A fleet whose reports are read at once when a test moves the clock, instead of after a second. */
const wokenFleet =
  (make: (given: DriverServices) => Fleet, wakes: Set<() => void>) =>
  (given: DriverServices): Fleet => {
    const fleet = make(given)
    const watch: Fleet['machines']['watch'] = (hint, signal) => {
      wakes.add(hint)
      signal.addEventListener('abort', () => wakes.delete(hint))
      fleet.machines.watch(hint, signal)
    }
    return { ...fleet, machines: { ...fleet.machines, watch } }
  }

function fakeSocket(accept: (socket: ByteSocket) => void) {
  let received = ''
  let ended: { code: number; reason: string } | undefined
  const decoder = new TextDecoder()
  const bytes: ((bytes: Uint8Array) => void)[] = []
  const closes: (() => void)[] = []
  accept({
    send: (chunk) => {
      received += decoder.decode(chunk, { stream: true })
    },
    close: (code, reason) => {
      ended ??= { code, reason }
      for (const listener of closes) listener()
    },
    onBytes: (listener) => void bytes.push(listener),
    onClose: (listener) => void closes.push(listener),
    buffered: () => 0,
  })
  return {
    text: () => received,
    type: (text: string) => {
      for (const listener of bytes) listener(new TextEncoder().encode(text))
    },
    close: () => {
      for (const listener of closes) listener()
    },
    closed: () => ended,
  }
}

function readEvents(body: ReadableStream<Uint8Array>, positions: Positions, close: () => void): Following {
  const events: Following['events'] = []
  let ended = false
  const read = async (): Promise<void> => {
    let text = ''
    const decoder = new TextDecoder()
    for (const reader = body.getReader(); ;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
        const data = field('data')
        if (data !== undefined)
          events.push({
            event: field('event') ?? '',
            id: positions.open(field('id') ?? '') ?? Number.NaN,
            data: JSON.parse(data),
          })
      }
    }
  }
  void read()
    .catch(() => undefined)
    .finally(() => {
      ended = true
    })
  return {
    events,
    received: () =>
      events
        .filter(({ event }) => event === 'change')
        .map(({ data }) => `${String(data.op)} ${String(data.kind)} ${String(data.name)}`),
    ended: () => ended,
    close,
  }
}

/** How many changes users have made: the platform makes changes at any time, such as telling that a machine has started. */
export async function usersChanges({ db }: Pick<TestBed, 'db'>): Promise<number> {
  const changes = await db.selectFrom('change').select('actor').execute()
  return changes.filter(({ actor }) => actor.kind !== 'system').length
}

/** Waits until no job is left, moving the clock for those that are retried. */
export const settledJobs = ({ db, pass }: Pick<TestBed, 'db' | 'pass'>): Promise<unknown> =>
  eventually(
    async () => {
      const jobs = await db
        .selectFrom('job')
        .select(['kind', 'args', 'attempts', 'lease_until'])
        .where('state', '=', 'pending')
        .execute()
      // Moving the clock ends leases: on a busy machine, a running job would be taken over before it could end.
      if (jobs.length > 0 && jobs.every(({ lease_until }) => lease_until === null)) pass(61_000)
      return jobs
    },
    (jobs) => jobs.length === 0,
  )

/** Polls until the condition holds, for asynchronous effects. */
export async function eventually<Value>(
  look: () => Promise<Value>,
  holds: (value: Value) => boolean,
  ms = 60_000,
): Promise<Value> {
  const end = Date.now() + ms
  for (;;) {
    const value = await look()
    if (holds(value)) return value
    if (Date.now() > end) throw new Error(`did not come to hold within ${ms} ms: ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
