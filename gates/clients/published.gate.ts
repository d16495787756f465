import Client2025 from 'oxide-api-2025'
import Client2026 from 'oxide-api-2026'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Client } from '../../e2e/support/client.ts'
import { device } from '../../e2e/support/device-steps.ts'
import { Gantry } from '../../e2e/support/gantry.ts'

const GiB = 1024 ** 3
const patience = { timeout: 60_000, interval: 500 }
const named = (name: string) => ({ name, description: 'made by a published client' })
const blank = { type: 'blank', blockSize: 512 } as const
const small = { ncpus: 1, memory: GiB, start: false }

let gantry: Gantry
let token: string

beforeAll(async () => {
  gantry = await new Gantry().start()
  const caller = new Client(gantry)
  await caller.signIn()
  const flow = await device(gantry)
  await caller.send('POST', '/device/confirm', { user_code: flow.code })
  token = (await flow.token()).access_token ?? ''
})
afterAll(() => gantry.remove())

type Answer<Data> =
  | { type: 'success'; data: Data }
  | { type: 'error'; data: { message: string } }
  | { type: 'client_error'; text: string }

async function done<Data>(answer: Promise<Answer<Data>>): Promise<Data> {
  const result = await answer
  if (result.type === 'success') return result.data
  throw new Error(result.type === 'error' ? result.data.message : result.text)
}

test('the client of April 2024, which names no version, lives a whole life', async () => {
  const me = new Client2025({ host: gantry.url, token }).methods
  const query = { project: 'of-2024' }
  const web = { path: { instance: 'web' }, query }
  await done(me.projectCreate({ body: named('of-2024') }))
  await done(me.diskCreate({ query, body: { ...named('data'), size: GiB, diskSource: blank } }))
  const boot = { type: 'create', ...named('boot'), size: GiB, diskSource: blank } as const
  const externalIps = [{ type: 'ephemeral' } as const]
  const body = { ...named('web'), ...small, hostname: 'web', disks: [boot], externalIps }
  expect((await done(me.instanceCreate({ query, body }))).runState).toBeDefined()
  await done(me.instanceDiskAttach({ ...web, body: { disk: 'data' } }))
  const [nic] = (await done(me.instanceNetworkInterfaceList({ query: { ...query, instance: 'web' } }))).items
  expect(nic?.ip).toMatch(/^172\.30\./)
  await done(me.instanceStart(web))
  await vi.waitFor(async () => expect((await done(me.instanceView(web))).runState).toBe('running'), patience)
  await done(me.snapshotCreate({ query, body: { ...named('copy'), disk: 'data' } }))
  const address = await done(me.floatingIpCreate({ query, body: named('address') }))
  expect(address.ip).toBeDefined()
  await done(me.instanceStop(web))
  await vi.waitFor(async () => expect((await done(me.instanceView(web))).runState).toBe('stopped'), patience)
  await done(me.instanceDelete(web))
})

test('the client of July 2026, which names its version, lives a whole life', async () => {
  const me = new Client2026({ host: gantry.url, token }).methods
  const query = { project: 'of-2026' }
  const web = { path: { instance: 'web' }, query }
  expect((await done(me.currentUserView({}))).timeCreated).toBeInstanceOf(Date)
  await done(me.projectCreate({ body: named('of-2026') }))
  const diskBackend = { type: 'distributed', diskSource: blank } as const
  const data = await done(me.diskCreate({ query, body: { ...named('data'), size: GiB, diskBackend } }))
  expect([data.diskType, data.readOnly]).toEqual(['distributed', false])

  const { items: pools } = await done(me.ipPoolList({ query: {} }))
  expect(pools.map(({ ipVersion, poolType }) => [ipVersion, poolType])).toEqual([['v4', 'unicast']])
  const bootDisk = { type: 'create', ...named('boot'), size: GiB, diskBackend } as const
  const created = await done(
    me.instanceCreate({
      query,
      body: {
        ...named('web'),
        ...small,
        hostname: 'web',
        bootDisk,
        networkInterfaces: { type: 'default_ipv4' },
        externalIps: [{ type: 'ephemeral', poolSelector: { type: 'auto', ipVersion: 'v4' } }],
        cpuPlatform: null,
        enableJumboFrames: false,
      },
    }),
  )
  expect([created.enableJumboFrames, created.cpuPlatform ?? null]).toEqual([false, null])
  await done(me.instanceDiskAttach({ ...web, body: { disk: 'data' } }))

  await done(
    me.vpcSubnetCreate({
      query: { ...query, vpc: 'default' },
      body: { ...named('back'), ipv4Block: '172.31.0.0/24' },
    }),
  )
  const ofWeb = { ...query, instance: 'web' }
  await done(
    me.instanceNetworkInterfaceCreate({
      query: ofWeb,
      body: {
        ...named('second'),
        vpcName: 'default',
        subnetName: 'back',
        ipConfig: {
          type: 'v4',
          value: { ip: { type: 'explicit', value: '172.31.0.9' }, transitIps: ['10.0.0.0/8'] },
        },
      },
    }),
  )
  const { items: nics } = await done(me.instanceNetworkInterfaceList({ query: ofWeb }))
  expect(nics.find(({ name }) => name === 'second')?.ipStack).toEqual({
    type: 'v4',
    value: { ip: '172.31.0.9', transitIps: ['10.0.0.0/8'] },
  })

  const settings = { bootDisk: 'boot', autoRestartPolicy: null, cpuPlatform: null, enableJumboFrames: false }
  await done(me.instanceUpdate({ ...web, body: { ncpus: 2, memory: GiB, ...settings } }))
  await done(me.instanceStart(web))
  await vi.waitFor(async () => expect((await done(me.instanceView(web))).runState).toBe('running'), patience)
  const allocator = { type: 'auto', poolSelector: { type: 'auto' } } as const
  const address = { path: { floatingIp: 'address' }, query }
  await done(me.floatingIpCreate({ query, body: { ...named('address'), addressAllocator: allocator } }))
  await done(me.floatingIpAttach({ ...address, body: { kind: 'instance', parent: 'web' } }))
  await done(me.floatingIpDetach(address))
  const rule = {
    ...named('pings'),
    status: 'enabled',
    direction: 'inbound',
    action: 'allow',
    priority: 100,
    targets: [{ type: 'vpc', value: 'default' }],
    filters: { protocols: [{ type: 'icmp', value: null }] },
  } as const
  const { rules } = await done(
    me.vpcFirewallRulesUpdate({
      query: { ...query, vpc: 'default' },
      body: {
        rules: [{ ...rule, targets: [...rule.targets], filters: { protocols: [...rule.filters.protocols] } }],
      },
    }),
  )
  expect(rules.map(({ name }) => name)).toEqual(['pings'])
  await done(me.snapshotCreate({ query, body: { ...named('copy'), disk: 'data' } }))
  expect((await done(me.externalSubnetList({ query }))).items).toEqual([])
  await done(me.instanceStop(web))
  await vi.waitFor(async () => expect((await done(me.instanceView(web))).runState).toBe('stopped'), patience)
  await done(me.instanceDelete(web))
})

test('an operator reads the rack with the client of July 2026', async () => {
  const me = new Client2026({ host: gantry.url, token }).methods
  const [sled] = (await done(me.sledList({ query: {} }))).items
  // It came with a later version.
  expect(sled && 'slot' in sled).toBe(false)
  const [pool] = (await done(me.systemIpPoolList({ query: {} }))).items
  expect(pool).toMatchObject({ ipVersion: 'v4', poolType: 'unicast', assignment: 'silos' })
  const used = await done(me.systemIpPoolUtilizationView({ path: { pool: pool?.name ?? '' } }))
  expect(used.capacity).toBeGreaterThan(used.remaining)
  const v6 = await done(me.systemIpPoolCreate({ body: { ...named('sixes'), ipVersion: 'v6' } }))
  expect(v6.ipVersion).toBe('v6')
  const range = { first: '10.99.0.1', last: '10.99.0.9' }
  const refused = await me.systemIpPoolRangeAdd({ path: { pool: 'sixes' }, body: range })
  expect([refused.type, refused.type === 'error' && refused.data.errorCode]).toEqual([
    'error',
    'InvalidRequest',
  ])
  const bundle = await done(me.supportBundleCreate({ body: { userComment: 'by a client' } }))
  expect((await done(me.supportBundleView({ path: { bundleId: bundle.id } }))).state).toBeDefined()
})
