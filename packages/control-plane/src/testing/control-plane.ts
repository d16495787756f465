import { PGlite } from '@electric-sql/pglite'
import { ops, operationId } from '@gantry/api/registry'
import type { Operation } from '@gantry/api/op'
import type { Dialect } from 'kysely'
import { createControlPlane } from '../app.ts'
import { memoryBlocks } from '../blocks/memory.ts'
import { inProcessPglite } from '../db/in-process-pglite.ts'
import type { ByteSocket, ControlPlane, Environment, SeedKind } from '../environment.ts'
import { Router } from '../kernel/router.ts'

export interface Answer {
  status: number
  /** Parsed JSON, or undefined for an empty body. */
  body: any // oxlint-disable-line typescript/no-explicit-any -- tests look into answers of every shape
  headers: Headers
}

/** A person with a cookie, who calls the API as a browser would. */
export interface Caller {
  call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>
  get: (path: string) => Promise<Answer>
  post: (path: string, body?: unknown) => Promise<Answer>
  cookie: string
}

export interface TestBed {
  plane: ControlPlane
  /** Moves the clock that the control plane sees; background loops look at it when they next turn. */
  pass: (ms: number) => void
  signIn: (user: string, silo?: string) => Promise<Caller>
  anonymous: Caller
  open: (
    caller: Caller,
    path: string,
  ) => Promise<{
    text: () => string
    type: (text: string) => void
    close: () => void
    closed: () => { code: number; reason: string } | undefined
  }>
  logged: { level: string; fields: Record<string, unknown>; message: string }[]
  stop: () => Promise<void>
}

const password = 'correct horse'

/** A whole control plane over PGlite in memory (or a given database), with a clock that tests move. */
export async function testControlPlane(
  options: { seed?: SeedKind; dialect?: Dialect; environment?: Partial<Environment> } = {},
): Promise<TestBed> {
  let ahead = 0
  const logged: TestBed['logged'] = []
  const log = (level: string) => (fields: Record<string, unknown>, message: string) =>
    void logged.push({ level, fields, message })
  const plane = createControlPlane({
    dialect: options.dialect ?? inProcessPglite(await PGlite.create()),
    blocks: memoryBlocks(),
    passwords: {
      hash: async (text) => `plain:${text}`,
      verify: async (hash, text) => hash === `plain:${text}`,
    },
    log: { info: log('info'), warn: log('warn'), error: log('error') },
    clock: () => new Date(Date.now() + ahead),
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    secure: false,
    origins: [],
    ...options.environment,
  })
  await plane.migrate()
  await plane.seed(options.seed ?? 'demo', password)
  plane.start()

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
      const text = response.headers.get('content-type') === 'text/event-stream' ? '' : await response.text()
      const parsed = text === '' ? undefined : JSON.parse(text)
      if (response.ok) checkShape(method, path, parsed)
      return { status: response.status, body: parsed, headers: response.headers }
    }
    return { call, get: (path) => call('GET', path), post: (path, body) => call('POST', path, body), cookie }
  }

  return {
    plane,
    logged,
    pass: (ms) => {
      ahead += ms
    },
    anonymous: caller(''),
    signIn: async (username, silo = options.seed === 'recovery' ? 'recovery' : 'demo') => {
      const answer = await caller('').post(`/v1/login/${silo}/local`, { username, password })
      if (answer.status !== 204) throw new Error(`sign-in of ${username} answered ${answer.status}`)
      return caller(answer.headers.get('set-cookie')?.split(';')[0] ?? '')
    },
    open: async (who, path) => {
      const request = new Request(`http://localhost${path}`, { headers: { cookie: who.cookie } })
      const accepted = await plane.upgrade(request, { address: '127.0.0.1' })
      if (accepted instanceof Response)
        throw new Error(`the upgrade answered ${accepted.status}: ${await accepted.text()}`)
      return fakeSocket(accepted)
    },
    stop: () => plane.stop(),
  }
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

const router = new Router(ops)

/** Every answer of every test has the shape that the contract promises. */
function checkShape(method: string, path: string, body: unknown): void {
  const { name } = router.match(method, new URL(path, 'http://localhost').pathname)
  const { returns }: Operation = ops[name]
  if (!returns) return
  const result = returns.safeParse(body)
  if (!result.success) throw new Error(`${operationId(name)} answered out of shape: ${result.error.message}`)
}

/** Looks again until it holds, for what happens by itself. */
export async function eventually<Value>(
  look: () => Promise<Value>,
  holds: (value: Value) => boolean,
  ms = 5000,
): Promise<Value> {
  const end = Date.now() + ms
  for (;;) {
    const value = await look()
    if (holds(value)) return value
    if (Date.now() > end) throw new Error(`did not come to hold within ${ms} ms: ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
