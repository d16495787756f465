import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Caller, type TestBed, testControlPlane } from '../../testing/control-plane.ts'

let bed: TestBed
let member: Caller
let viewer: Caller
let stranger: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  member = await bed.signIn('member')
  viewer = await bed.signIn('viewer')
  stranger = await bed.addUser('stranger')
  await member.post('/v1/projects', { name: 'net', description: '' })
  for (const [name, external_ips] of [
    ['web', [{ type: 'ephemeral' }]],
    ['db', []],
  ] as const)
    await member.post('/v1/instances?project=net', { ...machine(name), external_ips })
  await member.post('/v1/instances?project=net', { ...machine('bare'), network_interfaces: { type: 'none' } })
})
afterAll(() => bed.stop())

const machine = (name: string) => ({
  name,
  description: '',
  hostname: name,
  ncpus: 1,
  memory: 2 ** 30,
  start: false,
})
const rulesAt = '/v1/vpc-firewall-rules?project=net&vpc=default'
const instance = (value: string) => ({ type: 'instance', value })
const internet = { type: 'internet' }
const ssh = { type: 'tcp', port: 22 }
const check = (
  from: object,
  to: object,
  packet: object = ssh,
  more: object = {},
  who = viewer,
): Promise<Answer> =>
  who.post('/ext/v1/vpc-packet-checks?project=net&vpc=default', { from, to, packet, ...more })
const effective = (name: string, who = viewer) =>
  who.get(`/ext/v1/instances/${name}/firewall-rules?project=net`)

describe('the rules that apply to an instance', () => {
  test('come with the target that selects them', async () => {
    const { status, body } = await effective('web')
    expect(status).toBe(200)
    const { rules } = (await viewer.get(rulesAt)).body
    expect(body.items.map(({ rule }: { rule: unknown }) => rule)).toEqual(rules)
    for (const { matched } of body.items)
      expect(matched).toEqual([
        { interface: { id: expect.any(String), name: 'net0' }, target: { type: 'vpc', value: 'default' } },
      ])
  })

  test('are empty without an interface', async () =>
    expect((await effective('bare')).body).toEqual({ items: [] }))

  test('are hidden from callers who may not see the instance', async () => {
    expect((await effective('web', stranger)).status).toBe(404)
    expect((await effective('gone')).body.message).toBe('not found: instance with name "gone"')
  })
})

describe('a denied packet names the rules that nearly let it pass', () => {
  const rule = (name: string, more: object) => ({
    name,
    description: '',
    status: 'enabled',
    action: 'allow',
    direction: 'inbound',
    priority: 100,
    targets: [{ type: 'vpc', value: 'default' }],
    filters: { ports: ['443'], protocols: [{ type: 'tcp' }] },
    ...more,
  })
  const https = { type: 'tcp', port: 443 }
  const missed = async (from: object, rules: readonly object[], to: object = instance('web')) => {
    const { status, body } = await check(from, to, https, { rules })
    expect(status).toBe(200)
    return body.near_misses.map(({ name, reason, host }: { name: string; reason: string; host: object }) => [
      name,
      reason,
      host,
    ])
  }
  const filters = (...hosts: object[]) => ({
    filters: { ports: ['443'], protocols: [{ type: 'tcp' }], hosts },
  })
  const office = { type: 'ip_net', value: '198.51.100.0/24' }

  test('that are disabled, or lack its source, in order of evaluation', async () => {
    const rules = [
      rule('office', { ...filters(office), priority: 20 }),
      rule('off', { status: 'disabled', priority: 10 }),
      // Each of these misses by more than one thing, or would change nothing.
      rule('off-office', { ...filters(office), status: 'disabled' }),
      rule('ssh', { filters: { ports: ['22'] } }),
      rule('udp', { filters: { protocols: [{ type: 'udp' }], hosts: [office] } }),
      rule('elsewhere', { targets: [{ type: 'instance', value: 'db' }], status: 'disabled' }),
      rule('targetless', { targets: [], status: 'disabled' }),
      rule('out', { direction: 'outbound', status: 'disabled' }),
      rule('denies', { action: 'deny', status: 'disabled' }),
    ]
    expect(await missed({ type: 'ip', value: '203.0.113.9' }, rules)).toEqual([
      ['off', 'disabled', null],
      ['office', 'host', { type: 'ip', value: '203.0.113.9' }],
    ])
    expect(await missed(internet, rules)).toEqual([
      ['off', 'disabled', null],
      ['office', 'host', { type: 'ip_net', value: '0.0.0.0/0' }],
    ])
    expect(await missed(instance('db'), rules)).toContainEqual([
      'office',
      'host',
      { type: 'instance', value: 'db' },
    ])
  })

  test('and with the named host it passes', async () => {
    const from = { type: 'ip', value: '203.0.113.9' }
    const [[, , host] = []] = await missed(from, [rule('office', filters(office))])
    const { body } = await check(from, instance('web'), https, {
      rules: [rule('office', filters(office, host as object))],
    })
    expect(body).toMatchObject({ allowed: true, deciding_rule: { name: 'office' }, near_misses: [] })
  })

  test('but none behind the rule that denies it, and only a few', async () => {
    const deny = rule('deny', { action: 'deny', priority: 50 })
    const off = (name: string, priority: number) => rule(name, { status: 'disabled', priority })
    expect(await missed(internet, [deny, off('before', 49), off('same', 50), off('behind', 51)])).toEqual([
      ['before', 'disabled', null],
    ])
    const many = Array.from({ length: 9 }, (_, at) => off(`off-${at}`, at))
    expect(await missed(internet, many)).toHaveLength(5)
  })

  test('also for what an outbound rule denies', async () => {
    const deny = rule('deny', { action: 'deny', direction: 'outbound', priority: 50 })
    const allow = rule('out', { direction: 'outbound', status: 'disabled', priority: 40 })
    expect(await missed(instance('web'), [deny, allow], internet)).toEqual([['out', 'disabled', null]])
  })
})

describe('a packet', () => {
  test('names the rule that admits it', async () => {
    const { body } = await check(internet, instance('web'))
    expect(body).toMatchObject({
      allowed: true,
      reason: 'arrives',
      message: 'An inbound rule allows it.',
      deciding_rule: { name: 'allow-ssh', priority: 65_534, target: { type: 'vpc', value: 'default' } },
      inbound_rule: { name: 'allow-ssh' },
      outbound_rule: null,
      route: { name: 'default-v4' },
      router: { name: 'system' },
      gateway: { name: 'default' },
      receiver: { instance: { name: 'web' }, interface: { name: 'net0' } },
    })
    const addresses = (await viewer.get('/v1/instances/web/external-ips?project=net')).body.items
    expect(body.external_ip).toBe(addresses[0].ip)
  })

  test.each([
    [internet, instance('web'), { type: 'tcp', port: 443 }, 'nothing_allows'],
    [internet, instance('web'), { type: 'icmp', icmp_type: 8 }, 'arrives'],
    [internet, instance('db'), ssh, 'no_external_address'],
    [instance('db'), instance('web'), { type: 'udp', port: 53 }, 'arrives'],
    [instance('db'), internet, ssh, 'leaves'],
    [instance('db'), { type: 'ip', value: '172.30.0.200' }, ssh, 'no_such_host'],
    [instance('bare'), internet, ssh, 'no_interface'],
    [internet, { type: 'ip', value: '8.8.8.8' }, ssh, 'not_in_vpc'],
  ])('from %j to %j as %j: %s', async (from, to, packet, reason) => {
    const { status, body } = await check(from, to, packet)
    expect([status, body.reason]).toEqual([200, reason])
    expect(body.allowed).toBe(['arrives', 'leaves'].includes(reason))
  })

  test('can be evaluated against unsaved rules, without saving them', async () => {
    const before = (await viewer.get(rulesAt)).body
    const rule = {
      name: 'unsaved',
      description: '',
      status: 'enabled',
      direction: 'inbound',
      targets: [instance('web')],
      filters: {},
      action: 'deny',
      priority: 0,
    }
    const saved = before.rules.map(({ filters, ...rest }: { filters: object }) => ({ ...rest, filters }))
    expect((await check(internet, instance('web'), ssh, { rules: [...saved, rule] })).body).toMatchObject({
      allowed: false,
      reason: 'inbound_denied',
      deciding_rule: { id: null, name: 'unsaved', target: instance('web') },
    })
    expect((await check(instance('db'), instance('web'), ssh, { rules: [] })).body.reason).toBe(
      'nothing_allows',
    )
    expect(await check(internet, instance('web'), ssh, { rules: [rule, rule] })).toMatchObject({
      status: 400,
      body: { message: 'unsupported value for "rules": Rule names must be unique. Duplicates: ["unsaved"]' },
    })
    expect((await viewer.get(rulesAt)).body).toEqual(before)
  })

  test('names rules that match except for their target', async () => {
    const rule = (name: string, more: object = {}) => ({
      name,
      description: '',
      status: 'enabled',
      action: 'allow',
      direction: 'inbound',
      priority: 10,
      targets: [],
      filters: { hosts: [], ports: ['22'], protocols: [{ type: 'tcp' }] },
      ...more,
    })
    const rules = [
      rule('forgotten'),
      rule('other-port', { filters: { ports: ['80'] } }),
      rule('off', { status: 'disabled' }),
      rule('other-way', { direction: 'outbound' }),
      rule('deciding', { priority: 20, targets: [{ type: 'vpc', value: 'default' }] }),
      rule('too-late', { priority: 30 }),
    ]
    const { body } = await check(instance('db'), instance('web'), ssh, { rules })
    expect(body).toMatchObject({ allowed: true, deciding_rule: { name: 'deciding' } })
    expect(body.targetless_rules.map(({ name }: { name: string }) => name)).toEqual([
      'other-way',
      'forgotten',
    ])
    const without = await check(instance('db'), instance('web'), ssh, { rules: [rule('forgotten')] })
    expect(without.body).toMatchObject({
      allowed: false,
      deciding_rule: null,
      targetless_rules: [
        { id: null, name: 'forgotten', priority: 10, action: 'allow', direction: 'inbound' },
      ],
    })
  })

  test('is checked only for callers who may see the instance', async () => {
    expect((await check(internet, instance('web'), ssh, {}, stranger)).status).toBe(404)
    expect((await check(internet, instance('gone'))).body.message).toBe(
      'not found: instance with name "gone"',
    )
    expect((await check(internet, instance('web'), { type: 'tcp', port: 0 })).status).toBe(400)
  })

  test('reflects changes to routes and gateways', async () => {
    const at = (path: string) => `/v1/${path}?project=net&vpc=default`
    const route = `${at('vpc-router-routes/default-v4')}&router=system`
    const destination = { type: 'ip_net', value: '0.0.0.0/0' }
    await member.call('PUT', route, { destination, target: { type: 'drop' } })
    expect((await check(instance('db'), internet)).body).toMatchObject({
      reason: 'route_drops',
      route: { name: 'default-v4' },
      deciding_rule: null,
    })
    expect((await check(internet, instance('web'))).body.reason).toBe('no_way_back')
    await member.call('PUT', route, { destination, target: { type: 'internet_gateway', value: 'default' } })
    await member.call('DELETE', `${at('internet-gateway-ip-pools/default')}&gateway=default&cascade=true`)
    expect((await check(instance('db'), internet)).body).toMatchObject({
      reason: 'no_external_address',
      gateway: { name: 'default' },
    })
    await member.call('DELETE', `${at('internet-gateways/default')}&cascade=true`)
    expect((await check(instance('db'), internet)).body.reason).toBe('no_route')
  })
})
