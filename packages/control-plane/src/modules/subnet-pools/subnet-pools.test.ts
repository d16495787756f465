import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulatedFleet } from '../../fleet/simulated/fleet.ts'
import { type Caller, said, type TestBed, testControlPlane } from '../../testing/control-plane.ts'

let bed: TestBed
let operator: Caller
let viewer: Caller
let member: Caller
let count = 0
const pools = '/v1/system/subnet-pools'

beforeAll(async () => {
  bed = await testControlPlane()
  operator = await bed.signIn('admin')
  member = await bed.signIn('member')
  viewer = await bed.addUser('fleet-viewer', { roles: [{ at: 'fleet', role: 'viewer' }] })
  await bed.addSilo('annex')
})
afterAll(() => bed.stop())

async function newPool(ip_version: 'v4' | 'v6' = 'v4'): Promise<string> {
  const name = `pool-${++count}`
  expect(said(await operator.post(pools, { name, description: 'd', ip_version }))).toBe('201')
  return name
}
const add = (pool: string, subnet: string, more: object = {}) =>
  operator.post(`${pools}/${pool}/members/add`, { subnet, ...more })
const remove = (pool: string, subnet: string) => operator.post(`${pools}/${pool}/members/remove`, { subnet })
const link = (pool: string, is_default: boolean, silo = 'annex') =>
  operator.post(`${pools}/${pool}/silos`, { silo, is_default })
const setDefault = (pool: string, is_default: boolean, silo = 'annex') =>
  operator.call('PUT', `${pools}/${pool}/silos/${silo}`, { is_default })

describe('pools', () => {
  test('can be created, renamed, and deleted once empty', async () => {
    const name = await newPool()
    expect(said(await operator.post(pools, { name, description: '', ip_version: 'v6' }))).toBe(
      `400 already exists: subnet-pool "${name}"`,
    )
    const renamed = await operator.call('PUT', `${pools}/${name}`, { name: `${name}-b` })
    expect(renamed.body).toMatchObject({ name: `${name}-b`, description: 'd', ip_version: 'v4' })
    expect(said(await add(`${name}-b`, '10.70.0.0/24'))).toBe('201')
    const kept = await operator.call('DELETE', `${pools}/${name}-b`)
    expect(said(kept)).toBe('400 Subnet pool cannot be deleted while it contains members')
    expect(kept.body.help).toContain('10.70.0.0/24')
    expect(said(await remove(`${name}-b`, '10.70.0.0/24'))).toBe('204')
    expect(said(await link(`${name}-b`, false))).toBe('201')
    expect(said(await operator.call('DELETE', `${pools}/${name}-b`))).toBe('204')
    expect((await operator.get('/v1/system/silos/annex/subnet-pools')).body.items).toEqual([])
  })

  test('are refused to fleet viewers, and hidden from everyone else', async () => {
    const name = await newPool()
    expect(said(await viewer.post(pools, { name: 'x', description: '', ip_version: 'v4' }))).toBe(
      '403 Forbidden',
    )
    expect(said(await viewer.post(`${pools}/${name}/members/add`, { subnet: '10.1.0.0/24' }))).toBe(
      '403 Forbidden',
    )
    expect((await viewer.get(`${pools}/${name}`)).status).toBe(200)
    expect(said(await member.get(`${pools}/${name}`))).toBe(`404 not found: subnet-pool with name "${name}"`)
    expect(said(await member.get(`/v1/subnet-pools/${name}`))).toBe(
      `404 not found: subnet-pool with name "${name}"`,
    )
    expect((await member.get('/v1/subnet-pools/external')).body).toMatchObject({
      ip_version: 'v4',
      is_default: true,
    })
  })

  test('refuse a stale edit with 412', async () => {
    const name = await newPool()
    const edit = (etag: string) =>
      operator.call('PUT', `${pools}/${name}`, { description: 'new' }, { 'if-match': etag })
    expect((await edit('"1"')).status).toBe(200)
    expect((await edit('"1"')).status).toBe(412)
  })

  test('are listed with what is counted', async () => {
    const name = await newPool()
    await add(name, '10.70.1.0/24')
    await add(name, '10.70.3.0/24')
    await link(name, false)
    const list = '/ext/v1/system/subnet-pools'
    const { items } = (await operator.call('GET', list, undefined, { 'api-version': '2026081900.0.0' })).body
    expect(items.find((pool: { name: string }) => pool.name === name)).toMatchObject({
      ip_version: 'v4',
      utilization: { capacity: 512, remaining: 512 },
      members: 2,
      silos: 1,
      default_silos: 0,
    })
  })
})

describe('members', () => {
  test.each([
    ['10.71.0.1/24', {}, '10.71.0.1/24 has host bits set; the network is 10.71.0.0/24'],
    ['2001:db8::/48', {}, '2001:db8::/48 is a network of IPv6, and the pool has those of IPv4'],
    ['10.71.0.0/24', { min_prefix_length: 23 }, 'Prefix lengths must be at least 24'],
    ['10.71.0.0/24', { max_prefix_length: 20 }, 'Prefix lengths must be at least 24'],
    ['10.71.0.0/24', { max_prefix_length: 33 }, 'Prefix lengths of IPv4 are at most 32'],
    [
      '10.71.0.0/24',
      { min_prefix_length: 28, max_prefix_length: 26 },
      'The shortest prefix length must not exceed the longest',
    ],
    ['10.71.0.0', {}, 'invalid IP network'],
  ])('%s with %o is refused', async (subnet, more, words) => {
    const answer = await add(await newPool(), subnet, more)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(words)
  })

  test('have the lengths of their network unless others are given', async () => {
    const name = await newPool()
    expect((await add(name, '10.72.0.0/24')).body).toMatchObject({
      min_prefix_length: 24,
      max_prefix_length: 32,
    })
    const six = await newPool('v6')
    expect((await add(six, '2001:DB8:72::/48', { min_prefix_length: 56 })).body).toMatchObject({
      subnet: '2001:db8:72::/48',
      min_prefix_length: 56,
      max_prefix_length: 128,
    })
  })

  test('overlap no member and no range of an IP pool, and ranges no member', async () => {
    const [a, b] = [await newPool(), await newPool()]
    expect(said(await add(a, '10.73.1.0/24'))).toBe('201')
    for (const subnet of ['10.73.1.0/24', '10.73.1.128/25', '10.73.0.0/23']) {
      const answer = await add(b, subnet)
      expect(said(answer)).toBe(`400 The provided subnet ${subnet} overlaps with an existing member`)
      expect(answer.body.help).toContain(`${a} has 10.73.1.0/24`)
    }
    expect(said(await add(b, '198.51.100.0/24'))).toBe(
      '400 The provided subnet 198.51.100.0/24 overlaps with a range of an IP pool',
    )
    const range = { first: '10.73.1.255', last: '10.73.2.3' }
    expect(said(await operator.post('/v1/system/ip-pools/external/ranges/add', range))).toBe(
      '400 The provided IP range 10.73.1.255-10.73.2.3 overlaps with a member of a subnet pool',
    )
    const answers = await Promise.all([add(a, '10.74.0.0/24'), add(b, '10.74.0.0/23')])
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([201, 400])
  })

  test('are listed by network, page by page', async () => {
    const name = await newPool()
    for (const subnet of ['10.75.3.0/24', '10.75.1.0/24', '9.75.2.0/24']) await add(name, subnet)
    const page = async (more: string) => (await operator.get(`${pools}/${name}/members?limit=2${more}`)).body
    const first = await page('')
    const second = await page(`&page_token=${first.next_page}`)
    expect([...first.items, ...second.items].map(({ subnet }) => subnet)).toEqual([
      '9.75.2.0/24',
      '10.75.1.0/24',
      '10.75.3.0/24',
    ])
  })

  test('are removed by their exact network, once nothing is allocated from them', async () => {
    const name = await newPool()
    await add(name, '10.76.0.0/24')
    await link(name, false, 'demo')
    expect(said(await remove(name, '10.76.0.0/25'))).toBe(
      '400 The provided subnet 10.76.0.0/25 is no member of the subnet pool',
    )
    const subnets = '/v1/external-subnets?project=playground'
    const allocator = { type: 'explicit', subnet: '10.76.0.32/28' }
    expect(said(await member.post(subnets, { name: 'held', description: '', allocator }))).toBe('201')
    const held = await remove(name, '10.76.0.0/24')
    expect(said(held)).toBe('400 Members cannot be removed while external subnets are allocated from them')
    expect(held.body.help).toContain('10.76.0.32/28')
    const unlink = () => operator.call('DELETE', `${pools}/${name}/silos/demo`)
    expect(said(await unlink())).toBe('400 External subnets from this pool are in use in the linked silo')
    await member.call('DELETE', '/v1/external-subnets/held?project=playground')
    expect(said(await unlink())).toBe('204')
    expect(said(await remove(name, '10.76.0.0/24'))).toBe('204')
  })
})

describe('links', () => {
  test('make one default pool of each IP version, which another one can replace', async () => {
    const [one, two, six] = [await newPool(), await newPool(), await newPool('v6')]
    expect(said(await link(one, true))).toBe('201')
    expect(said(await link(one, false))).toMatch(/^400 already exists: subnet-pool-resource/)
    const second = await link(two, true)
    expect(said(second)).toBe('400 The silo already has a default subnet pool of IPv4')
    expect(second.body.help).toContain(one)
    expect(said(await link(six, true))).toBe('201')
    expect(said(await link(two, false))).toBe('201')
    expect((await setDefault(two, true)).body).toMatchObject({ is_default: true })
    const { items } = (await operator.get('/v1/system/silos/annex/subnet-pools')).body
    const defaults = items.filter(({ is_default }: { is_default: boolean }) => is_default)
    expect(defaults.map(({ name }: { name: string }) => name).sort()).toEqual([two, six].sort())
    expect((await operator.get(`${pools}/${one}/silos`)).body.items).toMatchObject([{ is_default: false }])
  })

  test('that do not exist are missing', async () => {
    const name = await newPool()
    const missing = /^404 not found: subnet-pool-resource with id "\(/
    expect(said(await setDefault(name, true))).toMatch(missing)
    expect(said(await operator.call('DELETE', `${pools}/${name}/silos/annex`))).toMatch(missing)
  })

  test('end with their silo', async () => {
    const id = await bed.addSilo('brief')
    const name = await newPool()
    expect(said(await link(name, true, 'brief'))).toBe('201')
    expect(said(await operator.call('DELETE', `/v1/system/silos/${id}`))).toBe('204')
    expect((await operator.get(`${pools}/${name}/silos`)).body.items).toEqual([])
  })
})

test('a fleet with real machines takes no network at which nothing can be reached, and attaches none', async () => {
  const real = await testControlPlane({
    environment: { fleet: (given) => ({ ...simulatedFleet(given), isSimulated: false }) },
  })
  try {
    const admin = await real.signIn('admin')
    await admin.post(pools, { name: 'real', description: '', ip_version: 'v4' })
    const answer = await admin.post(`${pools}/real/members/add`, { subnet: '127.0.0.0/8' })
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('loopback')])
  } finally {
    await real.stop()
  }
})

test('answers of older versions have what they knew of members and usage', async () => {
  const name = await newPool()
  const asOf = (version: string, method: string, path: string, body?: object) =>
    operator.call(method, path, body, { 'api-version': version })
  const added = await asOf('2026012300.0.0', 'POST', `${pools}/${name}/members/add`, {
    subnet: '10.77.0.0/24',
  })
  expect(added.body).toMatchObject({
    name: 'unused',
    description: '',
    time_modified: added.body.time_created,
  })
  const pool = await asOf('2026012300.0.0', 'GET', `${pools}/${name}`)
  expect(pool.body.pool_type).toBe('unicast')
  const use = (version: string) => asOf(version, 'GET', `${pools}/${name}/utilization`)
  expect((await use('2026032400.0.0')).body).toEqual({ capacity: 256, allocated: 0 })
  expect((await use('2026032500.0.0')).body).toEqual({ capacity: 256, remaining: 256 })
})
