import type { PGlite } from '@electric-sql/pglite'
import type { CurrentUser } from '@gantry/api/me'
import { createControlPlane } from '@gantry/control-plane/app'
import { memoryBlocks } from '@gantry/control-plane/blocks/memory'
import { inProcessPglite } from '@gantry/control-plane/db/in-process-pglite'
import type { ControlPlane, Log } from '@gantry/control-plane/environment'
import { CookieJar, noteSetCookies } from './cookies.ts'
import type { Options } from './options.ts'
import { pbkdf2Passwords } from './passwords.ts'
import { password, people } from './people.ts'

/** The control plane as this one page sees it, cookies included. */
export interface Plane {
  fetch: (request: Request) => Promise<Response>
  upgrade: (request: Request) => ReturnType<ControlPlane['upgrade']>
  serves: ControlPlane['serves']
  /** Signs the page out and in again as somebody else, with all that was made in it. */
  become: (name: string) => Promise<void>
  stop: ControlPlane['stop']
}

/** A request with it is somebody else's, and the page's own session stays as it is: so tests set their scenes. */
export const asHeader = 'x-preview-user'

const peer = { address: '127.0.0.1' }
/** In place of a name, where somebody signed out. */
const nobody = ''

/**
 * A whole control plane in memory with its demo contents. Contents last as long as the page; who is signed in
 * lasts as long as the options, because signing out loads the page anew.
 */
export async function openPlane(database: PGlite, options: Options): Promise<Plane> {
  noteSetCookies()
  const plane = createControlPlane({
    dialect: inProcessPglite(database),
    blocks: memoryBlocks(),
    passwords: pbkdf2Passwords,
    certificates: undefined,
    dnsZone: 'localhost',
    saml: undefined,
    log: consoleLog,
    clock: () => new Date(),
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    secure: false,
    origins: [origin()],
  })
  await plane.migrate()
  await plane.seed('demo', password)
  plane.start()

  const page = new Caller(plane)
  const others = new Map<string, Caller>()
  async function other(name: string): Promise<Caller> {
    const known = others.get(name)
    if (known) return known
    const caller = new Caller(plane)
    if (await caller.signIn(name)) others.set(name, caller)
    return caller
  }
  await addPeople(await other('admin'))

  const preview: Plane = {
    async fetch(request) {
      const name = request.headers.get(asHeader)
      if (name !== null) return (await other(name)).send(request)
      const { response, hasCookies } = await page.exchange(request)
      if (hasCookies) options.choose({ user: await page.name() })
      return response
    },
    upgrade: (request) => page.upgrade(request),
    serves: plane.serves,
    async become(name) {
      await page.signOut()
      if (!(await page.signIn(name))) throw new Error(`nobody is called ${name}`)
      options.choose({ user: name })
    },
    stop: plane.stop,
  }
  const { user } = options.current()
  // Whom an earlier page made is not there any more.
  if (user !== nobody && !(await page.signIn(user))) await preview.become(people[0].name)
  return preview
}

/** Somebody who calls the control plane, with the cookies that it gave them. */
class Caller {
  readonly #jar = new CookieJar()
  #session = new AbortController()
  constructor(readonly plane: ControlPlane) {}

  async exchange(request: Request): Promise<{ response: Response; hasCookies: boolean }> {
    const signal = AbortSignal.any([request.signal, this.#session.signal])
    const response = await this.plane.fetch(this.#jar.fill(new Request(request, { signal })), peer)
    return { response, hasCookies: this.#jar.keep(response) }
  }

  upgrade(request: Request): ReturnType<ControlPlane['upgrade']> {
    return this.plane.upgrade(this.#jar.fill(request), peer)
  }

  async send(request: Request): Promise<Response> {
    return (await this.exchange(request)).response
  }

  /** Ends the session, and with it the streams that were opened by it. */
  async signOut(): Promise<void> {
    await this.send(post('/v1/logout'))
    this.#session.abort()
    this.#session = new AbortController()
  }

  async signIn(username: string): Promise<boolean> {
    return (await this.send(post('/v1/login/demo/local', { username, password }))).ok
  }

  async name(): Promise<string> {
    const response = await this.send(new Request(new URL('/v1/me', origin())))
    return response.ok ? ((await response.json()) as CurrentUser).display_name : nobody
  }
}

/** Those of `people` whom the demo contents lack, made as an administrator would make them. */
async function addPeople(admin: Caller): Promise<void> {
  const call = async (request: Request): Promise<unknown> => {
    const response = await admin.send(request)
    if (!response.ok) throw new Error(`the people of the preview could not be made: ${await response.text()}`)
    return response.json()
  }
  const add = async (external_id: string) =>
    (await call(
      post('/v1/system/identity-providers/local/users?silo=demo', {
        external_id,
        password: { mode: 'password', value: password },
      }),
    )) as { id: string }
  const owner = await add('owner')
  await add('newcomer')
  const policy = (await call(new Request(new URL('/v1/policy', origin())))) as { role_assignments: object[] }
  const assigned = { identity_type: 'silo_user', identity_id: owner.id, role_name: 'admin' }
  await call(send('PUT', '/v1/policy', { role_assignments: [...policy.role_assignments, assigned] }))
}

const post = (path: string, body?: object): Request => send('POST', path, body)
const send = (method: string, path: string, body?: object): Request =>
  new Request(new URL(path, origin()), {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })

const origin = (): string => globalThis.location?.origin ?? 'http://localhost'

/** What goes well is left out: the console belongs to whoever works on the page. */
const consoleLog: Log = {
  info: () => undefined,
  warn: (fields, message) => console.warn(message, fields),
  error: (fields, message) => console.error(message, fields),
}
