import { fleetHeader, fleetLacks } from '@gantry/api/system/fleet.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, eventually, testControlPlane, type TestBed } from '../testing/control-plane.ts'
import { FakeNetworks } from '../testing/networks.ts'
import type { Fleet, DriverServices } from './fleet.ts'
import { simulatedFleet } from './simulated/fleet.ts'

const GiB = 1024 ** 3

/** A driver with the least that one can do. */
function leastFleet(given: DriverServices): Fleet {
  const { faults: _faults, probes: _probes, machines, ...fleet } = simulatedFleet(given)
  const { migrate: _migrate, ...least } = machines
  const networks = new FakeNetworks({ hasExternalAddresses: false })
  return {
    ...fleet,
    machines: least,
    networks,
    volumes: { ...fleet.volumes, snapshotsLive: false, growsLive: false },
  }
}

let bed: TestBed
let me: Caller
let admin: Caller
beforeAll(async () => {
  bed = await testControlPlane({ environment: { fleet: leastFleet } })
  me = await bed.signIn('member')
  admin = await bed.signIn('admin')
})
afterAll(() => bed.stop())

const at = (path: string) => `/v1/${path}?project=playground`
const named = (name: string) => ({ name, description: '' })
const anySled = () =>
  bed.db.selectFrom('sled').select('id').orderBy('serial').limit(1).executeTakeFirstOrThrow()

test('faults, probes and moves that the fleet lacks are refused with the reason', async () => {
  const { id } = await anySled()
  const fault = await admin.post('/ext/v1/faults', { kind: 'sled_lost', sled_id: id })
  expect([fault.status, fault.body.message]).toEqual([400, fleetLacks.faults])
  const probe = await admin.post('/experimental/v1/probes?project=playground', { ...named('p'), sled: id })
  expect([probe.status, probe.body.message]).toEqual([400, fleetLacks.probes])
  const move = await admin.post(`/ext/v1/system/sleds/${id}/drains`, { mode: 'move' })
  expect([move.status, move.body.message]).toEqual([400, fleetLacks.migration])
  expect((await admin.get('/ext/v1/faults')).body.items).toEqual([])
})

test('addresses that nothing outside can reach are refused wherever they could be attached', async () => {
  const machine = (name: string, more = {}) =>
    me.post(at('instances'), {
      ...named(name),
      ncpus: 1,
      memory: GiB,
      hostname: name,
      start: false,
      network_interfaces: { type: 'default' },
      ...more,
    })
  expect((await machine('inside')).status).toBe(201)
  // An address can be reserved, for when the installation has what it takes.
  expect((await me.post(at('floating-ips'), named('door'))).status).toBe(201)
  const refused = [
    await machine('two', { external_ips: [{ type: 'ephemeral' }] }),
    await machine('three', { external_ips: [{ type: 'floating', floating_ip: 'door' }] }),
    await me.post(at('instances/inside/external-ips/ephemeral'), {}),
    await me.post(at('floating-ips/door/attach'), { kind: 'instance', parent: 'inside' }),
  ]
  for (const { status, body } of refused)
    expect([status, body.message]).toEqual([400, fleetLacks.external_addresses])
  expect((await me.get(at('instances'))).body.items.map(({ name }: { name: string }) => name)).toEqual([
    'inside',
  ])
  const { items } = (await me.get(at('instances/inside/external-ips'))).body
  expect(items.map(({ kind }: { kind: string }) => kind)).toEqual(['snat'])
})

test('a disk is copied while its instance is stopped, and not while it runs', async () => {
  const boot_disk = {
    type: 'create',
    ...named('disk'),
    size: GiB,
    disk_source: { type: 'blank', block_size: 512 },
  }
  const body = { ...named('one'), ncpus: 1, memory: GiB, hostname: 'one', boot_disk }
  expect((await me.post(at('instances'), body)).status).toBe(201)
  const copy = () => me.post(at('snapshots'), { ...named('copy'), disk: 'disk' })
  const live = await copy()
  expect([live.status, live.body.message]).toEqual([400, fleetLacks.live_snapshot])
  const grow = () => me.post('/ext/v1/disks/disk/grow?project=playground', { size: 2 * GiB })
  const grown = await grow()
  expect([grown.status, grown.body.message]).toEqual([400, fleetLacks.live_growth])
  await me.post(at('instances/one/stop'))
  await eventually(
    async () => {
      bed.pass(2000)
      return (await me.get(at('instances/one'))).body.run_state
    },
    (state) => state === 'stopped',
  )
  expect([(await copy()).status, (await grow()).status]).toEqual([201, 200])
})

test('every answer says what the fleet lacks, a refusal too', async () => {
  const lacks = ['external_addresses', 'faults', 'live_growth', 'live_snapshot', 'migration', 'probes']
  for (const path of ['projects', 'projects/absent']) {
    const { headers } = await me.get(`/v1/${path}`)
    expect(JSON.parse(headers.get(fleetHeader) ?? '{}')).toEqual({ is_simulated: true, lacks })
  }
})
