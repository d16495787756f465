import { fleetLacks } from '@gantry/api/system/fleet.rules'
import { GiB } from '@gantry/api/base/bytes.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Environment } from '../../environment.ts'
import { simulatedFleet } from '../../fleet/simulated/fleet.ts'
import type { Host } from '../../fleet/hosts.ts'
import { testServices } from '../../testing/services.ts'
import { type Caller, eventually, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { hostSleds } from './hosts.ts'

const ids = ['aaaaaaaa-0000-4000-8000-000000000001', 'aaaaaaaa-0000-4000-8000-000000000002'] as const
const host = (number: 0 | 1, more: Partial<Host> = {}): Host => ({
  id: ids[number],
  name: `host-${number + 1}`,
  engine: 'QEMU 7.2.0 (KVM)',
  threads: 4,
  memory: 8 * GiB,
  reservoir: 6 * GiB,
  storage: 500e9,
  storage_free: 400e9,
  is_reachable: true,
  ...more,
})
let found: Host[] = [host(0)]

/** A fleet that finds its hosts itself, as one of real machines does. */
const fleetWithHosts: Environment['fleet'] = (around) => {
  const { faults: _faults, probes: _probes, ...fleet } = simulatedFleet(around)
  return { ...fleet, driver: 'test', isSimulated: false, hosts: { list: async () => found } }
}

let bed: TestBed
let operator: Caller
beforeAll(async () => {
  bed = await testControlPlane({ environment: { fleet: fleetWithHosts }, seed: 'demo' })
  operator = await bed.signIn('admin')
})
afterAll(() => bed.stop())

interface Use {
  sled: { id: string; baseboard: { serial: string }; usable_hardware_threads: number }
  threads: { used: number; total: number }
  memory: { total: number }
  engine: string
  condition: string
  lost_since: string | null
}
const uses = async (): Promise<Use[]> => (await operator.get('/ext/v1/system/sleds')).body.items
const becomes = (isSo: (uses: Use[]) => boolean) =>
  eventually(
    () => {
      bed.pass(15_000)
      return uses()
    },
    isSo,
    20_000,
  )
const open = async (kind: string) =>
  (await operator.get(`/ext/v1/system/issues?state=open&kind=${kind}`)).body.items

test('a fleet with its own hosts starts without the simulated rack and its data', async () => {
  expect((await operator.get('/v1/system/hardware/switches')).body.items).toEqual([])
  expect((await operator.get('/v1/images')).body.items).toEqual([])
  expect(
    (await operator.get('/v1/system/silos')).body.items.map(({ name }: { name: string }) => name),
  ).toEqual(['demo'])
})

test('hosts are not told apart by their processors', async () => {
  const check = { ncpus: 1, memory: 2 ** 30, cpu_platform: 'amd_milan' }
  const project = { name: 'told', description: '' }
  expect((await operator.post('/v1/projects', project)).status).toBe(201)
  const { status, body } = await operator.post('/ext/v1/placement-checks?project=told', check)
  expect([status, body.message]).toEqual([400, fleetLacks.cpu_platforms])
})

test('hosts become sleds, which follow the reports of the fleet', async () => {
  const [first] = await becomes((all) => all.length === 1)
  expect(first).toMatchObject({
    sled: { id: ids[0], baseboard: { serial: 'host-1', part: 'host' }, usable_hardware_threads: 4 },
    memory: { total: 6 * GiB },
    engine: 'QEMU 7.2.0 (KVM)',
    condition: 'active',
    lost_since: null,
  })
  found = [host(0, { threads: 8, engine: 'QEMU 8.0.0 (KVM)' }), host(1)]
  const both = await becomes((all) => all.length === 2)
  expect(both.map(({ sled }) => sled.usable_hardware_threads)).toEqual([8, 4])
  const overview = (await operator.get('/ext/v1/system/overview')).body
  expect(overview.fleet).toMatchObject({
    sleds: 2,
    lost: 0,
    is_simulated: false,
    engines: ['QEMU 7.2.0 (KVM)', 'QEMU 8.0.0 (KVM)'],
  })
  // What the hosts have, and not what a sled of the rack would have.
  expect(overview.capacity.estimate).toMatchObject({ storage_per_sled_tb: 0.5, storage: 652 * GiB })
  expect(both.map(({ threads }) => threads.total)).toEqual([32, 16])
  expect(overview.capacity.physical).toMatchObject({ hardware_threads: 12, vcpus: 48 })
  expect(overview.capacity.estimate).toMatchObject({ vcpus_per_thread: 4, cpus: Math.ceil(0.7 * 48) })
})

test('the demo silo may use what the hosts had at the first start', async () => {
  expect((await operator.get('/v1/system/silos/demo/quotas')).body).toMatchObject({
    cpus: 16,
    memory: 6 * GiB,
    storage: 325 * GiB,
  })
})

test('storage that changes a little, as on a file system with several data sets, changes no sled', async () => {
  const services = testServices({ db: bed.db })
  const seen = async (storage: number) => {
    found = [host(0, { storage }), host(1)]
    await hostSleds.run({ ...services, fleet: { ...services.fleet, hosts: { list: async () => found } } })
    const sleds = bed.db.selectFrom('sled').select(['generation', 'storage_size']).where('id', '=', ids[0])
    return sleds.executeTakeFirstOrThrow()
  }
  const before = await seen(500e9)
  expect(before.storage_size).toBe(500e9)
  for (const little of [-1e9, 4e9]) expect(await seen(500e9 + little)).toEqual(before)
  expect((await seen(510e9)).storage_size).toBe(510e9)
})

test('a volume that fills up is an issue from 80 %, and critical from 90 %', async () => {
  const services = testServices({ db: bed.db })
  const issueAt = async (storage_free: number) => {
    found = [host(0, { storage_free }), host(1)]
    await hostSleds.run({ ...services, fleet: { ...services.fleet, hosts: { list: async () => found } } })
    return (await open('filling_volume')).map(
      ({ severity, message }: { severity: string; message: string }) => `${severity}: ${message}`,
    )
  }
  expect(await issueAt(110e9)).toEqual([])
  expect(await issueAt(90e9)).toEqual([
    expect.stringMatching(/^warning: The volume of host host-1 is 82% full: .+ of .+ are free\.$/),
  ])
  expect(await issueAt(40e9)).toEqual([expect.stringMatching(/^critical: .* 92% full/)])
  expect(await issueAt(400e9)).toEqual([])
})

test('an unreachable or missing host is an issue and takes no instance', async () => {
  found = [host(0, { is_reachable: false })]
  await becomes((all) => all.every(({ condition }) => condition === 'lost'))
  const issues = await open('unreachable_host')
  expect(issues.map(({ message }: { message: string }) => message).sort()).toEqual([
    'Host host-1 is unreachable. Its instances cannot be started, stopped or seen.',
    'Host host-2 is unreachable. Its instances cannot be started, stopped or seen.',
  ])
  const body = { name: 'nowhere', description: '', hostname: 'nowhere', ncpus: 1, memory: GiB }
  const member = await bed.signIn('member')
  const made = await member.post('/v1/instances?project=playground', body)
  expect(made.body).toMatchObject({
    run_state: 'failed',
    failure: {
      details: { sleds: [{ count: 2, reason: 'the sled is unreachable' }] },
    },
  })

  found = [host(0), host(1)]
  await becomes((all) => all.every(({ condition }) => condition === 'active'))
  expect(await open('unreachable_host')).toEqual([])
})

test('instances share hardware threads by the setting, and a refusal says that vCPUs are short', async () => {
  await becomes(
    (all) =>
      all.length === 2 && all.every(({ lost_since, threads }) => lost_since === null && threads.total === 16),
  )
  const member = await bed.signIn('member')
  const create = async (name: string, ncpus: number) => {
    const body = { name, description: '', hostname: name, ncpus, memory: GiB }
    return (await member.post('/v1/instances?project=playground', body)).body
  }
  // Otherwise the silo's quota, which is what the first host can take, refuses.
  await bed.db.updateTable('silo_quotas').set({ cpus: 64 }).execute()
  expect((await create('shared', 6)).run_state).toBe('starting')
  expect(await create('huge', 17)).toMatchObject({
    run_state: 'failed',
    failure: {
      details: { sleds: [{ count: 2, reason: 'not enough free vCPUs' }] },
      next_step: expect.stringMatching(/^No sled has enough free vCPUs\./),
    },
  })
  // More than it has threads.
  expect(Math.max(...(await uses()).map(({ threads }) => threads.used))).toBeGreaterThan(4)
})

test('a host is removed for good only while it is unreachable, and stays removed if it is found again', async () => {
  const expunge = () => operator.post(`/ext/v1/system/sleds/${ids[1]}/expunge`, {})
  found = [host(0), host(1)]
  await becomes((all) => all.length === 2 && all.every(({ condition }) => condition === 'active'))
  await bed.db
    .updateTable('instance')
    .set({ time_deleted: new Date() })
    .where('name', '=', 'shared')
    .execute()
  expect((await expunge()).body.help).toBe('The fleet reaches this host. Take it out of the fleet first.')
  found = [host(0)]
  await becomes((all) => all.some(({ condition }) => condition === 'lost'))
  expect((await expunge()).status).toBe(200)
  await becomes((all) => all.length === 1)
  expect(await open('unreachable_host')).toEqual([])
  const view = async () => (await operator.get(`/v1/system/hardware/sleds/${ids[1]}`)).body
  const removed = await view()
  found = [host(0), host(1, { threads: 8 })]
  for (let pass = 0; pass < 3; pass++) await becomes((all) => all.length === 1)
  expect(await view()).toEqual(removed)
})

test('operations that such a fleet lacks are refused with a message', async () => {
  const bfd = {
    switch: 'switch0',
    remote: '192.0.2.1',
    detection_threshold: 3,
    required_rx: 1,
    mode: 'single_hop',
  }
  const refusals = [
    await operator.call('PUT', '/v1/system/update/target-release', { system_version: '1.0.0' }),
    await operator.post('/v1/system/networking/bfd-enable', bfd),
    await operator.post('/ext/v1/faults', { kind: 'sled_lost', sled: ids[0] }),
  ]
  expect(refusals.map(({ status, body }) => `${status} ${body.message}`)).toEqual([
    '400 This installation does not update the software of its hosts',
    '400 This installation has no switches of its own',
    '400 Faults can be injected only into a simulated rack',
  ])
})

test('a database belongs to one fleet', async () => {
  const { createControlPlane } = await import('../../app.ts')
  const { testEnvironment } = await import('../../testing/environment.ts')
  const { migratedDatabase } = await import('../../testing/migrated-database.ts')
  const dialect = await migratedDatabase()
  const first = createControlPlane({ ...testEnvironment(), dialect })
  await first.migrate()
  const second = createControlPlane({ ...testEnvironment(), dialect, fleet: fleetWithHosts })
  await expect(second.migrate()).rejects.toThrow(
    'The machines and disks of this database belong to the fleet simulated, and this is the fleet test.',
  )
  await first.migrate()
})
