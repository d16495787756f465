import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPlane, password, type Plane } from './plane.ts'

const native = { Request, Response }
const memory = new Map<string, string>()
const storage = {
  getItem: (key: string) => memory.get(key) ?? null,
  setItem: (key: string, value: string) => void memory.set(key, value),
}
let plane: Plane
/** Made before anything was put in the place of Response. */
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
  plane = await openPlane(await PGlite.create(), storage)
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

test('begins signed in as admin, with the demo contents', async () => {
  await expect((await get('/v1/me')).json()).resolves.toMatchObject({
    display_name: 'admin',
    fleet_viewer: true,
  })
  const projects = (await (await get('/v1/projects')).json()) as { items: { name: string }[] }
  expect(projects.items.map(({ name }) => name)).toEqual(['playground'])
})

test('signing out and in goes through the API, and the next page begins with the same person', async () => {
  expect((await post('/v1/logout')).status).toBe(204)
  expect((await get('/v1/me')).status).toBe(401)
  expect([...memory.values()]).toEqual([''])
  expect((await post('/v1/login/demo/local', { username: 'viewer', password: 'wrong' })).status).toBe(401)
  expect((await post('/v1/login/demo/local', { username: 'viewer', password })).status).toBe(204)
  await expect((await get('/v1/me')).json()).resolves.toMatchObject({ display_name: 'viewer' })
  expect([...memory.values()]).toEqual(['viewer'])
})

test('what a browser makes is still a Response', () => {
  expect(early).toBeInstanceOf(Response)
  expect(new Response()).toBeInstanceOf(Response)
})
