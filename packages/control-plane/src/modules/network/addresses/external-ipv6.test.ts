import { newestVersionText, versionHeader } from '@gantry/api/versions/newest.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulatedFleet } from '@gantry/control-plane/fleet/simulated/fleet'
import {
  type Caller,
  said,
  settledJobs,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { freeBelow } from '@gantry/control-plane/testing/free-below'

let bed: TestBed
let operator: Caller
let member: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  operator = await bed.signIn('admin')
  member = await bed.signIn('member')
  await member.post('/v1/projects', { name: 'six', description: '' })
  await addPool('routed', '2001:db8:1::', '2001:db8:1::ff', true)
  await addPool('tiny', '2001:db8:2::5', '2001:db8:2::6', false)
})
afterAll(() => bed.stop())

const newest = { [versionHeader]: newestVersionText }
const send = (caller: Caller, method: string, path: string, body?: object) =>
  caller.call(method, path, body, newest)
const call = (method: string, path: string, body?: object) => send(member, method, path, body)

async function addPool(name: string, first: string, last: string, is_default: boolean) {
  const pools = '/v1/system/ip-pools'
  await send(operator, 'POST', pools, { name, description: '', ip_version: 'v6' })
  expect(said(await send(operator, 'POST', `${pools}/${name}/ranges/add`, { first, last }))).toBe('201')
  expect(said(await send(operator, 'POST', `${pools}/${name}/silos`, { silo: 'demo', is_default }))).toBe(
    '201',
  )
}

let count = 0
const machine = (more: object = {}) => {
  const name = `six-${count++}`
  return { name, description: '', hostname: name, ncpus: 1, memory: 2 ** 30, start: false, ...more }
}
async function create(more: object = {}) {
  const body = machine(more)
  return { name: body.name, answer: await call('POST', '/v1/instances?project=six', body) }
}
async function created(more: object = {}): Promise<string> {
  const { name, answer } = await create(more)
  expect(said(answer)).toBe('201')
  return name
}
const at = (name: string) => `/v1/instances/${name}/external-ips`
const auto = (ip_version: 'v4' | 'v6' | null = null) => ({ pool_selector: { type: 'auto', ip_version } })
const from = (pool: string) => ({ pool_selector: { type: 'explicit', pool } })
const ephemeral = (...selectors: object[]) => ({
  external_ips: selectors.map((one) => ({ type: 'ephemeral', ...one })),
})
const attach = (name: string, selector: object) => call('POST', `${at(name)}/ephemeral?project=six`, selector)
const detach = (name: string, version = '') =>
  call('DELETE', `${at(name)}/ephemeral?project=six${version && `&ip_version=${version}`}`)
async function addressesOf(name: string): Promise<string[]> {
  const { items } = (await call('GET', `${at(name)}?project=six`)).body
  return items.flatMap(({ kind, ip }: { kind: string; ip: string }) => (kind === 'snat' ? [] : [ip]))
}
const floating = (address_allocator?: object) => ({
  name: `floating-${count++}`,
  description: '',
  address_allocator,
})

describe('an ephemeral address', () => {
  test('is of the version that is asked for, and of none that nothing names', async () => {
    const name = await created()
    expect(said(await attach(name, auto()))).toBe('400 the silo has a default IP pool of each IP version')
    expect((await attach(name, auto('v6'))).body).toMatchObject({ kind: 'ephemeral', ip: '2001:db8:1::' })
    expect((await attach(name, auto('v4'))).body.ip).toMatch(/^198\.51\.100\./)
    expect(await addressesOf(name)).toHaveLength(2)
    await call('DELETE', `/v1/instances/${name}?project=six`)
  })

  test('is one of each version, and a repeated request answers with it', async () => {
    const name = await created(ephemeral(auto('v6'), auto('v4')))
    const held = await addressesOf(name)
    expect(held).toHaveLength(2)
    expect((await attach(name, from('tiny'))).body.ip).toBe(held.find((ip) => ip.includes(':')))
    expect(said(await detach(name))).toBe('400 instance has an ephemeral IP of each IP version attached')
    expect(said(await detach(name, 'v6'))).toBe('204')
    expect(said(await detach(name, 'v6'))).toBe('400 instance does not have an ephemeral IP attached')
    expect(said(await detach(name))).toBe('204')
    expect(await addressesOf(name)).toEqual([])
  })

  test.each([
    ['two without a version or pool', [auto(), auto()]],
    ['two of one version', [auto('v6'), auto('v6')]],
    ['two of one pool', [from('routed'), from('routed')]],
    ['two of pools of one version', [from('routed'), from('tiny')]],
    ['one with a version and one without', [auto('v6'), auto()]],
    ['three', [auto('v4'), auto('v6'), from('tiny')]],
  ])('is not given twice: %s', async (_, selectors) => {
    const { answer } = await create(ephemeral(...selectors))
    expect(said(answer)).toBe('400 An instance may not have more than 1 ephemeral IP address')
    expect(await freeBelow(bed.db)).toEqual([])
  })

  test('is of IPv4 for clients of before there was a choice', async () => {
    const older = machine({ external_ips: [{ type: 'ephemeral' }] })
    expect(said(await member.post('/v1/instances?project=six', older))).toBe('201')
    expect((await addressesOf(older.name))[0]).toMatch(/^198\.51\.100\./)
  })

  test('needs an address of its version at the primary interface', async () => {
    const lacking = (version: string) =>
      expect.stringMatching(
        new RegExp(`^400 cannot attach ephemeral IP: .* has no private ${version} address$`),
      )
    const four = await created({ network_interfaces: { type: 'default_ipv4' } })
    expect(said(await attach(four, auto('v6')))).toEqual(lacking('IPv6'))
    const { answer } = await create({
      network_interfaces: { type: 'default_ipv4' },
      ...ephemeral(auto('v6')),
    })
    expect(said(answer)).toEqual(lacking('IPv6'))
    const six = await created({ network_interfaces: { type: 'default_ipv6' }, ...ephemeral(auto('v6')) })
    expect(await addressesOf(six)).toEqual([expect.stringMatching(/^2001:db8:1::/)])
    expect(said(await attach(six, auto('v4')))).toEqual(lacking('IPv4'))
  })
})

describe('the addresses of a pool', () => {
  test('are distinct for 16 requests at once, and the lowest that is free comes first', async () => {
    const names = await Promise.all(Array.from({ length: 16 }, () => created(ephemeral(auto('v6')))))
    const held = await Promise.all(names.map(addressesOf))
    expect(new Set(held.flat()).size).toBe(16)
    const byNumber = (one: string, other: string) => one.length - other.length || (one < other ? -1 : 1)
    const lowest = held.flat().toSorted(byNumber)[0] ?? ''
    const owner = names.find((_, n) => held[n]?.includes(lowest)) ?? ''
    await detach(owner, 'v6')
    expect((await attach(owner, auto('v6'))).body.ip).toBe(lowest)
    expect(await freeBelow(bed.db)).toEqual([])
    const listed = (await send(operator, 'GET', '/ext/v1/system/ip-pools/routed/addresses?limit=5')).body
    expect(listed.items).toHaveLength(5)
    const next = `/ext/v1/system/ip-pools/routed/addresses?limit=5&page_token=${listed.next_page}`
    const more = (await send(operator, 'GET', next)).body.items
    expect(new Set([...listed.items, ...more].map(({ ip }) => ip)).size).toBe(10)
  })

  test('end, and go on once one is released', async () => {
    const first = await created(ephemeral(from('tiny')))
    await created(ephemeral(from('tiny')))
    const { answer } = await create(ephemeral(from('tiny')))
    expect(said(answer)).toBe('507 Insufficient capacity: No external IP addresses available')
    const use = async () => (await send(operator, 'GET', '/v1/system/ip-pools/tiny/utilization')).body
    expect(await use()).toMatchObject({ capacity: 2, remaining: 0 })
    await detach(first, 'v6')
    expect(await use()).toMatchObject({ capacity: 2, remaining: 1 })
    expect(
      (await call('POST', '/v1/floating-ips?project=six', floating({ type: 'auto', ...from('tiny') }))).body
        .ip,
    ).toBe('2001:db8:2::5')
    expect(await freeBelow(bed.db)).toEqual([])
  })
})

describe('a floating IP', () => {
  const give = (allocator?: object) => call('POST', '/v1/floating-ips?project=six', floating(allocator))
  const given = (ip: string) => give({ type: 'explicit', ip })

  test('is one that is asked for, also far from the start of its range', async () => {
    await addPool('wide', '2001:db8:3::', '2001:db8:3:ffff:ffff:ffff:ffff:ffff', false)
    const far = '2001:db8:3:ff00::1'
    expect((await given(far)).body).toMatchObject({ ip: far })
    expect(said(await given('2001:DB8:3:FF00:0::1'))).toBe('400 Requested external IP address not available')
    expect((await give({ type: 'auto', ...from('wide') })).body).toMatchObject({ ip: '2001:db8:3::' })
    expect(said(await given('2001:db8:9::1'))).toBe('400 Requested external IP address not available')
  })

  test('is attached, found and filtered, and keeps its address in the recycle bin', async () => {
    const { id, name, ip } = (await give({ type: 'auto', ...auto('v6') })).body
    const owner = await created()
    const attached = await call('POST', `/v1/floating-ips/${id}/attach`, { kind: 'instance', parent: owner })
    expect(said(attached)).toBe('202')
    const named = (answer: { body: { items: { name: string }[] } }) =>
      answer.body.items.map((one) => one.name).toSorted((a, b) => (a < b ? -1 : 1))
    expect(named(await call('GET', `/ext/v1/search?text=${encodeURIComponent(ip)}`))).toEqual([name, owner])
    const filter = encodeURIComponent(`ip:${ip}`)
    expect(named(await call('GET', `/ext/v1/floating-ips?project=six&filter=${filter}`))).toEqual([name])
    expect(named(await call('GET', `/ext/v1/instances?project=six&filter=${filter}`))).toEqual([owner])
    const sorted = await call('GET', '/ext/v1/floating-ips?project=six&sort_by=ip_key_descending')
    expect(sorted.body.items[0].ip).toBe('2001:db8:3:ff00::1')
    await call('POST', `/v1/floating-ips/${name}/detach?project=six`)
    expect(said(await call('DELETE', `/v1/floating-ips/${name}?project=six`))).toBe('204')
    const [item] = (await call('GET', '/ext/v1/recycle-bin?project=six')).body.items
    expect(said(await call('POST', `/ext/v1/recycle-bin/${item.id}/restore`, {}))).toMatch(/^20/)
    expect((await call('GET', `/v1/floating-ips/${name}?project=six`)).body.ip).toBe(ip)
    await call('DELETE', `/v1/floating-ips/${name}?project=six`)
    expect((await given(ip)).body.ip).toBe(ip)
  })
})

test('an instance comes back from the recycle bin with both addresses, or others where those are taken', async () => {
  const name = await created(ephemeral(auto('v6'), auto('v4')))
  const held = await addressesOf(name)
  await call('DELETE', `/v1/instances/${name}?project=six`)
  const taken = held.find((ip) => ip.includes(':')) ?? ''
  await call('POST', '/v1/floating-ips?project=six', floating({ type: 'explicit', ip: taken }))
  const items = (await call('GET', '/ext/v1/recycle-bin?project=six')).body.items
  const item = items.find((one: { name: string }) => one.name === name)
  expect(said(await call('POST', `/ext/v1/recycle-bin/${item.id}/restore`, {}))).toMatch(/^20/)
  const now = await addressesOf(name)
  expect(now).toHaveLength(2)
  expect(now).not.toContain(taken)
  expect(now.filter((ip) => held.includes(ip))).toHaveLength(1)
  expect(await freeBelow(bed.db)).toEqual([])
})

test('an instance snapshot keeps the pools of both addresses, and its copy gets one of each', async () => {
  const source = { type: 'blank', block_size: 512 }
  const boot_disk = {
    type: 'create',
    name: 'both-boot',
    description: '',
    size: 2 ** 30,
    disk_backend: { type: 'distributed', disk_source: source },
  }
  const instance = await created({ ...ephemeral(auto('v6'), auto('v4')), boot_disk })
  await settledJobs(bed)
  await call('POST', '/ext/v1/instance-snapshots?project=six', { name: 'then', description: '', instance })
  await settledJobs(bed)
  const kept = (await call('GET', '/ext/v1/instance-snapshots/then?project=six')).body.settings
  expect(kept.ephemeral_ip_pools.map(({ name }: { name: string }) => name)).toEqual(['external', 'routed'])
  const copy = await call('POST', '/ext/v1/instance-snapshots/then/instances?project=six', { name: 'copy' })
  expect(said(copy)).toBe('201')
  expect(await addressesOf('copy')).toHaveLength(2)
})

test('a packet from outside arrives at the IPv6 address of an instance, and its answers leave by it', async () => {
  const name = await created(ephemeral(auto('v6')))
  const [ip] = await addressesOf(name)
  const check = async (body: object) =>
    (await call('POST', '/ext/v1/vpc-packet-checks?project=six&vpc=default', body)).body
  const inside = { type: 'instance', value: name }
  const packet = { type: 'tcp', port: 22 }
  expect(await check({ from: { type: 'internet' }, to: inside, packet, ip_version: 'v6' })).toMatchObject({
    reason: 'arrives',
    external_ip: ip,
  })
  expect(await check({ from: inside, to: { type: 'ip', value: '2001:db8:ffff::1' }, packet })).toMatchObject({
    reason: 'leaves',
    external_ip: ip,
  })
  await detach(name, 'v6')
  expect(await check({ from: inside, to: { type: 'ip', value: '2001:db8:ffff::1' }, packet })).toMatchObject({
    reason: 'no_external_address',
  })
})

test('a primary interface keeps the version of the external addresses', async () => {
  const block = { name: 'other', description: '', ipv4_block: '10.9.0.0/24' }
  await call('POST', '/v1/vpc-subnets?project=six&vpc=default', block)
  const name = await created(ephemeral(auto('v6')))
  const second = await call('POST', `/v1/network-interfaces?project=six&instance=${name}`, {
    name: 'net1',
    description: '',
    vpc_name: 'default',
    subnet_name: 'other',
    ip_config: { type: 'v4', value: { ip: { type: 'auto' } } },
  })
  const promote = () =>
    call('PUT', `/v1/network-interfaces/${second.body.id}`, { primary: true, transit_ips: [] })
  expect(said(await promote())).toBe(
    '400 the instance has external IPv6 addresses, and the network interface has no private IPv6 address',
  )
  await detach(name, 'v6')
  expect(said(await promote())).toBe('200')
})

test('a silo has a default pool of each version, and a VPC sends through both', async () => {
  const pools = '/v1/system/ip-pools'
  const defaults = async () => {
    const { items } = (await call('GET', '/v1/ip-pools')).body
    return items.flatMap((one: { name: string; is_default: boolean }) => (one.is_default ? [one.name] : []))
  }
  expect(await defaults()).toEqual(['external', 'routed'])
  await call('POST', '/v1/projects', { name: 'later', description: '' })
  const gateways = '/v1/internet-gateway-ip-pools?project=later&vpc=default&gateway=default'
  expect((await call('GET', gateways)).body.items).toHaveLength(2)
  expect(said(await send(operator, 'PUT', `${pools}/tiny/silos/demo`, { is_default: true }))).toBe('200')
  expect(await defaults()).toEqual(['external', 'tiny'])
  await send(operator, 'PUT', `${pools}/routed/silos/demo`, { is_default: true })
  // A pool of no version yet is one of IPv4, until its first range says otherwise.
  const undecided = { name: 'undecided', description: '' }
  await operator.post(pools, undecided)
  const link = await operator.post(`${pools}/undecided/silos`, { silo: 'demo', is_default: false })
  expect(said(link)).toBe('201')
  await operator.call('PUT', `${pools}/undecided/silos/demo`, { is_default: true })
  const range = { first: '2001:db8:7::', last: '2001:db8:7::1' }
  expect(said(await operator.post(`${pools}/undecided/ranges/add`, range))).toBe(
    '400 IP pool undecided is the default of the silo demo, whose default pool of this IP version is routed',
  )
  await operator.call('PUT', `${pools}/external/silos/demo`, { is_default: true })
  expect(said(await operator.post(`${pools}/undecided/ranges/add`, range))).toBe('201')
  expect(await defaults()).toEqual(['external', 'routed'])
})

test('a fleet without IPv6 gives no such address, and says so', async () => {
  const host = await testControlPlane({
    environment: { fleet: (...given) => ({ ...simulatedFleet(...given), isSimulated: false }) },
  })
  try {
    const admin = await host.signIn('admin')
    const made = await admin.call(
      'POST',
      '/v1/system/ip-pools',
      { name: 'six', description: '', ip_version: 'v6' },
      newest,
    )
    expect(said(made)).toBe('201')
    await admin.post('/v1/system/ip-pools/six/ranges/add', { first: '2001:db8:1::', last: '2001:db8:1::f' })
    await admin.post('/v1/system/ip-pools/six/silos', { silo: 'demo', is_default: true })
    const instance = await admin.post('/v1/instances?project=playground', machine())
    expect(said(instance)).toBe('201')
    const path = `/v1/instances/${instance.body.id}/external-ips/ephemeral`
    expect(said(await admin.call('POST', path, auto('v6'), newest))).toMatch(/^400 .*IPv6/)
  } finally {
    await host.stop()
  }
})
