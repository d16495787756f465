import { formatIp, parseIp } from '@gantry/api/base/ip.rules'
import { newestVersionText, versionHeader } from '@gantry/api/versions/newest.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { freeBelow } from '@gantry/control-plane/testing/free-below'

let bed: TestBed
let member: Caller
/** Where its bytes start: the block without the width. */
let block: string
beforeAll(async () => {
  bed = await testControlPlane()
  member = await bed.signIn('admin')
  await member.post('/v1/projects', { name: 'six', description: '' })
  block = (await call('GET', '/v1/vpc-subnets/default?project=six&vpc=default')).body.ipv6_block.replace(
    '/64',
    '',
  )
})
afterAll(() => bed.stop())

const call = (method: string, path: string, body?: object) =>
  member.call(method, path, body, { [versionHeader]: newestVersionText })
const auto = { ip: { type: 'auto' } }
const given = (value: string, transit_ips: string[] = []) => ({
  ip: { type: 'explicit', value },
  transit_ips,
})

let count = 0
async function create(more: object = {}) {
  const name = `six-${count++}`
  const hardware = { ncpus: 1, memory: 2 ** 30, start: false }
  const answer = await call('POST', '/v1/instances?project=six', {
    name,
    description: '',
    hostname: name,
    ...hardware,
    ...more,
  })
  return { name, ...answer }
}
const interfacesOf = async (instance: string) =>
  (await call('GET', `/v1/network-interfaces?project=six&instance=${instance}`)).body.items
async function stackOf(more: object = {}) {
  const { name, status, body } = await create(more)
  expect(status, JSON.stringify(body)).toBe(201)
  const [nic] = await interfacesOf(name)
  return { name, nic, stack: nic.ip_stack }
}
const custom = (ip_config?: object) => ({
  network_interfaces: {
    type: 'create',
    params: [{ name: 'net0', description: '', vpc_name: 'default', subnet_name: 'default', ip_config }],
  },
})
const refusal = async (more: object) => {
  const { status, body } = await create(more)
  return [status, body.message]
}

describe('the addresses of an interface', () => {
  test('are of both IP versions where nothing is said', async () => {
    const { stack } = await stackOf()
    expect(stack).toEqual({
      type: 'dual_stack',
      value: { v4: { ip: '172.30.0.5', transit_ips: [] }, v6: { ip: `${block}5`, transit_ips: [] } },
    })
    expect((await stackOf(custom())).stack.value.v6.ip).toBe(`${block}6`)
  })

  test('are of one version where it is asked for', async () => {
    const { stack: v4 } = await stackOf({ network_interfaces: { type: 'default_ipv4' } })
    expect(v4).toEqual({ type: 'v4', value: { ip: '172.30.0.7', transit_ips: [] } })
    const { stack: v6 } = await stackOf({ network_interfaces: { type: 'default_ipv6' } })
    expect(v6).toEqual({ type: 'v6', value: { ip: `${block}7`, transit_ips: [] } })
  })

  test('can be given, with networks of each version', async () => {
    const first = parseIp(block)?.value ?? 0n
    const far = formatIp({ version: 6, value: first + 0xdead_beef_0001_0002n })
    const value = {
      v4: given('172.30.0.50', ['10.0.0.0/8']),
      v6: given(far, ['fd12::/48']),
    }
    expect((await stackOf(custom({ type: 'dual_stack', value }))).stack).toEqual({
      type: 'dual_stack',
      value: {
        v4: { ip: '172.30.0.50', transit_ips: ['10.0.0.0/8'] },
        v6: { ip: far, transit_ips: ['fd12::/48'] },
      },
    })
    // A far address does not move the next one that the platform selects.
    expect((await stackOf(custom({ type: 'v6', value: auto }))).stack.value.ip).toBe(`${block}8`)
    expect(await refusal(custom({ type: 'v6', value: given(`${block}8`) }))).toEqual([
      400,
      `The IP address '${block}8' is not available`,
    ])
    expect(await refusal(custom({ type: 'v6', value: given(`${block}4`) }))).toEqual([
      400,
      'The first 5 addresses of a subnet are reserved',
    ])
    expect(await refusal(custom({ type: 'v6', value: given('fd00::9') }))).toEqual([
      400,
      `fd00::9 is outside subnet ${block}/64`,
    ])
    expect((await refusal(custom({ type: 'v6', value: given('172.30.0.9') })))[0]).toBe(400)
    expect((await refusal(custom({ type: 'v4', value: given('172.30.0.90', ['fd00::/8']) })))[0]).toBe(400)
  })

  test('are free again once the interface is gone, and the lowest is given first', async () => {
    const { name, stack } = await stackOf()
    const next = await stackOf()
    expect((await call('DELETE', `/v1/instances/${name}?project=six`)).status).toBe(204)
    expect((await stackOf()).stack.value.v6).toEqual(stack.value.v6)
    expect(next.stack.value.v6.ip).not.toBe(stack.value.v6.ip)
    expect(await freeBelow(bed.db)).toEqual([])
  })

  test('are distinct for 16 requests at once', async () => {
    const made = await Promise.all(Array.from({ length: 16 }, () => stackOf()))
    expect(new Set(made.map(({ stack }) => stack.value.v6.ip)).size).toBe(16)
    expect(await freeBelow(bed.db)).toEqual([])
  })

  test('keep their versions in the recycle bin', async () => {
    const { name, stack } = await stackOf({ network_interfaces: { type: 'default_ipv6' } })
    await call('DELETE', `/v1/instances/${name}?project=six`)
    const other = await stackOf({ network_interfaces: { type: 'default_ipv6' } })
    expect(other.stack).toEqual(stack)
    const items = (await call('GET', '/ext/v1/recycle-bin?project=six')).body.items
    const item = items.find((one: { name: string }) => one.name === name)
    const restored = await call('POST', `/ext/v1/recycle-bin/${item.id}/restore`, {})
    expect(restored.status, JSON.stringify(restored.body)).toBeLessThan(300)
    const [nic] = await interfacesOf(name)
    expect([nic.ip_stack.type, nic.ip_stack.value.ip === stack.value.ip]).toEqual(['v6', false])
  })

  test('are found by search and by filters of a list', async () => {
    const { name, stack } = await stackOf()
    const { ip } = stack.value.v6
    const found = await call('GET', `/ext/v1/search?text=${encodeURIComponent(ip)}`)
    // With the subnet that has the address.
    expect(found.body.items.map((one: { name: string }) => one.name)).toEqual([name, 'default'])
    const listed = await call(
      'GET',
      `/ext/v1/instances?project=six&filter=${encodeURIComponent(`internal:${ip}`)}`,
    )
    expect(listed.body.items.map((one: { name: string }) => one.name)).toEqual([name])
  })
})

test('a change of transit networks replaces those of both versions', async () => {
  const { nic } = await stackOf()
  const set = async (transit_ips: string[]) =>
    (await call('PUT', `/v1/network-interfaces/${nic.id}`, { transit_ips })).body.ip_stack.value
  expect(await set(['fd12::/48', '10.0.0.0/8'])).toMatchObject({
    v4: { transit_ips: ['10.0.0.0/8'] },
    v6: { transit_ips: ['fd12::/48'] },
  })
  expect(await set(['10.0.0.0/8'])).toMatchObject({ v6: { transit_ips: [] } })
})

describe('an instance with IPv6 alone', () => {
  const six = { network_interfaces: { type: 'default_ipv6' } }
  const lacking = /the primary network interface of instance [0-9a-f-]{36} has no private IPv4 address$/

  test('has no shared address for outgoing connections', async () => {
    const { name } = await stackOf(six)
    expect((await call('GET', `/v1/instances/${name}/external-ips?project=six`)).body.items).toEqual([])
  })

  test('can have no external address', async () => {
    const [status, message] = await refusal({ ...six, external_ips: [{ type: 'ephemeral' }] })
    expect([status, message]).toEqual([400, expect.stringMatching(lacking)])
    const { name } = await stackOf(six)
    const attached = await call('POST', `/v1/instances/${name}/external-ips/ephemeral?project=six`, {})
    expect([attached.status, attached.body.message]).toEqual([400, expect.stringMatching(lacking)])
    await call('POST', '/v1/floating-ips?project=six', { name: 'front', description: '' })
    const floating = await call('POST', '/v1/floating-ips/front/attach?project=six', {
      kind: 'instance',
      parent: name,
    })
    expect([floating.status, floating.body.message]).toEqual([400, expect.stringMatching(lacking)])
  })

  test('is where no external address can be left behind', async () => {
    await call('POST', '/v1/vpc-subnets?project=six&vpc=default', {
      name: 'other',
      description: '',
      ipv4_block: '10.9.0.0/24',
    })
    const { name } = await stackOf({ external_ips: [{ type: 'ephemeral' }] })
    const second = await call('POST', `/v1/network-interfaces?project=six&instance=${name}`, {
      name: 'net1',
      description: '',
      vpc_name: 'default',
      subnet_name: 'other',
      ip_config: { type: 'v6', value: auto },
    })
    const promote = () =>
      call('PUT', `/v1/network-interfaces/${second.body.id}`, { primary: true, transit_ips: [] })
    const refused = await promote()
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringMatching(/external IPv4 addresses/),
    ])
    await call('DELETE', `/v1/instances/${name}/external-ips/ephemeral?project=six`)
    expect(await promote()).toMatchObject({ status: 200, body: { primary: true } })
  })
})
