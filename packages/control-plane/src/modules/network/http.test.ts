import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type TestBed, testControlPlane } from '../../testing/control-plane.ts'

let bed: TestBed
let admin: Caller
let viewer: Caller
let member: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  admin = await bed.signIn('admin')
  member = await bed.signIn('member')
  viewer = await bed.signIn('viewer')
  await admin.post('/v1/projects', { name: 'net', description: '' })
})
afterAll(() => bed.stop())

const nobody = '11111111-1111-4111-8111-111111111111'
const names = (answer: { body: { items: { name: string }[] } }) => answer.body.items.map((item) => item.name)

describe('the contents of a new project', () => {
  test.each([
    ['/v1/vpcs?project=net', ['default']],
    ['/v1/vpc-subnets?project=net&vpc=default', ['default']],
    ['/v1/vpc-routers?project=net&vpc=default', ['system']],
    ['/v1/vpc-router-routes?project=net&vpc=default&router=system', ['default', 'default-v4', 'default-v6']],
    ['/v1/internet-gateways?project=net&vpc=default', ['default']],
    ['/v1/internet-gateway-ip-pools?project=net&vpc=default&gateway=default', ['default']],
    ['/v1/floating-ips?project=net', []],
    ['/v1/anti-affinity-groups?project=net', []],
    ['/v1/ip-pools', ['external']],
  ])('%s', async (path, expected) => {
    const answer = await viewer.get(path)
    expect([answer.status, names(answer)]).toEqual([200, expected])
  })

  test('each by name and by id, with an ETag', async () => {
    const single = [
      '/v1/vpcs/default?project=net',
      '/v1/vpc-subnets/default?project=net&vpc=default',
      '/v1/vpc-routers/system?project=net&vpc=default',
      '/v1/vpc-router-routes/default-v4?project=net&vpc=default&router=system',
      '/v1/internet-gateways/default?project=net&vpc=default',
    ]
    for (const path of single) {
      const named = await viewer.get(path)
      expect([path, named.status, named.headers.get('etag')]).toEqual([path, 200, '"1"'])
      const byId = path.replace(/^(\/v1\/[^/]+\/).*/, `$1${named.body.id}`)
      expect((await viewer.get(byId)).body).toEqual(named.body)
    }
  })

  test('the firewall rules of each VPC are counted in one response', async () => {
    await member.post('/v1/vpcs?project=net', { name: 'open', description: '', dns_name: 'open' })
    await member.call('PUT', '/v1/vpc-firewall-rules?project=net&vpc=open', { rules: [] })
    const vpc = (await viewer.get('/v1/vpcs/default?project=net')).body
    const { status, body } = await viewer.get('/ext/v1/vpc-firewall-sizes?project=net')
    expect([status, body.items]).toEqual([200, [{ vpc_id: vpc.id, rules: 3 }]])
    expect((await member.call('DELETE', '/v1/vpc-subnets/default?project=net&vpc=open')).status).toBe(204)
    expect((await member.call('DELETE', '/v1/vpcs/open?project=net')).status).toBe(204)
  })

  test('firewall rules are returned complete and by name', async () => {
    const { body } = await viewer.get('/v1/vpc-firewall-rules?project=net&vpc=default')
    expect(body.rules.map((rule: { name: string }) => rule.name)).toEqual([
      'allow-icmp',
      'allow-internal-inbound',
      'allow-ssh',
    ])
    expect(body.rules[0].filters).toEqual({
      hosts: null,
      ports: null,
      protocols: [{ type: 'icmp', value: null }],
    })
  })

  test('a pool linked to the silo, but not an unlinked one', async () => {
    expect((await viewer.get('/v1/ip-pools/external')).body).toMatchObject({
      name: 'external',
      is_default: true,
    })
    expect(await viewer.get('/v1/ip-pools/other')).toMatchObject({
      status: 404,
      body: { error_code: 'ObjectNotFound', message: 'not found: ip-pool with name "other"' },
    })
  })
})

describe('refusals', () => {
  test.each([
    ['/v1/vpcs/default', 400, 'vpc should either be an ID or project should be specified'],
    [`/v1/vpcs/${nobody}?project=net`, 400, 'when providing vpc as an ID, project should not be specified'],
    [
      `/v1/floating-ips/${nobody}?project=net`,
      400,
      'when providing Floating IP as an ID project should not be specified',
    ],
    ['/v1/floating-ips/web', 400, 'Floating IP should either be UUID or project should be specified'],
    ['/v1/floating-ips/web?project=net', 404, 'not found: floating-ip with name "web"'],
    ['/v1/floating-ips?project=gone', 404, 'not found: project with name "gone"'],
    ['/v1/vpc-subnets?vpc=gone&project=net', 404, 'not found: vpc with name "gone"'],
    [`/v1/network-interfaces?instance=${nobody}`, 404, `not found: instance with id "${nobody}"`],
    [`/v1/instances/${nobody}/external-ips`, 404, `not found: instance with id "${nobody}"`],
    [`/v1/instances/${nobody}/anti-affinity-groups`, 404, `not found: instance with id "${nobody}"`],
  ])('%s', async (path, status, message) =>
    expect(await viewer.get(path)).toMatchObject({ status, body: { message } }),
  )
})

describe('an instance', () => {
  const create = (name: string, more: object = {}) =>
    member.post('/v1/instances?project=net', {
      name,
      description: '',
      hostname: name,
      ncpus: 1,
      memory: 2 ** 30,
      start: false,
      external_ips: [{ type: 'ephemeral' }],
      ...more,
    })

  test('has its interface and addresses, and releases them', async () => {
    expect((await create('web')).status).toBe(201)
    const interfaces = await viewer.get('/v1/network-interfaces?project=net&instance=web')
    expect(interfaces.body.items).toMatchObject([
      { name: 'net0', ip: '172.30.0.5', mac: 'A8:40:25:F0:00:00', primary: true, transit_ips: [] },
    ])
    const one = await viewer.get('/v1/network-interfaces/net0?project=net&instance=web')
    expect(one.body).toEqual(interfaces.body.items[0])
    const addresses = await viewer.get('/v1/instances/web/external-ips?project=net')
    expect(addresses.body).toMatchObject({
      items: [{ kind: 'ephemeral' }, { kind: 'snat', first_port: 0, last_port: 16_383 }],
      next_page: null,
    })

    const subnet = '/v1/vpc-subnets/default?project=net&vpc=default'
    const refused = await member.call('DELETE', subnet)
    expect(refused).toMatchObject({
      status: 400,
      body: { message: 'VPC Subnet cannot be deleted while network interfaces in the subnet exist' },
    })
    expect((await member.call('DELETE', '/v1/instances/web?project=net')).status).toBe(204)
    expect((await viewer.call('DELETE', subnet)).status).toBe(403)
    expect((await member.call('DELETE', subnet, undefined, { 'if-match': '"9"' })).status).toBe(412)
    expect((await member.call('DELETE', '/v1/vpcs/default?project=net')).body.message).toBe(
      'VPC cannot be deleted while VPC Subnets exist',
    )
    expect((await member.call('DELETE', subnet, undefined, { 'if-match': '"1"' })).status).toBe(204)
    expect((await member.call('DELETE', '/v1/vpcs/default?project=net')).status).toBe(204)
    expect((await create('late')).body.message).toBe('not found: vpc with name "default"')
    // The failed creation left nothing behind, so the project is empty now.
    expect((await admin.call('DELETE', '/v1/projects/net')).status).toBe(204)
  })
})
