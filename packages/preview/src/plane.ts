import type { PGlite } from '@electric-sql/pglite'
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

/** A whole control plane in memory, with its demo contents and `admin` signed in. */
export async function openPlane(database: PGlite): Promise<Plane> {
  noteSetCookies()
  const plane = createControlPlane({
    dialect: inProcessPglite(database),
    blocks: memoryBlocks(),
    passwords: pbkdf2Passwords,
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
  const preview: Plane = {
    async fetch(request) {
      const response = await plane.fetch(jar.fill(request), peer)
      jar.keep(response)
      return response
    },
    upgrade: (request) => plane.upgrade(jar.fill(request), peer),
    serves: plane.serves,
    stop: plane.stop,
  }
  await signIn(preview, 'admin')
  return preview
}

async function signIn(plane: Plane, username: string): Promise<void> {
  const request = new Request(new URL('/v1/login/demo/local', origin()), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  const response = await plane.fetch(request)
  if (!response.ok) throw new Error(`signing in as ${username} answered ${response.status}`)
}

const origin = (): string => globalThis.location?.origin ?? 'http://localhost'

/** What goes well is left out: the console belongs to whoever works on the page. */
const consoleLog: Log = {
  info: () => undefined,
  warn: (fields, message) => console.warn(message, fields),
  error: (fields, message) => console.error(message, fields),
}
