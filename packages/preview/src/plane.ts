import type { PGlite } from '@electric-sql/pglite'
import { memoryBlocks } from '@gantry/control-plane/blocks/memory'
import type { ControlPlane } from '@gantry/control-plane/environment'
import { Caller, nobody } from './caller.ts'
import { openControlPlane } from './control-plane.ts'
import { noteSetCookies } from './cookies.ts'
import { restoreImages } from './images.ts'
import type { Options } from './options.ts'
import { people } from './people.ts'

/** The control plane as this page sees it, including cookies. */
export interface Plane {
  fetch: (request: Request) => Promise<Response>
  upgrade: (request: Request) => ReturnType<ControlPlane['upgrade']>
  serves: ControlPlane['serves']
  /** Signs the page out and in again as another user, keeping everything created in it. */
  become: (name: string) => Promise<void>
  /** Starts what runs without a request. */
  start: ControlPlane['start']
  stop: ControlPlane['stop']
}

/**
 * A request with this header is made as another user, without changing the page's session: tests set up data
 * this way.
 */
export const asHeader = 'x-preview-user'

/**
 * A complete in-memory control plane with its initial contents. These last as long as the page; the signed-in
 * user is stored in the options, because signing out reloads the page.
 */
export async function openPlane(database: PGlite, options: Options): Promise<Plane> {
  noteSetCookies()
  const blocks = memoryBlocks()
  await restoreImages(database, blocks)
  const plane = openControlPlane(database, blocks)

  const page = new Caller(plane)
  const others = new Map<string, Caller>()
  async function other(name: string): Promise<Caller> {
    const known = others.get(name)
    if (known) return known
    const caller = new Caller(plane)
    if (await caller.signIn(name)) others.set(name, caller)
    return caller
  }

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
    start: plane.start,
    stop: plane.stop,
  }
  const { user } = options.current()
  // A user created by an earlier page no longer exists.
  if (user !== nobody && !(await page.signIn(user))) await preview.become(people[0].name)
  return preview
}
