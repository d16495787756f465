import { editionHeader, editions } from '@gantry/api/edition.rules'
import { laterFields } from '@gantry/api/later-fields'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '../testing/control-plane.ts'

let bed: TestBed
let operator: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  operator = await bed.signIn('admin')
  const disk = {
    name: 'data',
    description: '',
    size: 1024 ** 3,
    disk_source: { type: 'blank', block_size: 512 },
  }
  await operator.post('/v1/disks?project=playground', disk)
}, 60_000)
afterAll(() => bed.stop())

/** Not by the caller, which checks answers against the base edition. */
async function inEdition(edition: string, path: string, method = 'GET', body?: unknown) {
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: {
      cookie: operator.cookie,
      [editionHeader]: edition,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const response = await bed.plane.fetch(request, { address: '127.0.0.1' })
  return { status: response.status, body: await response.json() }
}

test('the state that a stale change is told of has them too', async () => {
  const path = '/v1/disks/data?project=playground'
  const request = new Request(`http://localhost${path}`, {
    method: 'DELETE',
    headers: {
      cookie: operator.cookie,
      origin: 'http://localhost',
      [editionHeader]: editions.later,
      'if-match': '"99"',
    },
  })
  const response = await bed.plane.fetch(request, { address: '127.0.0.1' })
  const { current } = await response.json()
  expect(response.status).toBe(412)
  expect(laterFields.Disk.safeParse(current).error).toBeUndefined()
  expect(current).toMatchObject((await inEdition(editions.later, path)).body)
})

const firstPool = async () => (await operator.get('/v1/system/ip-pools')).body.items[0].name

test.each([
  ['CurrentUser', '/v1/me'],
  ['User', '/v1/users'],
  ['Group', '/v1/groups'],
  ['Disk', '/v1/disks?project=playground'],
  ['Sled', '/v1/system/hardware/sleds'],
] as const)(
  'the later edition adds its fields to %s, and the base edition has none of them',
  async (name, path) => {
    const rowsOf = (body: { items?: object[] }): object[] => body.items ?? [body]
    const base = rowsOf((await operator.get(path)).body)
    const later = rowsOf((await inEdition(editions.later, path)).body)
    expect(later.length).toBeGreaterThan(0)
    for (const [index, row] of later.entries()) {
      expect(row).toMatchObject(base[index] ?? {})
      expect(laterFields[name].safeParse(row).error).toBeUndefined()
      for (const field of Object.keys(laterFields[name].shape)) {
        expect(row).toHaveProperty(field)
        expect(base[index]).not.toHaveProperty(field)
      }
    }
  },
)

test('the later edition counts the addresses of a pool in all', async () => {
  const { body } = await inEdition(editions.later, `/v1/system/ip-pools/${await firstPool()}/utilization`)
  expect(body.capacity).toBe(Number(body.ipv4.capacity) + Number(body.ipv6.capacity))
  expect(body.remaining).toBe(body.capacity - Number(body.ipv4.allocated) - Number(body.ipv6.allocated))
})

test('support bundles moved with the later edition', async () => {
  const moved = '/v1/system/support-bundles'
  const made = await inEdition(editions.later, moved, 'POST', { user_comment: 'moved' })
  expect(made.status).toBe(201)
  const { body } = await inEdition(editions.later, `${moved}/${made.body.id}`)
  expect(body).toMatchObject({ id: made.body.id, user_comment: 'moved' })
  expect((await inEdition(editions.base, moved)).status).toBe(404)
  expect((await operator.get(`/experimental${moved}/${made.body.id}`)).status).toBe(200)
})

test('an edition that is not served is refused with those that are, also to anonymous callers', async () => {
  const answer = await inEdition('2031010100.0.0', '/v1/me')
  expect(answer.status).toBe(400)
  expect(answer.body.message).toBe('unsupported API version: 2031010100.0.0')
  expect(answer.body.help).toContain(editions.later)
})

test('each edition describes itself', async () => {
  const idsOf = async (edition: string) => {
    const { paths } = (await inEdition(edition, '/openapi.json')).body as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    return new Map(
      Object.entries(paths).flatMap(([path, item]) =>
        Object.values(item).map(({ operationId }) => [operationId, path]),
      ),
    )
  }
  const base = await idsOf(editions.base)
  const later = await idsOf(editions.later)
  expect(later.size).toBe(base.size)
  expect(base.get('support_bundle_list')).toBe('/experimental/v1/system/support-bundles')
  expect(later.get('support_bundle_list')).toBe('/v1/system/support-bundles')
  expect(later.get('system_ip_pool_list')).toBe('/v1/system/ip-pools')
  expect(later.get('ip_pool_list')).toBe('/v1/ip-pools')
})
