import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeData } from './make-data.ts'
import { Options } from './options.ts'
import { password, people } from './people.ts'
import { asHeader, openPlane, type Plane } from './plane.ts'

const native = { Request, Response }
const memory = new Map<string, string>()
const shelf = {
  get: (key: string) => memory.get(key),
  set: (key: string, text: string) => void memory.set(key, text),
}
let plane: Plane
/** Created before Response was replaced. */
let early: Response

beforeAll(async () => {
  // Node lets scripts see cookies; a browser does not.
  globalThis.Request = class extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(input, init)
      this.headers.delete('cookie')
    }
  }
  globalThis.Response = class extends Response {
    constructor(body?: BodyInit | null, init?: ResponseInit) {
      super(body, init)
      this.headers.delete('set-cookie')
    }
  }
  early = new Response()
  plane = await openPlane(
    await PGlite.create({ loadDataDir: await makeData() }),
    new Options(shelf, new URLSearchParams()),
  )
  plane.start()
})

afterAll(async () => {
  await plane.stop()
  Object.assign(globalThis, native)
})

const get = (path: string) => plane.fetch(new Request(`http://localhost${path}`))
const post = (path: string, body?: unknown) =>
  plane.fetch(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )

test('starts signed in as admin, with the demo contents', async () => {
  await expect((await get('/v1/me')).json()).resolves.toMatchObject({
    display_name: 'admin',
    fleet_viewer: true,
  })
  const projects = (await (await get('/v1/projects')).json()) as { items: { name: string }[] }
  expect(projects.items.map(({ name }) => name)).toEqual(['playground'])
})

test('signing out and in uses the API, and the next page starts with the same user', async () => {
  expect((await post('/v1/logout')).status).toBe(204)
  expect((await get('/v1/me')).status).toBe(401)
  expect([...memory.values()]).toEqual([''])
  expect((await post('/v1/login/demo/local', { username: 'viewer', password: 'wrong' })).status).toBe(401)
  expect((await post('/v1/login/demo/local', { username: 'viewer', password })).status).toBe(204)
  await expect((await get('/v1/me')).json()).resolves.toMatchObject({ display_name: 'viewer' })
  expect([...memory.values()]).toEqual(['viewer'])
})

test("a request that waits while the user is switched fails, instead of being refused as the next one's", async () => {
  let finish = (): void => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      finish = () => {
        controller.enqueue(new TextEncoder().encode('{"name":"late","description":""}'))
        controller.close()
      }
    },
  })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' }
  const late = plane.fetch(new Request('http://localhost/v1/projects', init))
  await plane.become('member')
  finish()
  expect((await late).type).toBe('error')
  await expect((await get('/v1/me')).json()).resolves.toMatchObject({ display_name: 'member' })
})

test('one user of each kind exists', async () => {
  const roles = new Map<string, unknown>()
  for (const { name } of people) {
    await plane.become(name)
    const me = (await (await get('/v1/me')).json()) as Record<string, unknown>
    roles.set(name, { fleet: me.fleet_viewer, silo: me.silo_admin })
    expect(memory.get('preview-user')).toBe(name)
  }
  expect(Object.fromEntries(roles)).toEqual({
    admin: { fleet: true, silo: true },
    owner: { fleet: false, silo: true },
    member: { fleet: false, silo: false },
    viewer: { fleet: false, silo: false },
    newcomer: { fleet: false, silo: false },
  })
  await expect((await get('/v1/me/groups')).json()).resolves.toMatchObject({ items: [] })
  expect((await get('/v1/projects')).status).toBe(403)
})

test("a call can be made as another user, without changing the page's session", async () => {
  await plane.become('viewer')
  const url = 'http://localhost/v1/projects'
  const headers = { [asHeader]: 'member', 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'scene', description: '' })
  expect((await plane.fetch(new Request(url, { method: 'POST', headers, body }))).status).toBe(201)
  await expect((await get('/v1/me')).json()).resolves.toMatchObject({ display_name: 'viewer' })
})

test('responses from the browser are still instances of Response', () => {
  expect(early).toBeInstanceOf(Response)
  expect(new Response()).toBeInstanceOf(Response)
})
