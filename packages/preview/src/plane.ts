import type { PGlite } from '@electric-sql/pglite'
import type { CurrentUser } from '@gantry/api/me'
import { createControlPlane } from '@gantry/control-plane/app'
import { memoryBlocks } from '@gantry/control-plane/blocks/memory'
import { inProcessPglite } from '@gantry/control-plane/db/in-process-pglite'
import type { ControlPlane, Log } from '@gantry/control-plane/environment'
import { CookieJar, noteSetCookies } from './cookies.ts'
import { pbkdf2Passwords } from './passwords.ts'

/** Of every user of silo `demo`. Whoever has this page has all that is in it, so it is no secret. */
export const password = 'preview'

/** The control plane as this one page sees it, cookies included. */
export interface Plane {
  fetch: (request: Request) => Promise<Response>
  upgrade: (request: Request) => ReturnType<ControlPlane['upgrade']>
  serves: ControlPlane['serves']
  stop: ControlPlane['stop']
}

const peer = { address: '127.0.0.1' }
const personKey = 'gantry-preview-person'
/** In place of a name, where somebody signed out. */
const nobody = ''

/**
 * A whole control plane in memory with its demo contents. Contents last as long as the page; who is signed in
 * lasts as long as `memory`, because signing out loads the page anew. At first that is `admin`.
 */
export async function openPlane(
  database: PGlite,
  memory: Pick<Storage, 'getItem' | 'setItem'>,
): Promise<Plane> {
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
    origins: [],
  })
  await plane.migrate()
  await plane.seed('demo', password)
  plane.start()

  const jar = new CookieJar()
  const send = (request: Request): Promise<Response> => plane.fetch(jar.fill(request), peer)
  const preview: Plane = {
    async fetch(request) {
      const response = await send(request)
      if (jar.keep(response)) memory.setItem(personKey, await personOf(send))
      return response
    },
    upgrade: (request) => plane.upgrade(jar.fill(request), peer),
    serves: plane.serves,
    stop: plane.stop,
  }
  const person = memory.getItem(personKey) ?? 'admin'
  // Whom an earlier page made is not there any more.
  if (person !== nobody && !(await signIn(preview, person))) await signIn(preview, 'admin')
  return preview
}

async function personOf(send: Plane['fetch']): Promise<string> {
  const response = await send(new Request(new URL('/v1/me', origin())))
  return response.ok ? ((await response.json()) as CurrentUser).display_name : nobody
}

async function signIn(plane: Plane, username: string): Promise<boolean> {
  const request = new Request(new URL('/v1/login/demo/local', origin()), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  return (await plane.fetch(request)).ok
}

const origin = (): string => globalThis.location?.origin ?? 'http://localhost'

/** What goes well is left out: the console belongs to whoever works on the page. */
const consoleLog: Log = {
  info: () => undefined,
  warn: (fields, message) => console.warn(message, fields),
  error: (fields, message) => console.error(message, fields),
}
