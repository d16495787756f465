import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'

const inProject = '?project=playground'
const inGateway = `${inProject}&vpc=default&gateway=default`

let bed: TestBed
let admin: Caller
beforeEach(async () => {
  bed = await testControlPlane({ idle: true })
  admin = await bed.signIn('admin')
})
afterEach(() => bed.stop())

const problems = async () =>
  (await admin.get(`/ext/v1/instances/web/external-ip-problems${inProject}`)).body.items

async function create(interfaces: 'default' | 'none'): Promise<void> {
  const { status, body } = await admin.post(`/v1/instances${inProject}`, {
    name: 'web',
    description: '',
    ncpus: 1,
    memory: 2 ** 30,
    hostname: 'web',
    start: false,
    network_interfaces: { type: interfaces },
    external_ips: interfaces === 'none' ? [] : [{ type: 'ephemeral' }],
  })
  expect([status, body.message]).toEqual([201, undefined])
}

test('every address works whose pool a gateway carries', async () => {
  await create('default')
  expect(await problems()).toEqual([])
})

test('no address works whose pool no gateway carries, until one carries the pool or the address', async () => {
  await create('default')
  const { body } = await admin.get(`/v1/internet-gateway-ip-pools${inGateway}`)
  for (const { id } of body.items)
    expect((await admin.call('DELETE', `/v1/internet-gateway-ip-pools/${id}?cascade=true`)).status).toBe(204)
  const found = await problems()
  expect(found).toContainEqual({
    kind: 'ephemeral',
    ip: expect.any(String),
    code: 'not_carried',
    message: expect.stringMatching(/^No internet gateway of the VPC default carries \d/),
    next_step: expect.stringContaining('Attach its IP pool'),
    vpc_name: 'default',
  })
  const { ip } = found.find(({ kind }: { kind: string }) => kind === 'ephemeral')
  const added = await admin.post(`/v1/internet-gateway-ip-addresses${inGateway}`, {
    name: 'one',
    description: '',
    address: ip,
  })
  expect([added.status, added.body.message]).toEqual([201, undefined])
  expect((await problems()).map((one: { ip: string }) => one.ip)).not.toContain(ip)
})

test('an instance without interfaces has no external addresses, and no problem', async () => {
  await create('none')
  expect(await problems()).toEqual([])
})

test('callers without an identity learn nothing', async () => {
  await create('default')
  const { status } = await bed.anonymous.get(`/ext/v1/instances/web/external-ip-problems${inProject}`)
  expect(status).toBe(401)
})
