import { newestVersionText } from '@gantry/api/versions/newest.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulatedFleet } from '../../fleet/simulated/fleet.ts'
import { withoutBin } from '../../testing/environment.ts'
import { type Caller, eventually, said, type TestBed, testControlPlane } from '../../testing/control-plane.ts'

let bed: TestBed
let operator: Caller
let viewer: Caller
let member: Caller
beforeAll(async () => {
  bed = await testControlPlane({ environment: { settings: withoutBin } })
  operator = await bed.signIn('admin')
  member = await bed.signIn('member')
  viewer = await bed.addUser('fleet-viewer', { roles: [{ at: 'fleet', role: 'viewer' }] })
  await bed.addSilo('annex')
})
afterAll(() => bed.stop())

const pools = '/v1/system/ip-pools'
const range = (first: string, last: string) => ({ first, last })
const add = (pool: string, first: string, last: string) =>
  operator.post(`${pools}/${pool}/ranges/add`, range(first, last))
const remove = (pool: string, first: string, last: string) =>
  operator.post(`${pools}/${pool}/ranges/remove`, range(first, last))
let count = 0
async function newPool(): Promise<string> {
  const name = `pool-${++count}`
  expect(said(await operator.post(pools, { name, description: 'd' }))).toBe('201')
  return name
}

describe('pools', () => {
  test('can be created, renamed, and deleted once empty', async () => {
    const name = await newPool()
    expect(said(await operator.post(pools, { name, description: '' }))).toBe(
      `400 already exists: ip-pool "${name}"`,
    )
    const renamed = await operator.call('PUT', `${pools}/${name}`, { name: `${name}-b` })
    expect(renamed.body).toMatchObject({ name: `${name}-b`, description: 'd' })
    expect(said(await add(`${name}-b`, '10.1.0.1', '10.1.0.1'))).toBe('201')
    const kept = await operator.call('DELETE', `${pools}/${name}-b`)
    expect(said(kept)).toBe('400 IP Pool cannot be deleted while it contains IP ranges')
    expect(kept.body.help).toContain('10.1.0.1-10.1.0.1')
    expect(said(await remove(`${name}-b`, '10.1.0.1', '10.1.0.1'))).toBe('204')
    expect(said(await operator.call('DELETE', `${pools}/${name}-b`))).toBe('204')
    expect(said(await operator.get(`${pools}/${name}-b`))).toBe(
      `404 not found: ip-pool with name "${name}-b"`,
    )
  })

  test('are refused to fleet viewers, and hidden from everyone else', async () => {
    const name = await newPool()
    expect(said(await viewer.post(pools, { name: 'x', description: '' }))).toBe('403 Forbidden')
    expect(said(await viewer.call('DELETE', `${pools}/${name}`))).toBe('403 Forbidden')
    expect(said(await member.call('DELETE', `${pools}/${name}`))).toBe(
      `404 not found: ip-pool with name "${name}"`,
    )
    expect(said(await member.get('/ext/v1/system/ip-pools'))).toBe('403 Forbidden')
  })

  test('refuse a stale edit with 412', async () => {
    const name = await newPool()
    const edit = (etag: string) =>
      operator.call('PUT', `${pools}/${name}`, { description: 'new' }, { 'if-match': etag })
    expect((await edit('"1"')).status).toBe(200)
    expect((await edit('"1"')).status).toBe(412)
  })
})

describe('ranges', () => {
  test.each([
    ['10.2.0.9', '10.2.0.1', 'IP address ranges must be non-decreasing'],
    ['2001:db8::2', '2001:db8::1', 'IP address ranges must be non-decreasing'],
    ['10.2.0.1', '2001:db8::1', 'first and last must be addresses of one version'],
    ['10.2.0', '10.2.0.1', 'invalid IPv4 address'],
  ])('%s-%s is refused', async (first, last, words) => {
    const name = await newPool()
    const answer = await add(name, first, last)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(words)
  })

  test('must not overlap in any pool, and the refusal names the other range', async () => {
    const [a, b] = [await newPool(), await newPool()]
    expect(said(await add(a, '10.3.0.10', '10.3.0.20'))).toBe('201')
    for (const [first, last] of [
      ['10.3.0.1', '10.3.0.10'],
      ['10.3.0.20', '10.3.0.30'],
      ['10.3.0.12', '10.3.0.13'],
      ['10.3.0.1', '10.3.0.99'],
    ] as const) {
      const answer = await add(b, first, last)
      expect(said(answer)).toBe(`400 The provided IP range ${first}-${last} overlaps with an existing range`)
      expect(answer.body.help).toContain(`${a} has 10.3.0.10-10.3.0.20`)
    }
    expect(said(await add(b, '10.3.0.1', '10.3.0.9'))).toBe('201')
  })

  test('that overlap cannot both be added concurrently', async () => {
    const names = [await newPool(), await newPool(), await newPool()]
    const answers = await Promise.all(names.map((name) => add(name, '10.4.0.1', '10.4.0.9')))
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 400, 400])
  })

  test('are listed by first address, IPv4 before IPv6, page by page', async () => {
    const name = await newPool()
    for (const [first, last] of [
      ['2001:db8:5::', '2001:db8:5::ffff'],
      ['200.5.0.1', '200.5.0.2'],
      ['10.5.0.1', '10.5.0.2'],
    ] as const)
      expect(said(await add(name, first, last))).toBe('201')
    const seen: string[] = []
    let page = await operator.get(`${pools}/${name}/ranges?limit=1`)
    while (page.body.items.length > 0) {
      seen.push(page.body.items[0].range.first)
      page = await operator.get(`${pools}/${name}/ranges?limit=1&page_token=${page.body.next_page}`)
    }
    expect(seen).toEqual(['10.5.0.1', '200.5.0.1', '2001:db8:5::'])
  })

  test('can only be removed exactly as added, and while unused', async () => {
    expect(said(await remove('external', '198.51.100.1', '198.51.100.9'))).toBe(
      '400 The provided range 198.51.100.1-198.51.100.9 does not exist',
    )
    const body = { name: 'held', description: '', ip: '198.51.100.77' }
    expect(said(await member.post('/v1/floating-ips?project=playground', body))).toBe('201')
    const used = await remove('external', '198.51.100.1', '198.51.100.254')
    expect(said(used)).toBe(
      '400 IP pool ranges cannot be deleted while external IP addresses are allocated from them',
    )
    expect(used.body.help).toContain('198.51.100.77')
    await member.call('DELETE', '/v1/floating-ips/held?project=playground')
  })

  test('of IPv6 are counted beyond safe integers, and give the lowest address', async () => {
    const name = await newPool()
    await add(name, '2001:db8:6::', '2001:db8:6:0:ffff:ffff:ffff:ffff')
    const link = { silo: 'demo', is_default: false }
    expect(said(await operator.post(`${pools}/${name}/silos`, link))).toBe('201')
    expect((await operator.get(`${pools}/${name}/utilization`)).body).toEqual({
      ipv4: { allocated: 0, capacity: 0 },
      ipv6: { allocated: '0', capacity: '18446744073709551616' },
    })
    const wanted = { name: 'six', description: '', pool: name }
    const six = await member.post('/v1/floating-ips?project=playground', wanted)
    expect(six.body).toMatchObject({ ip: '2001:db8:6::' })
    expect((await operator.get(`${pools}/${name}/utilization`)).body.ipv6.allocated).toBe('1')
    expect(said(await remove(name, '2001:db8:6::', '2001:db8:6:0:ffff:ffff:ffff:ffff'))).toBe(
      '400 IP pool ranges cannot be deleted while external IP addresses are allocated from them',
    )
    expect(said(await operator.call('DELETE', `${pools}/${name}/silos/demo`))).toBe(
      '400 IP addresses from this pool are in use in the linked silo',
    )
    expect(said(await member.call('DELETE', `/v1/floating-ips/${six.body.id}`))).toBe('204')
    expect(said(await remove(name, '2001:db8:6::', '2001:db8:6:0:ffff:ffff:ffff:ffff'))).toBe('204')
  })
})

describe('links', () => {
  const linkOf = (pool: string, silo: string) => `${pools}/${pool}/silos/${silo}`

  test('are listed for discoverable silos, and by the extension for all', async () => {
    const hidden = await bed.addSilo('hidden')
    await bed.db.updateTable('silo').set({ discoverable: false }).where('id', '=', hidden).execute()
    const name = await newPool()
    for (const silo of ['demo', 'hidden'])
      await operator.post(`${pools}/${name}/silos`, { silo, is_default: false })
    const linksAt = async (path: string) => (await operator.get(path)).body.items
    expect(await linksAt(`${pools}/${name}/silos`)).toHaveLength(1)
    const all = await linksAt(`/ext/v1/system/ip-pools/${name}/silos`)
    expect(all).toHaveLength(2)
    expect(all).toContainEqual(expect.objectContaining({ silo_id: hidden, is_default: false }))
  })

  test("make one pool the silo's default in place of another", async () => {
    const [a, b] = [await newPool(), await newPool()]
    const link = (pool: string, is_default: boolean) =>
      operator.post(`${pools}/${pool}/silos`, { silo: 'annex', is_default })
    expect(said(await link(a, true))).toBe('201')
    const twice = await link(a, false)
    expect(said(twice)).toMatch(/^400 already exists: ip-pool-resource "ip_pool_id: .*Silo"$/)
    expect(twice.body.help).toBe(`The pool ${a} is already linked to the silo annex.`)
    const secondDefault = await link(b, true)
    expect(said(secondDefault)).toMatch(/^400 already exists: ip-pool-resource/)
    expect(secondDefault.body.help).toBe(
      `The default pool of the silo annex is ${a}. Link this one without making it the default, then make it the default.`,
    )
    expect(said(await link(b, false))).toBe('201')
    expect(said(await operator.call('PUT', linkOf(b, 'annex'), { is_default: true }))).toBe('200')
    const linked = (await operator.get('/v1/system/silos/annex/ip-pools')).body.items
    expect(linked.map(({ name, is_default }: never) => [name, is_default])).toEqual([
      [a, false],
      [b, true],
    ])
    expect(said(await operator.call('DELETE', linkOf(a, 'annex')))).toBe('204')
    expect(said(await operator.call('DELETE', linkOf(a, 'annex')))).toBe('204')
    expect(said(await operator.call('PUT', linkOf(a, 'annex'), { is_default: true }))).toMatch(
      /^404 not found: ip-pool-resource with id "\(/,
    )
  })

  test('cannot be removed while the silo holds addresses', async () => {
    await member.post('/v1/floating-ips?project=playground', { name: 'kept', description: '' })
    const answer = await operator.call('DELETE', linkOf('external', 'demo'))
    expect(said(answer)).toBe('400 IP addresses from this pool are in use in the linked silo')
    await member.call('DELETE', '/v1/floating-ips/kept?project=playground')
  })

  test("attach the default pool to the silo's default gateways, and unlinking detaches it", async () => {
    const name = await newPool()
    const at = '/v1/internet-gateway-ip-pools?project=playground&vpc=default&gateway=default'
    const attached = async () => (await member.get(at)).body.items.length
    const before = await attached()
    await operator.post(`${pools}/${name}/silos`, { silo: 'demo', is_default: false })
    expect(await attached()).toBe(before)
    await operator.call('PUT', linkOf(name, 'demo'), { is_default: true })
    expect(await attached()).toBe(before + 1)
    await operator.call('PUT', linkOf('external', 'demo'), { is_default: true })
    await operator.call('DELETE', linkOf(name, 'demo'))
    expect(await attached()).toBe(before)
  })

  test('end with their silo, of which operators receive an event', async () => {
    const name = await newPool()
    const { id } = (await operator.get(`${pools}/${name}`)).body
    await bed.addSilo('ending')
    await operator.post(`${pools}/${name}/silos`, { silo: 'ending', is_default: true })
    const stream = await bed.follow(viewer, { query: 'topic=fleet&topic=silo' })
    expect(said(await operator.call('DELETE', '/v1/system/silos/ending'))).toBe('204')
    await eventually(
      async () => stream.events,
      (events) => events.some(({ data }) => data.kind === 'silo' && data.op === 'delete'),
    )
    const heard = stream.events.filter(({ data }) => data.kind === 'ip-pool').map(({ data }) => data.id)
    expect(heard).toEqual([id])
    stream.close()
  })

  test('created concurrently leave one default', async () => {
    const names = await Promise.all([newPool(), newPool(), newPool()])
    await bed.addSilo('crowded')
    const answers = await Promise.all(
      names.map((name) => operator.post(`${pools}/${name}/silos`, { silo: 'crowded', is_default: true })),
    )
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 400, 400])
  })
})

describe("pools of the system's services", () => {
  const newest = { 'api-version': newestVersionText }
  const assign = (name: string, assignment: string, who = operator) =>
    who.call('POST', `${pools}/${name}/assignment`, { assignment }, newest)
  const named = async (query = '', headers: Record<string, string> = newest): Promise<string[]> =>
    (await operator.call('GET', `${pools}?limit=1000${query}`, undefined, headers)).body.items.map(
      ({ name }: { name: string }) => name,
    )

  test('had operations of their own while there was one', async () => {
    const pool = (await viewer.get('/v1/system/ip-pools-service')).body
    expect((await operator.get(`${pools}/${pool.name}`)).body).toMatchObject({ id: pool.id })
    expect(await named('', {})).not.toContain(pool.name)
    expect(await named()).toContain(pool.name)
    expect(await named('&assignment=silos')).not.toContain(pool.name)
    expect(await named('&assignment=system_services')).toEqual([pool.name])
    const at = '/v1/system/ip-pools-service/ranges'
    expect(said(await operator.post(`${at}/add`, range('10.9.0.1', '10.9.0.4')))).toBe('201')
    expect((await viewer.get(at)).body.items).toHaveLength(2)
    expect(said(await operator.post(`${at}/remove`, range('10.9.0.1', '10.9.0.4')))).toBe('204')
  })

  test('are never all taken from them', async () => {
    const last = "400 IP pool service-pool is the last one of the system's services"
    expect(said(await assign('service-pool', 'silos'))).toBe(last)
    const at = '/v1/system/ip-pools-service/ranges'
    const seeded = range('192.0.2.1', '192.0.2.14')
    expect(said(await operator.post(`${at}/remove`, seeded))).toBe('204')
    expect(said(await operator.call('DELETE', `${pools}/service-pool`))).toBe(last)
    const { id } = (await operator.get(`${pools}/service-pool`)).body
    const plan = await operator.call('GET', `/ext/v1/deletion-plans/${id}?kind=ip-pool`, undefined, newest)
    expect(JSON.stringify(plan.body)).toContain("the system's services have no other pool")
    expect(said(await operator.post(`${at}/add`, seeded))).toBe('201')
  })

  test('are assigned and taken back', async () => {
    const name = await newPool()
    expect(said(await assign(name, 'silos'))).toBe(`400 IP pool ${name} is already assigned to silos`)
    await operator.post(`${pools}/${name}/silos`, { silo: 'demo', is_default: false })
    expect(said(await assign(name, 'system_services'))).toBe(
      `400 IP pool ${name} is linked to silos, such as demo`,
    )
    await operator.call('DELETE', `${pools}/${name}/silos/demo`)
    const assigned = await assign(name, 'system_services')
    expect(assigned).toMatchObject({ status: 200, body: { name, assignment: 'system_services' } })
    expect(said(await assign(name, 'system_services'))).toBe(
      `400 IP pool ${name} is already assigned to the system's services`,
    )
    expect(said(await operator.post(`${pools}/${name}/silos`, { silo: 'demo', is_default: false }))).toBe(
      `400 IP pool ${name} is assigned to the system's services`,
    )
    expect((await operator.get('/v1/system/ip-pools-service')).body.message).toContain('several pools')
    // With another one, the first can go.
    const both = await Promise.all([assign(name, 'silos'), assign('service-pool', 'silos')])
    expect(both.map(({ status }) => status).sort((one, other) => one - other)).toEqual([200, 400])
    if (both[1]?.status === 200) {
      await assign('service-pool', 'system_services')
      await assign(name, 'silos')
    }
    expect(await named('&assignment=system_services')).toEqual(['service-pool'])
    expect((await assign(name, 'system_services', viewer)).status).toBe(403)
    for (const wrong of [undefined, null, 'nobody', 7])
      expect((await assign(name, wrong as string)).status).toBe(400)
  })

  test('are created as such', async () => {
    const body = { name: 'of-services', description: '', assignment: 'system_services' }
    const made = await operator.call('POST', pools, body, newest)
    expect(made.body).toMatchObject({ assignment: 'system_services' })
    expect(said(await operator.call('DELETE', `${pools}/of-services`))).toBe('204')
  })
})

test('the list with use counts shared addresses once, and the addresses name their holders', async () => {
  for (const name of ['one', 'two'])
    await member.post('/v1/instances?project=playground', {
      name,
      description: '',
      hostname: name,
      ncpus: 1,
      memory: 2 ** 30,
      start: false,
    })
  await member.post('/v1/floating-ips?project=playground', { name: 'float', description: '' })
  const { items } = (await viewer.get('/ext/v1/system/ip-pools?limit=1000')).body
  const external = items.find((pool: { name: string }) => pool.name === 'external')
  expect(external).toMatchObject({ ranges: 1, silos: 1, default_silos: 1 })
  expect(external.utilization.ipv4).toEqual({ allocated: 2, capacity: 254 })
  expect((await viewer.get(`${pools}/external/utilization`)).body).toEqual(external.utilization)
  const held = (await viewer.get('/ext/v1/system/ip-pools/external/addresses')).body.items
  expect(held).toMatchObject([
    { ip: '198.51.100.1', kind: 'snat', silo_name: 'demo', project_name: 'playground' },
    { ip: '198.51.100.1', kind: 'snat' },
    { ip: '198.51.100.2', kind: 'floating', instance: null, floating_ip: { name: 'float' } },
  ])
  expect(
    held
      .slice(0, 2)
      .map((one: { instance: { name: string } }) => one.instance.name)
      .sort(),
  ).toEqual(['one', 'two'])
})

describe('addresses at which no machine can be reached', () => {
  const ranges = [
    ['0.0.0.0', '0.0.0.0', 'unspecified addresses (0.0.0.0/8)'],
    ['126.255.255.250', '127.0.0.1', 'loopback addresses (127.0.0.0/8)'],
    ['169.254.1.1', '169.254.1.9', 'link-local addresses (169.254.0.0/16)'],
    ['223.255.255.255', '224.0.0.0', 'multicast addresses (224.0.0.0/4)'],
    ['::1', '::1', 'the loopback address (::1/128)'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.9', 'mapped IPv4 addresses (::ffff:0:0/96)'],
    ['fe80::1', 'fe80::9', 'link-local addresses (fe80::/10)'],
    ['ff02::1', 'ff02::2', 'multicast addresses (ff00::/8)'],
  ] as const

  test('are refused for real machines, in every kind of pool, and others are not', async () => {
    const real = await testControlPlane({
      environment: { fleet: (host) => ({ ...simulatedFleet(host), isSimulated: false }) },
    })
    try {
      const admin = await real.signIn('admin')
      await admin.post(pools, { name: 'real', description: '' })
      for (const path of [`${pools}/real/ranges/add`, '/v1/system/ip-pools-service/ranges/add']) {
        for (const [first, last, words] of ranges) {
          const answer = await admin.post(path, range(first, last))
          expect(said(answer)).toBe(`400 The range includes ${words}, at which no machine can be reached`)
          expect(answer.body.help).toBe('Leave those addresses out of the range.')
        }
      }
      expect(
        said(await admin.post(`${pools}/real/ranges/add`, range('203.0.113.201', '203.0.113.209'))),
      ).toBe('201')
      expect(said(await admin.post(`${pools}/real/ranges/add`, range('2001:db8::1', '2001:db8::9')))).toBe(
        '201',
      )
    } finally {
      await real.stop()
    }
  })

  test('are accepted for simulated ones', async () => {
    const name = await newPool()
    expect(said(await add(name, '127.0.0.1', '127.0.0.9'))).toBe('201')
    expect(said(await remove(name, '127.0.0.1', '127.0.0.9'))).toBe('204')
  })
})
