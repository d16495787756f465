import { newestVersionText, versionHeader, versionText } from '@gantry/api/versions/newest.rules'
import { baseVersion } from '@gantry/api/versions/version.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
})
afterAll(() => bed.stop())

async function inVersion(edition: string, path: string, method = 'GET', body?: unknown) {
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: {
      cookie: operator.cookie,
      [versionHeader]: edition,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const response = await bed.plane.fetch(request, { address: '127.0.0.1' })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

test('the state that a stale change is told of has them too', async () => {
  const path = '/v1/disks/data?project=playground'
  const request = new Request(`http://localhost${path}`, {
    method: 'DELETE',
    headers: {
      cookie: operator.cookie,
      origin: 'http://localhost',
      [versionHeader]: newestVersionText,
      'if-match': '"99"',
    },
  })
  const response = await bed.plane.fetch(request, { address: '127.0.0.1' })
  const { current } = await response.json()
  expect(response.status).toBe(412)
  expect(current).toMatchObject((await inVersion(newestVersionText, path)).body)
})

const firstPool = async () => (await operator.get('/v1/system/ip-pools')).body.items[0].name

test.each([
  ['/v1/me', ['time_created', 'time_modified']],
  ['/v1/users', ['time_created', 'time_modified']],
  ['/v1/groups', ['time_created', 'time_modified']],
  ['/v1/disks?project=playground', ['disk_type', 'read_only']],
  ['/v1/system/hardware/sleds', ['slot']],
] as const)('the newest version answers %s with fields that the base edition lacks', async (path, fields) => {
  const rowsOf = (body: { items?: object[] }): object[] => body.items ?? [body]
  const base = rowsOf((await operator.get(path)).body)
  const newest = rowsOf((await inVersion(newestVersionText, path)).body)
  expect(newest.length).toBeGreaterThan(0)
  for (const [index, row] of newest.entries()) {
    expect(row).toMatchObject(base[index] ?? {})
    for (const field of fields) {
      expect(row).toHaveProperty(field)
      expect(base[index]).not.toHaveProperty(field)
    }
  }
})

test('the newest version counts the addresses of a pool in all, and the base edition by version', async () => {
  const { body } = await inVersion(newestVersionText, `/v1/system/ip-pools/${await firstPool()}/utilization`)
  expect(body.capacity).toBe(Number(body.ipv4.capacity) + Number(body.ipv6.capacity))
  expect(body.remaining).toBe(body.capacity - Number(body.ipv4.allocated) - Number(body.ipv6.allocated))
})

test('support bundles moved in August 2026', async () => {
  const moved = '/v1/system/support-bundles'
  const made = await inVersion(newestVersionText, moved, 'POST', { user_comment: 'moved' })
  expect(made.status).toBe(201)
  const { body } = await inVersion(newestVersionText, `${moved}/${made.body.id}`)
  expect(body).toMatchObject({ id: made.body.id, user_comment: 'moved' })
  expect((await inVersion(versionText(baseVersion), moved)).status).toBe(404)
  expect((await operator.get(`/experimental${moved}/${made.body.id}`)).status).toBe(200)
})

test('versions that are newer or malformed are refused with the newest one served', async () => {
  const newer = await inVersion('2031010100.0.0', '/v1/me')
  expect(newer.status).toBe(400)
  expect(newer.body.message).toBe('unsupported API version: 2031010100.0.0')
  expect(newer.body.error_code).toBeUndefined()
  for (const version of ['2026010300', 'latest', '', 'v2026010300.0.0', '2026010300.0', '02026010300.0.0']) {
    const malformed = await inVersion(version, '/v1/me')
    expect([malformed.status, malformed.body.message]).toEqual([
      400,
      `bad value of the header api-version: ${version}`,
    ])
    expect(malformed.body.help).toContain(newestVersionText)
  }
})

/** What released clients send (API versions reference, 1.3). */
test.each([
  ['0.0.6', 20250730],
  ['20250604.0.0', 20250730],
  ['20250730.0.0', 20250730],
  ['20251008.0.0', 20250730],
  ['2025112000.0.0', 2025112000],
  ['2026020900.0.0', 2026020900],
  ['2026021301.0.0', 2026021301],
  ['2026032500.0.0', 2026032500],
  ['2026060800.0.0', 2026060800],
  ['2026061000.0.0', 2026061000],
  ['2026072800.0.0', 2026072800],
  ['2026011400.0.0', 2026011300],
  ['2026081700.0.0', 2026081700],
  ['2026081901.0.0', 2026081901],
  ['2026081901.0.0-rc.1', 2026081700],
] as const)('a client of version %s is answered', async (version, shown) => {
  const { status, body } = await inVersion(version, '/v1/me')
  expect(status).toBe(200)
  expect('time_created' in body).toBe(shown >= 2026030200)
  const document = await inVersion(version, '/openapi.json')
  expect(document.body.info.version).toBe(versionText(shown))
})

describe('a client of 2026', () => {
  const version = '2026060800.0.0'
  const call = (method: string, path: string, body?: unknown) => inVersion(version, path, method, body)

  test('creates disks with their backend, alone and with an instance', async () => {
    const disk_source = { type: 'blank', block_size: 512 }
    const disk = (name: string, disk_backend: unknown) => ({
      name,
      description: '',
      size: 1024 ** 3,
      disk_backend,
    })
    const made = await call(
      'POST',
      '/v1/disks?project=playground',
      disk('backed', { type: 'distributed', disk_source }),
    )
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'backed', disk_type: 'distributed', read_only: false },
    })
    const local = await call('POST', '/v1/disks?project=playground', disk('local', { type: 'local' }))
    expect(local).toMatchObject({ status: 201, body: { disk_type: 'local', block_size: 4096 } })
    const read_only = {
      type: 'distributed',
      disk_source: { type: 'image', image_id: crypto.randomUUID(), read_only: true },
    }
    const unwritable = await call('POST', '/v1/disks?project=playground', disk('unwritable', read_only))
    expect(unwritable).toMatchObject({ status: 404, body: { error_code: 'ObjectNotFound' } })
    for (const backend of [undefined, null, [], { type: 'other' }, { type: 'distributed' }, 'distributed'])
      expect((await call('POST', '/v1/disks?project=playground', disk('bad', backend))).status).toBe(400)

    const create = { type: 'create', ...disk('boot', { type: 'distributed', disk_source }) }
    const instance = {
      name: 'modern',
      description: '',
      hostname: 'modern',
      ncpus: 1,
      memory: 1024 ** 3,
      boot_disk: create,
      disks: [{ ...create, name: 'more' }],
      network_interfaces: { type: 'default_ipv4' },
      external_ips: [{ type: 'ephemeral', pool_selector: { type: 'auto' } }],
      start: false,
      cpu_platform: null,
      enable_jumbo_frames: false,
    }
    expect(await call('POST', '/v1/instances?project=playground', instance)).toMatchObject({ status: 201 })
    const at = 'instance=modern&project=playground'
    expect((await call('GET', `/v1/network-interfaces?${at}`)).body.items).toHaveLength(1)
    const disks = (await call('GET', '/v1/instances/modern/disks?project=playground')).body.items
    expect(disks.map(({ name }: { name: string }) => name).sort()).toEqual(['boot', 'more'])
    expect(
      (await call('GET', '/v1/instances/modern/external-ips?project=playground')).body.items,
    ).toHaveLength(2)
    const grouped = {
      ...instance,
      name: 'grouped',
      boot_disk: null,
      disks: [],
      multicast_groups: [{ group: 'news' }],
    }
    expect(await call('POST', '/v1/instances?project=playground', grouped)).toMatchObject({
      status: 400,
      body: { message: 'the silo has no pool of multicast addresses' },
    })
    const dual = {
      ...instance,
      name: 'dual',
      boot_disk: null,
      disks: [],
      external_ips: [],
      network_interfaces: { type: 'default_dual_stack' },
    }
    expect(await call('POST', '/v1/instances?project=playground', dual)).toMatchObject({ status: 201 })
    const [nic] = (await call('GET', '/v1/network-interfaces?instance=dual&project=playground')).body.items
    expect(nic.ip_stack).toMatchObject({ type: 'dual_stack', value: { v4: {}, v6: {} } })
    // An older client is shown the address that it has a field for.
    const older = await inVersion(versionText(baseVersion), `/v1/network-interfaces/${nic.id}`)
    expect(older.body).toMatchObject({ ip: nic.ip_stack.value.v4.ip, transit_ips: [] })
  })

  test('chooses a pool for an ephemeral address', async () => {
    const path = '/v1/instances/modern/external-ips/ephemeral?project=playground'
    await call('DELETE', path)
    const unknown = await call('POST', path, { pool_selector: { type: 'explicit', pool: 'unknown' } })
    expect(unknown.status).toBe(404)
    const sixth = await call('POST', path, { pool_selector: { type: 'auto', ip_version: 'v6' } })
    expect([sixth.status, sixth.body.message]).toEqual([
      400,
      expect.stringContaining('has no private IPv6 address'),
    ])
    const pool = await firstPool()
    expect((await call('POST', path, { pool_selector: { type: 'explicit', pool } })).status).toBe(202)
  })

  test('chooses the pool or the address of a floating IP', async () => {
    const path = '/v1/floating-ips?project=playground'
    const create = (name: string, allocator: object) =>
      call('POST', path, { name, description: '', ...allocator })
    const unknown = { type: 'auto', pool_selector: { type: 'explicit', pool: 'unknown' } }
    expect((await create('lost', { address_allocator: unknown })).status).toBe(404)
    const first = await create('first', { address_allocator: { type: 'auto' } })
    expect(first.status).toBe(201)
    const again = { type: 'explicit', ip: first.body.ip }
    const earlier = { name: 'taken', description: '', address_selector: again }
    const taken = await inVersion('2026010500.0.0', path, 'POST', earlier)
    expect(taken.body.message).toContain('not available')
    expect((await call('DELETE', `/v1/floating-ips/first?project=playground`)).status).toBe(204)
    expect((await create('again', { address_allocator: again })).body.ip).toBe(first.body.ip)
  })

  test('filters pools, and detaches the address of a version', async () => {
    const named = async (path: string, at = version) =>
      (await inVersion(at, path)).body.items.map(({ name }: { name: string }) => name)
    const all = await named('/v1/system/ip-pools?assignment=silos', '2026061100.0.0')
    expect(all).not.toEqual([])
    const filtered = (filter: string) => named(`/v1/system/ip-pools?${filter}`, '2026061100.0.0')
    expect(await filtered('ip_version=v4&pool_type=unicast&assignment=silos')).toEqual(all)
    expect(await filtered('ip_version=v6')).toEqual([])
    expect(await filtered('pool_type=multicast')).toEqual([])
    expect(await filtered('assignment=system_services')).not.toEqual(all)
    expect(await named('/v1/ip-pools?ip_version=v6', '2026061100.0.0')).toEqual([])
    // Before, it was no parameter.
    expect(await named('/v1/system/ip-pools?ip_version=v6')).toEqual(all)

    const at = '/v1/instances/modern/external-ips/ephemeral?project=playground'
    const wrong = await call('DELETE', `${at}&ip_version=v6`)
    expect([wrong.status, wrong.body.message]).toEqual([
      400,
      'instance does not have an ephemeral IP attached',
    ])
    expect((await call('DELETE', `${at}&ip_version=v4`)).status).toBe(204)
  })

  test('lists what came later, as a client does that sends no version', async () => {
    for (const path of [
      '/v1/external-subnets?project=playground&limit=10',
      '/v1/instances/modern/external-subnets?project=playground',
      '/v1/subnet-pools',
      '/v1/system/silos/demo/subnet-pools',
      '/v1/system/subnet-pools?sort_by=name_ascending',
    ]) {
      const listed = await call('GET', path)
      expect(listed.status).toBe(200)
      // Named by a client that sends no version, it is as in the newest.
      expect(await operator.get(path)).toMatchObject(listed)
      const old = await inVersion(versionText(baseVersion), path)
      expect([old.status, old.body.help]).toEqual([404, expect.stringContaining('from version 2026')])
    }
    expect((await call('GET', '/v1/external-subnets')).status).toBe(400)
    expect((await call('GET', '/v1/external-subnets?project=unknown')).status).toBe(404)
    expect((await call('GET', '/v1/subnet-pools?limit=many')).status).toBe(400)
    const member = await bed.signIn('member')
    const request = new Request('http://localhost/v1/system/subnet-pools', {
      headers: { cookie: member.cookie, [versionHeader]: version },
    })
    expect((await bed.plane.fetch(request, { address: '127.0.0.1' })).status).toBe(403)
  })
})
