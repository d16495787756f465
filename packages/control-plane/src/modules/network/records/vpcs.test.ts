import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  type Caller,
  type TestBed,
  testControlPlane,
} from '@gantry/control-plane/testing/control-plane'

let bed: TestBed
let member: Caller
let viewer: Caller
let stranger: Caller
let count = 0
const fresh = (word: string) => `${word}-${++count}`

beforeAll(async () => {
  bed = await testControlPlane()
  member = await bed.signIn('member')
  viewer = await bed.signIn('viewer')
  stranger = await bed.addUser('stranger')
  await member.post('/v1/projects', { name: 'net', description: '' })
})
afterAll(() => bed.stop())

const refused = (status: number, message: string) => ({
  status,
  body: { message, help: expect.stringMatching(/\.$/) },
})
const put = (path: string, body: object, headers: Record<string, string> = {}) =>
  member.call('PUT', path, body, headers)
const remove = (path: string) => member.call('DELETE', path)
const names = (answer: Answer): string[] => answer.body.items.map((item: { name: string }) => item.name)
const statuses = (answers: Answer[]): number[] => answers.map(({ status }) => status).sort((a, b) => a - b)

/** Paths in a VPC of the project. */
const inVpc =
  (vpc: string) =>
  (path: string, more = '') =>
    `/v1/${path}?project=net&vpc=${vpc}${more}`
async function addVpc(
  more: object = {},
): Promise<{ name: string; at: ReturnType<typeof inVpc>; body: Answer['body'] }> {
  const name = fresh('vpc')
  const answer = await member.post('/v1/vpcs?project=net', { name, description: '', dns_name: name, ...more })
  expect(answer).toMatchObject({ status: 201 })
  return { name, at: inVpc(name), body: answer.body }
}
const plain = (name: string) => ({ name, description: '' })

describe('a VPC', () => {
  test('comes with what makes it usable, with a DNS name from its name', async () => {
    const { name, at, body } = await addVpc({ ipv6_prefix: 'FD12:3456:789A::/48' })
    expect(body).toMatchObject({ name, dns_name: name, ipv6_prefix: 'fd12:3456:789a::/48' })
    expect((await viewer.get(at('vpc-subnets'))).body.items).toMatchObject([
      { name: 'default', ipv4_block: '172.30.0.0/22', ipv6_block: 'fd12:3456:789a::/64' },
    ])
    expect(names(await viewer.get(at('vpc-router-routes', '&router=system')))).toEqual([
      'default',
      'default-v4',
      'default-v6',
    ])
    expect(names(await viewer.get(at('internet-gateways')))).toEqual(['default'])
    const { rules } = (await viewer.get(at('vpc-firewall-rules'))).body
    expect(rules).toHaveLength(3)
    for (const rule of rules) expect(rule.targets).toEqual([{ type: 'vpc', value: name }])
  })

  test('has a unique name, and can be renamed without its rules following', async () => {
    const [one, other] = [await addVpc(), await addVpc()]
    const body = { ...plain(one.name), dns_name: 'x' }
    const taken = refused(400, `already exists: vpc "${one.name}"`)
    expect(await member.post('/v1/vpcs?project=net', body)).toMatchObject(taken)
    const path = `/v1/vpcs/${other.name}?project=net`
    expect(await put(path, { name: one.name })).toMatchObject(taken)
    const renamed = await put(path, { name: fresh('renamed'), dns_name: 'dns' }, { 'if-match': '"1"' })
    expect(renamed).toMatchObject({ status: 200, body: { description: '', dns_name: 'dns' } })
    const { rules } = (await viewer.get(inVpc(renamed.body.name)('vpc-firewall-rules'))).body
    expect(rules[0].targets).toEqual([{ type: 'vpc', value: other.name }])
    expect(
      (await put(`/v1/vpcs/${renamed.body.id}`, { description: 'x' }, { 'if-match': '"1"' })).status,
    ).toBe(412)
  })

  test.each([
    ['fc00::/48', 400, /^VPC IPv6 address prefixes must be in the Unique Local Address range/],
    ['fd00::/47', 400, /^VPC IPv6 address prefixes must be in the Unique Local Address range/],
    ['fd00::1/48', 400, /host bits must be zero/],
    ['10.0.0.0/8', 400, /ipv6_prefix: invalid IPv6 network/],
    ['', 400, /ipv6_prefix: invalid IPv6 network/],
  ])('refuses the prefix %j', async (ipv6_prefix, status, message) => {
    const answer = await member.post('/v1/vpcs?project=net', {
      ...plain(fresh('bad')),
      dns_name: 'x',
      ipv6_prefix,
    })
    expect(answer).toMatchObject({ status, body: { message: expect.stringMatching(message) } })
  })

  test('is deleted with its contents once its subnets are gone', async () => {
    const { name, at, body } = await addVpc()
    await member.post(at('vpc-routers'), plain('custom'))
    await member.post(at('vpc-router-routes', '&router=custom'), {
      ...plain('r'),
      destination: { type: 'ip', value: '10.0.0.1' },
      target: { type: 'drop' },
    })
    await member.post(at('internet-gateway-ip-addresses', '&gateway=default'), {
      ...plain('a'),
      address: '1.2.3.4',
    })
    const path = `/v1/vpcs/${name}?project=net`
    expect(await remove(path)).toMatchObject(refused(400, 'VPC cannot be deleted while VPC Subnets exist'))
    expect((await remove(at('vpc-subnets/default'))).status).toBe(204)
    expect((await remove(path)).status).toBe(204)
    expect((await remove(path)).status).toBe(404)
    const gone = (table: 'vpc_router' | 'internet_gateway' | 'vpc_firewall_rule') =>
      bed.db
        .selectFrom(table)
        .select('id')
        .where('vpc_id', '=', body.id)
        .where('time_deleted', 'is', null)
        .execute()
    for (const table of ['vpc_router', 'internet_gateway', 'vpc_firewall_rule'] as const)
      expect(await gone(table)).toEqual([])
    const addresses = bed.db.selectFrom('internet_gateway_ip_address').select('id')
    expect(await addresses.where('time_deleted', 'is', null).where('name', '=', 'a').execute()).toEqual([])
  })

  test('is refused to viewers, and hidden from users without access', async () => {
    const { name, at } = await addVpc()
    for (const [who, status] of [
      [viewer, 403],
      [stranger, 404],
    ] as const) {
      const denied = await Promise.all([
        who.post('/v1/vpcs?project=net', { ...plain('x'), dns_name: 'x' }),
        who.call('PUT', `/v1/vpcs/${name}?project=net`, {}),
        who.call('DELETE', `/v1/vpcs/${name}?project=net`),
        who.post(at('vpc-subnets'), { ...plain('x'), ipv4_block: '10.0.0.0/24' }),
        who.post(at('vpc-routers'), plain('x')),
        who.call('PUT', at('vpc-firewall-rules'), { rules: [] }),
        who.post(at('internet-gateways'), plain('x')),
        who.call('DELETE', at('internet-gateways/default', '&cascade=true')),
      ])
      expect(new Set(statuses(denied))).toEqual(new Set([status]))
    }
  })
})

describe('a subnet', () => {
  let vpc: Awaited<ReturnType<typeof addVpc>>
  beforeAll(async () => {
    vpc = await addVpc({ ipv6_prefix: 'fd12:3456:789a::/48' })
  })
  const add = (more: object) => member.post(vpc.at('vpc-subnets'), { ...plain(fresh('subnet')), ...more })
  const routes = async () =>
    (await viewer.get(vpc.at('vpc-router-routes', '&router=system'))).body.items as {
      id: string
      name: string
      kind: string
      destination: unknown
      target: unknown
    }[]

  test('gets a free IPv6 range, and a route that follows its name', async () => {
    const made = await add({ ipv4_block: '10.0.0.0/24' })
    expect(made).toMatchObject({ status: 201, body: { ipv4_block: '10.0.0.0/24', custom_router_id: null } })
    expect(made.body.ipv6_block).toMatch(/^fd12:3456:789a:.*\/64$/)
    const routeOf = async (name: string) => (await routes()).find((route) => route.name === name)
    const itself = (name: string) => ({ type: 'subnet', value: name })
    const { name } = made.body
    expect(await routeOf(name)).toMatchObject({
      kind: 'vpc_subnet',
      description: 'System-managed VPC Subnet route.',
      destination: itself(name),
      target: itself(name),
    })
    const path = vpc.at(`vpc-subnets/${name}`)
    expect((await put(path, { name: 'default-v4' })).status).toBe(200)
    const conflict = (await routes()).find((route) => route.name.startsWith('conflict-'))
    expect(conflict?.name).toBe(`conflict-default-v4-${conflict?.id}`)
    expect(conflict?.target).toEqual(itself('default-v4'))
    expect((await remove(vpc.at('vpc-subnets/default-v4'))).status).toBe(204)
    expect((await routes()).map((route) => route.name)).toEqual(['default', 'default-v4', 'default-v6'])
  })

  test('reports what it overlaps with', async () => {
    for (const ipv4_block of ['172.30.0.0/22', '172.30.1.0/24', '172.16.0.0/12'])
      expect(await add({ ipv4_block })).toMatchObject({
        status: 400,
        body: {
          message: `IP address range '${ipv4_block}' conflicts with an existing subnet`,
          help: 'The subnet default has 172.30.0.0/22. Choose a range that does not overlap with it.',
          details: { subnet: 'default', block: '172.30.0.0/22' },
        },
      })
    const ipv6_block = 'fd12:3456:789a::/64'
    expect(await add({ ipv4_block: '10.1.0.0/24', ipv6_block })).toMatchObject(
      refused(400, `IP address range '${ipv6_block}' conflicts with an existing subnet`),
    )
    expect((await add({ ipv4_block: '172.30.4.0/24' })).status).toBe(201)
  })

  test.each([
    [{ ipv4_block: '8.8.8.0/24' }, 'VPC Subnet IPv4 address ranges must be from a private range'],
    [{ ipv4_block: '172.0.0.0/8' }, 'VPC Subnet IPv4 address ranges must be from a private range'],
    [
      { ipv4_block: '10.9.0.0/27' },
      'VPC Subnet IPv4 address ranges must have prefix length between 8 and 26, inclusive',
    ],
    [
      { ipv4_block: '10.9.0.0/24', ipv6_block: 'fd00::/64' },
      "VPC Subnet IPv6 address range 'fd00::/64' is not valid for VPC with IPv6 prefix 'fd12:3456:789a::/48'",
    ],
    [{ ipv4_block: '10.9.0.0/24', custom_router: 'nobody' }, 'not found: vpc-router with name "nobody"'],
    [{ ipv4_block: '8.8.8.0/24', custom_router: 'system' }, 'cannot attach a system router to a VPC subnet'],
  ])('is refused as %j', async (more, message) => {
    const before = await routes()
    expect(await add(more)).toMatchObject({ body: { message, help: expect.stringMatching(/\.$/) } })
    expect(await routes()).toEqual(before)
  })

  test.each(['10.0.0.1/24', '10.0.0.0', 'fd00::/64', '10.0.0.0/33', '010.0.0.0/24'])(
    '%s is not an IPv4 block',
    async (ipv4_block) =>
      expect((await add({ ipv4_block })).body.message).toMatch(
        /^unable to parse JSON body: ipv4_block: invalid IPv4 network/,
      ),
  )

  test('uses a custom router until an update omits it', async () => {
    const router = (await member.post(vpc.at('vpc-routers'), plain(fresh('router')))).body
    const made = await add({ ipv4_block: '10.2.0.0/24', custom_router: router.name })
    expect(made.body.custom_router_id).toBe(router.id)
    const path = `/v1/vpc-subnets/${made.body.id}`
    expect((await put(path, { description: 'x', custom_router: router.id })).body.custom_router_id).toBe(
      router.id,
    )
    expect((await put(path, { description: 'y' })).body).toMatchObject({
      description: 'y',
      custom_router_id: null,
    })
    const elsewhere = (await member.post((await addVpc()).at('vpc-routers'), plain('far'))).body
    expect(await put(path, { custom_router: elsewhere.id })).toMatchObject(
      refused(400, 'a router can only be attached to a subnet when both belong to the same VPC'),
    )
    await put(path, { custom_router: router.name })
    expect((await remove(`/v1/vpc-routers/${router.id}`)).status).toBe(204)
    expect((await viewer.get(path)).body.custom_router_id).toBe(null)
  })

  test('of ten overlapping ones created concurrently, one succeeds', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => add({ ipv4_block: '10.3.0.0/24' })))
    expect(statuses(answers)).toEqual([201, ...Array<number>(9).fill(400)])
  })

  test('lists its interfaces, even when several share a name', async () => {
    const made = (await add({ ipv4_block: '10.4.0.0/26' })).body
    for (let n = 0; n < 3; n++) {
      const name = fresh('vm')
      const params = [{ ...plain('same'), vpc_name: vpc.name, subnet_name: made.name }]
      const body = { ...plain(name), hostname: name, ncpus: 1, memory: 2 ** 30, start: false }
      const answer = await member.post('/v1/instances?project=net', {
        ...body,
        network_interfaces: { type: 'create', params },
      })
      expect(answer.status).toBe(201)
    }
    for (const sort of ['name_ascending', 'name_descending', 'id_ascending']) {
      const seen: string[] = []
      let path = `/v1/vpc-subnets/${made.id}/network-interfaces?limit=1&sort_by=${sort}`
      for (let page = await viewer.get(path); page.body.items.length > 0; page = await viewer.get(path)) {
        seen.push(page.body.items[0].ip)
        path = `/v1/vpc-subnets/${made.id}/network-interfaces?limit=1&page_token=${page.body.next_page}`
      }
      expect(seen.sort()).toEqual(['10.4.0.5', '10.4.0.6', '10.4.0.7'])
    }
    expect(await remove(`/v1/vpc-subnets/${made.id}`)).toMatchObject(
      refused(400, 'VPC Subnet cannot be deleted while network interfaces in the subnet exist'),
    )
  })
})

describe('routers and routes', () => {
  let vpc: Awaited<ReturnType<typeof addVpc>>
  beforeAll(async () => {
    vpc = await addVpc()
    await member.post(vpc.at('vpc-routers'), plain('custom'))
  })
  const drop = { type: 'drop' }
  const ip = (value: string) => ({ type: 'ip', value })
  const named = (type: string, value: string) => ({ type, value })
  const add = (destination: object, target: object, name = fresh('route'), router = 'custom') =>
    member.post(vpc.at('vpc-router-routes', `&router=${router}`), { ...plain(name), destination, target })
  const route = (name: string, router = 'custom') => vpc.at(`vpc-router-routes/${name}`, `&router=${router}`)

  test('a router is custom, can be renamed, and is deleted with its routes', async () => {
    const made = await member.post(vpc.at('vpc-routers'), plain('short-lived'))
    expect(made).toMatchObject({ status: 201, body: { kind: 'custom' } })
    expect(await member.post(vpc.at('vpc-routers'), plain('system'))).toMatchObject(
      refused(400, 'already exists: vpc-router "system"'),
    )
    const routeId = (await add(ip('10.0.0.1'), drop, 'r', 'short-lived')).body.id
    expect((await put(`/v1/vpc-routers/${made.body.id}`, { name: 'longer' })).body.name).toBe('longer')
    expect((await remove(vpc.at('vpc-routers/longer'))).status).toBe(204)
    expect((await viewer.get(`/v1/vpc-router-routes/${routeId}`)).status).toBe(404)
    expect(await remove(vpc.at('vpc-routers/system'))).toMatchObject(
      refused(400, 'cannot delete system router'),
    )
    const renamed = await put(vpc.at('vpc-routers/system'), { name: 'renamed' })
    expect(renamed).toMatchObject({ status: 200, body: { kind: 'system', name: 'renamed' } })
    await put(vpc.at('vpc-routers/renamed'), { name: 'system' })
  })

  test.each([
    [ip('10.0.0.1'), ip('10.0.0.2')],
    [ip('10.0.0.1'), drop],
    [named('ip_net', '10.0.0.1/8'), named('instance', 'not-there-yet')],
    [named('subnet', 'default'), named('internet_gateway', 'default')],
    [named('ip_net', 'FD00::/8'), ip('fd00::1')],
  ])('a route from %j to %j', async (destination, target) => {
    const made = await add(destination, target)
    expect(made).toMatchObject({ status: 201, body: { kind: 'custom', target } })
    expect(
      (await put(`/v1/vpc-router-routes/${made.body.id}`, { destination: ip('::1'), target: drop })).body,
    ).toEqual({
      ...made.body,
      destination: ip('::1'),
      target: drop,
      time_modified: expect.any(String),
    })
    expect((await remove(`/v1/vpc-router-routes/${made.body.id}`)).status).toBe(204)
  })

  const mixed = 'cannot mix explicit IPv4 and IPv6 addresses between destination and target'
  const vpcs = 'users cannot specify VPCs as a destination or target in Custom routes'
  test.each([
    [ip('10.0.0.1'), ip('::1'), mixed],
    [named('ip_net', '::/0'), ip('10.0.0.1'), mixed],
    [named('vpc', 'default'), drop, vpcs],
    [ip('10.0.0.1'), named('vpc', 'default'), vpcs],
    [ip('10.0.0.1'), named('subnet', 'default'), 'subnets cannot be used as a target in Custom routers'],
  ])('not from %j to %j', async (destination, target, message) => {
    expect(await add(destination, target)).toMatchObject(refused(400, message))
    const made = await add(ip('10.0.0.9'), drop)
    expect(await put(`/v1/vpc-router-routes/${made.body.id}`, { destination, target })).toMatchObject(
      refused(400, message),
    )
  })

  test('names are unique within each router', async () => {
    const { body } = await add(ip('10.0.0.1'), drop)
    expect(await add(ip('10.0.0.1'), drop, body.name)).toMatchObject(
      refused(400, `already exists: router-route "${body.name}"`),
    )
  })

  test('system routes are immutable, except for the target of a default route', async () => {
    expect(await add(ip('10.0.0.1'), drop, 'mine', 'system')).toMatchObject(
      refused(400, 'user-provided routes cannot be added to a system router'),
    )
    for (const name of ['default', 'default-v4'])
      expect(await remove(route(name, 'system'))).toMatchObject(
        refused(400, 'DELETE not allowed on system routes'),
      )
    const destination = { type: 'ip_net', value: '0.0.0.0/0' }
    expect(await put(route('default', 'system'), { destination, target: drop })).toMatchObject(
      refused(400, 'routes of type VpcSubnet within the system router are not modifiable'),
    )
    const fixed = refused(400, 'the destination and metadata of a Default route cannot be changed')
    const path = route('default-v4', 'system')
    expect(await put(path, { destination, target: drop, name: 'x' })).toMatchObject(fixed)
    expect(await put(path, { destination, target: drop, description: '' })).toMatchObject(fixed)
    expect(await put(path, { destination: ip('10.0.0.1'), target: drop })).toMatchObject(fixed)
    expect(await put(path, { destination, target: ip('::1') })).toMatchObject(refused(400, mixed))
    expect(await put(path, { destination, target: drop, name: null })).toMatchObject({
      status: 200,
      body: { kind: 'default', target: drop },
    })
  })
})

describe('firewall rules', () => {
  const rule = (name: string, more: object = {}) => ({
    ...plain(name),
    status: 'enabled',
    direction: 'inbound',
    targets: [{ type: 'vpc', value: 'default' }],
    filters: {},
    action: 'allow',
    priority: 1,
    ...more,
  })
  const filtered = (filters: object) => [rule('a', { filters })]

  test('are replaced as a whole, by name; unchanged ones keep their identity', async () => {
    const { at } = await addVpc()
    const path = at('vpc-firewall-rules')
    const filters = {
      hosts: [],
      ports: ['443', '8000-8100'],
      protocols: [{ type: 'tcp' }, { type: 'icmp', value: { code: '0-4', icmp_type: 3 } }],
    }
    const first = await put(path, { rules: [rule('b', { filters }), rule('a')] })
    expect(first).toMatchObject({ status: 200 })
    expect(first.body.rules).toMatchObject([
      { name: 'a', filters: { hosts: null, ports: null, protocols: null } },
      { name: 'b', filters },
    ])
    expect((await viewer.get(path)).body).toEqual(first.body)
    const [a, b] = first.body.rules
    expect((await put(path, { rules: [b, a] })).body).toEqual(first.body)
    const again = await put(path, { rules: [{ ...a, priority: 2 }, b] })
    expect(again.body.rules).toMatchObject([{ name: 'a', priority: 2 }, b])
    expect(again.body.rules[0].id).not.toBe(a.id)
    expect(again.body.rules[0].time_created > a.time_created).toBe(true)
    expect((await put(path, {})).body).toEqual({ rules: [] })
  })

  test.each([
    ['ip', '::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['ip', '::FFFF:C000:201', '::ffff:192.0.2.1'],
    ['ip', '2001:0DB8::0:1', '2001:db8::1'],
    ['ip_net', '::ffff:192.0.2.0/120', '::ffff:192.0.2.0/120'],
  ])('keep the address of a host in its canonical form: %s %s', async (type, value, kept) => {
    const { at } = await addVpc()
    const { body } = await put(at('vpc-firewall-rules'), { rules: filtered({ hosts: [{ type, value }] }) })
    expect(body.rules[0].filters.hosts).toEqual([{ type, value: kept }])
  })

  test('treat an omitted protocol filter as none', async () => {
    const { at } = await addVpc()
    const { body } = await put(at('vpc-firewall-rules'), {
      rules: filtered({ protocols: [{ type: 'icmp' }] }),
    })
    expect(body.rules).toMatchObject([{ filters: { protocols: [{ type: 'icmp', value: null }] } }])
  })

  test('the second of two editors gets a conflict, unless it sends no If-Match', async () => {
    const { at } = await addVpc()
    const path = at('vpc-firewall-rules')
    const etag = (await viewer.get(path)).headers.get('etag') ?? ''
    expect(etag).toMatch(/^"\d+"$/)
    const first = await put(path, { rules: [rule('first')] }, { 'if-match': etag })
    expect([first.status, first.headers.get('etag') === etag]).toEqual([200, false])
    const second = await put(path, { rules: [rule('second')] }, { 'if-match': etag })
    expect(second).toMatchObject({
      status: 412,
      body: { current: { rules: [{ name: 'first' }] }, details: { etag: first.headers.get('etag') } },
    })
    expect((await viewer.get(path)).headers.get('etag')).toBe(first.headers.get('etag'))
    expect((await put(path, { rules: [rule('second')] })).status).toBe(200)
    const now = (await viewer.get(path)).headers.get('etag') ?? ''
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => put(path, { rules: [rule(`by-${n}`)] }, { 'if-match': now })),
    )
    expect(statuses(answers)).toEqual([200, ...Array<number>(7).fill(412)])
  })

  const many = <Item>(length: number, item: (n: number) => Item): Item[] =>
    Array.from({ length }, (_, n) => item(n))
  const target = { type: 'ip', value: '10.0.0.1' }
  const value = (label: string, reason: string) => `unsupported value for "${label}": ${reason}`
  const tooLong = (label: string) => value(label, 'max length 256')
  const reversed = 'range has larger start value than end value'
  test.each([
    [
      [rule('a'), rule('b'), rule('a'), rule('b'), rule('a'), rule('c')],
      value('rules', 'Rule names must be unique. Duplicates: ["a", "b"]'),
    ],
    [many(1025, (n) => rule(`r-${n}`)), value('rules', 'max length 1024')],
    [[rule('a', { targets: many(257, () => target) })], tooLong('targets')],
    [filtered({ hosts: many(257, () => target) }), tooLong('filters.hosts')],
    [filtered({ ports: many(257, (n) => String(n + 1)) }), tooLong('filters.ports')],
    [filtered({ protocols: many(257, () => ({ type: 'tcp' })) }), tooLong('filters.protocols')],
    [filtered({ ports: ['2-1'] }), value('l4_port_range', reversed)],
    [
      filtered({ protocols: [{ type: 'icmp', value: { icmp_type: 1, code: '2-1' } }] }),
      value('code', reversed),
    ],
  ])('are refused: %#', async (rules, message) => {
    const path = '/v1/vpc-firewall-rules?project=net&vpc=default'
    const before = await viewer.get(path)
    expect(await put(path, { rules })).toMatchObject({
      ...refused(400, message),
      body: { error_code: 'InvalidValue', message },
    })
    expect((await viewer.get(path)).body).toEqual(before.body)
  })

  test.each([
    [{ ports: ['0'] }, 'rules[0].filters.ports[0]'],
    [{ ports: ['65536'] }, 'rules[0].filters.ports[0]'],
    [{ ports: ['22', ' 22'] }, 'rules[0].filters.ports[1]'],
    [{ ports: ['ssh'] }, 'rules[0].filters.ports[0]'],
    [{ ports: ['80,443'] }, 'rules[0].filters.ports[0]'],
    [
      { protocols: [{ type: 'icmp', value: { icmp_type: 256 } }] },
      'rules[0].filters.protocols[0].value.icmp_type',
    ],
    [
      { protocols: [{ type: 'icmp', value: { icmp_type: 1, code: '256' } }] },
      'rules[0].filters.protocols[0].value.code',
    ],
    [{ hosts: [{ type: 'ip', value: '1.2.3' }] }, 'rules[0].filters.hosts[0].value'],
    [{ hosts: [{ type: 'ip', value: 'fe80::1%eth0' }] }, 'rules[0].filters.hosts[0].value'],
    [{ hosts: [{ type: 'ip_net', value: '10.0.0.0' }] }, 'rules[0].filters.hosts[0].value'],
    [{ hosts: [{ type: 'ip_net', value: '10.0.0.0/33' }] }, 'rules[0].filters.hosts[0].value'],
    [{ hosts: [{ type: 'ip_net', value: '10.0.0.0/255.0.0.0' }] }, 'rules[0].filters.hosts[0].value'],
  ])('are malformed: %j', async (filters, where) => {
    const answer = await put('/v1/vpc-firewall-rules?project=net&vpc=default', { rules: filtered(filters) })
    expect(answer.status).toBe(400)
    expect(answer.body).not.toHaveProperty('error_code')
    expect(answer.body.message).toContain(`unable to parse JSON body: ${where}: `)
  })

  test('are accepted up to the limit, replaced and recorded one by one', async () => {
    const { at } = await addVpc()
    const full = (priority: number) => ({ rules: many(1024, (n) => rule(`r-${n}`, { priority })) })
    const first = await put(at('vpc-firewall-rules'), full(1))
    expect([first.status, first.body.rules?.length]).toEqual([200, 1024])
    const again = await put(at('vpc-firewall-rules'), full(2))
    expect(again.body.rules.map((each: { priority: number }) => each.priority)).toEqual(many(1024, () => 2))

    const ids: string[] = first.body.rules.map(({ id }: { id: string }) => id)
    const gone = await bed.db.selectFrom('vpc_firewall_rule').selectAll().where('id', 'in', ids).execute()
    expect(gone.filter((row) => row.time_deleted !== null && row.generation === 2)).toHaveLength(1024)
    const records = await bed.db.selectFrom('change').select('op').where('object_id', 'in', ids).execute()
    expect([records.filter(({ op }) => op === 'delete').length, records.length]).toEqual([1024, 2048])
  })
})

describe('internet gateways', () => {
  const pools = (at: ReturnType<typeof inVpc>, gateway: string) =>
    at('internet-gateway-ip-pools', `&gateway=${gateway}`)
  const addresses = (at: ReturnType<typeof inVpc>, gateway: string) =>
    at('internet-gateway-ip-addresses', `&gateway=${gateway}`)

  test('have each pool at most once, and one address', async () => {
    const { at } = await addVpc()
    expect(await member.post(at('internet-gateways'), plain('out'))).toMatchObject({ status: 201 })
    expect(await member.post(at('internet-gateways'), plain('out'))).toMatchObject(
      refused(400, 'already exists: internet-gateway "out"'),
    )
    const pool = { ...plain('p'), ip_pool: 'external' }
    expect(await member.post(pools(at, 'out'), pool)).toMatchObject({ status: 201, body: { name: 'p' } })
    const samePool = await member.post(pools(at, 'out'), { ...pool, name: 'q' })
    expect(samePool).toMatchObject(refused(400, 'already exists: internet-gateway-ip-pool "q"'))
    expect(samePool.body.help).toBe('The pool external is already attached, as p.')
    expect(await member.post(pools(at, 'out'), { ...pool, ip_pool: 'hidden' })).toMatchObject(
      refused(404, 'not found: ip-pool with name "hidden"'),
    )
    const address = { ...plain('a'), address: '198.51.100.1' }
    expect(await member.post(addresses(at, 'out'), address)).toMatchObject({ status: 201, body: address })
    const second = await member.post(addresses(at, 'out'), { ...address, name: 'b' })
    expect(second).toMatchObject(refused(400, 'already exists: internet-gateway-ip-address "b"'))
    expect(second.body.help).toBe('A gateway has at most one address. Detach a first.')
    expect(names(await viewer.get(addresses(at, 'out')))).toEqual(['a'])
    expect((await remove(at('internet-gateway-ip-addresses/a', '&gateway=out'))).status).toBe(204)
    expect((await remove(at('internet-gateway-ip-pools/p', '&gateway=out'))).status).toBe(204)
    expect((await remove(at('internet-gateways/out'))).status).toBe(204)
  })

  test('are deleted with their attachments and routes on cascade', async () => {
    const { at } = await addVpc()
    const path = (cascade = '') => at('internet-gateways/default', cascade && `&cascade=${cascade}`)
    const pool =
      'Ip pools referencing this gateway exist. To perform a cascading delete set the cascade option'
    expect(await remove(path())).toMatchObject(refused(400, pool))
    expect(await remove(path('false'))).toMatchObject(refused(400, pool))
    expect((await remove(path('maybe'))).body.message).toMatch(/^unable to parse query string: cascade: /)
    await member.post(addresses(at, 'default'), { ...plain('a'), address: '198.51.100.1' })
    await remove(at('internet-gateway-ip-pools/default', '&gateway=default'))
    expect(await remove(path())).toMatchObject(
      refused(
        400,
        'Ip addresses referencing this gateway exist. To perform a cascading delete set the cascade option',
      ),
    )
    expect((await remove(path('true'))).status).toBe(204)
    expect(names(await viewer.get(at('vpc-router-routes', '&router=system')))).toEqual(['default'])
    expect((await remove(path('true'))).status).toBe(404)
  })

  test('keep a pool that instances use for egress, unless asked to cascade', async () => {
    const { name, at } = await addVpc()
    const body = { ...plain(fresh('vm')), hostname: 'vm', ncpus: 1, memory: 2 ** 30, start: false }
    const params = [{ ...plain('nic'), vpc_name: name, subnet_name: 'default' }]
    await member.post('/v1/instances?project=net', {
      ...body,
      network_interfaces: { type: 'create', params },
    })
    const path = at('internet-gateway-ip-pools/default', '&gateway=default')
    expect(await remove(path)).toMatchObject(
      refused(
        400,
        'VPC routes dependent on this IP pool. To perform a cascading delete set the cascade option',
      ),
    )
    expect((await remove(`${path}&cascade=true`)).status).toBe(204)
    expect(names(await viewer.get(at('vpc-router-routes', '&router=system')))).toHaveLength(3)
  })
})

describe('an interface', () => {
  let vpc: Awaited<ReturnType<typeof addVpc>>
  beforeAll(async () => {
    vpc = await addVpc()
    for (let n = 0; n < 9; n++)
      await member.post(vpc.at('vpc-subnets'), { ...plain(`s${n}`), ipv4_block: `10.0.${n}.0/24` })
  })
  async function addInstance(): Promise<string> {
    const name = fresh('bare')
    const body = { ...plain(name), hostname: name, ncpus: 1, memory: 2 ** 30, start: false }
    await member.post('/v1/instances?project=net', { ...body, network_interfaces: { type: 'none' } })
    return name
  }
  const at = (instance: string, nic = '') =>
    `/v1/network-interfaces${nic && `/${nic}`}?project=net&instance=${instance}`
  const add = (instance: string, subnet_name: string, more: object = {}) =>
    member.post(at(instance), { ...plain(subnet_name), vpc_name: vpc.name, subnet_name, ...more })
  const setState = (name: string, run_state: 'running' | 'failed' | 'stopped' | 'creating') =>
    bed.db.updateTable('instance').set({ run_state }).where('name', '=', name).execute()

  test('the first is primary, up to eight follow, each in its subnet', async () => {
    const instance = await addInstance()
    const first = await add(instance, 's0', { ip: '10.0.0.50', transit_ips: ['10.9.9.9/8'] })
    expect(first).toMatchObject({
      status: 201,
      body: { primary: true, ip: '10.0.0.50', mac: 'A8:40:25:F0:00:00', transit_ips: ['10.9.9.9/8'] },
    })
    expect((await add(await addInstance(), 's0')).body).toMatchObject({
      ip: '10.0.0.49',
      mac: 'A8:40:25:F0:00:01',
    })
    expect(await add(instance, 's0', { name: 'twice' })).toMatchObject(
      refused(400, 'Each interface must be in a distinct VPC Subnet'),
    )
    expect(await add(instance, 's1', { name: 's0' })).toMatchObject(
      refused(400, 'already exists: instance-network-interface "s0"'),
    )
    expect(await add(instance, 'default', { vpc_name: 'default' })).toMatchObject(
      refused(
        400,
        'Networking may not span multiple VPCs, but the requested resource is associated with another VPC',
      ),
    )
    for (let n = 1; n < 8; n++) expect((await add(instance, `s${n}`)).body.primary).toBe(false)
    expect(await add(instance, 's8')).toMatchObject(
      refused(400, 'May not attach more than 8 network interfaces'),
    )
  })

  test.each([
    ['10.0.0.4', 'The first 5 addresses of a subnet are reserved'],
    ['10.0.0.255', 'Cannot request a broadcast address'],
    ['10.1.0.9', '10.1.0.9 is outside subnet 10.0.0.0/24'],
    ['10.0.0.50', "The IP address '10.0.0.50' is not available"],
    ['::1', /^::1 is outside subnet fd[0-9a-f:]+\/64$/],
  ])('refuses the address %s', async (ip, message) =>
    expect(await add(await addInstance(), 's0', { ip })).toMatchObject(
      refused(400, expect.stringMatching(message)),
    ),
  )

  test.each([
    [{ vpc_name: 'nowhere' }, 'not found: vpc with name "nowhere"'],
    [{ subnet_name: 'nowhere' }, 'not found: vpc-subnet with name "nowhere"'],
  ])('refuses a missing parent: %j', async (more, message) =>
    expect(await add(await addInstance(), 's0', more)).toMatchObject(refused(404, message)),
  )

  test('can be changed while the instance is stopped', async () => {
    const instance = await addInstance()
    for (const state of ['running', 'failed'] as const) {
      await setState(instance, state)
      expect(await add(instance, 's0')).toMatchObject(
        refused(400, 'Instance must be stopped to attach a new network interface'),
      )
    }
    await setState(instance, 'creating')
    expect((await add(instance, 's0')).status).toBe(201)
    await setState(instance, 'failed')
    expect(await put(at(instance, 's0'), {})).toMatchObject(
      refused(400, 'Instance must be stopped to update its network interfaces'),
    )
    await setState(instance, 'running')
    expect(await remove(at(instance, 's0'))).toMatchObject(
      refused(400, 'Instance must be stopped or failed to detach a network interface'),
    )
    await setState(instance, 'failed')
    expect((await remove(at(instance, 's0'))).status).toBe(204)
    expect((await remove(at(instance, 's0'))).status).toBe(404)
  })

  test('another can be made primary, and the primary is deleted last', async () => {
    const instance = await addInstance()
    for (const subnet of ['s0', 's1', 's2']) await add(instance, subnet)
    const primary = async () =>
      (await viewer.get(at(instance))).body.items
        .filter((nic: { primary: boolean }) => nic.primary)
        .map((nic: { name: string }) => nic.name)
    expect(await primary()).toEqual(['s0'])
    expect((await put(at(instance, 's1'), { primary: true })).body.primary).toBe(true)
    expect(await primary()).toEqual(['s1'])
    expect((await put(at(instance, 's1'), { primary: false, name: 'main' })).body).toMatchObject({
      primary: true,
      name: 'main',
    })
    expect((await put(at(instance, 's0'), { name: 'main' })).body.message).toBe(
      'already exists: instance-network-interface "main"',
    )
    expect(await remove(at(instance, 'main'))).toMatchObject(
      refused(400, 'The primary interface may not be deleted while secondary interfaces are still attached'),
    )
    for (const nic of ['s0', 's2', 'main']) expect((await remove(at(instance, nic))).status).toBe(204)
    const answers = await Promise.all(['s0', 's1', 's2', 's3'].map((subnet) => add(instance, subnet)))
    expect(answers.filter(({ body }) => body.primary)).toHaveLength(1)
    await Promise.all(['s0', 's1', 's2'].map((nic) => put(at(instance, nic), { primary: true })))
    expect(await primary()).toHaveLength(1)
  })

  test('transit networks are replaced and validated', async () => {
    const instance = await addInstance()
    await add(instance, 's0')
    const set = (body: object) => put(at(instance, 's0'), body)
    expect((await set({ transit_ips: ['10.0.0.0/08', 'FD00::/8'] })).body.transit_ips).toEqual([
      '10.0.0.0/8',
      'fd00::/8',
    ])
    for (const [block, problem] of [
      ['10.0.0.1/8', 'transit IP block 10.0.0.1/8 has a non-zero host identifier'],
      ['224.0.0.0/8', 'transit IP block 224.0.0.0/8 is a multicast network'],
      ['127.0.0.1/32', 'transit IP 127.0.0.1/32 is a loopback address'],
    ] as const)
      expect(await set({ transit_ips: [block] })).toMatchObject(refused(400, problem))
    expect(await set({ transit_ips: ['10.0.0.0/8', '10.1.0.0/16'] })).toMatchObject(
      refused(400, 'transit IP block 10.1.0.0/16 overlaps with 10.0.0.0/8'),
    )
    expect((await set({ description: 'x' })).body).toMatchObject({ description: 'x', transit_ips: [] })
  })

  test('a hundred created concurrently have distinct addresses and MACs', async () => {
    const instances: string[] = []
    for (let n = 0; n < 100; n++) instances.push(await addInstance())
    const answers = await Promise.all(instances.map((instance) => add(instance, 's8')))
    expect(new Set(statuses(answers))).toEqual(new Set([201]))
    const ips = answers.map(({ body }) => body.ip)
    expect(new Set(ips)).toEqual(new Set(Array.from({ length: 100 }, (_, n) => `10.0.8.${n + 5}`)))
    expect(new Set(answers.map(({ body }) => body.mac)).size).toBe(100)
  })
})
