import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Environment } from '@gantry/control-plane/environment'
import { simulatedFleet } from '@gantry/control-plane/fleet/simulated/fleet'
import { NetworkFailure, type VpcNetwork } from '@gantry/control-plane/fleet/networks'
import { beginNumbering, publishChanges } from '@gantry/control-plane/stream/publisher'
import type { Services } from '@gantry/control-plane/context/services'
import {
  type Caller,
  eventually,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { FakeNetworks } from '@gantry/control-plane/testing/networks'
import { testServices } from '@gantry/control-plane/testing/services'
import { bringIntoForce } from './bring-into-force.ts'
import { repairNetworks, vpcNetworks } from './network-loop.ts'

const inProject = '?project=playground'
const ofVpc = `${inProject}&vpc=default`

let bed: TestBed
let admin: Caller
let networks: FakeNetworks
let services: Services
let now = new Date()
const warned: string[] = []
beforeEach(async () => {
  now = new Date()
  warned.length = 0
  networks = new FakeNetworks()
  const fleet: Environment['fleet'] = (around) => ({ ...simulatedFleet(around), networks })
  bed = await testControlPlane({ idle: true, environment: { fleet } })
  await beginNumbering(bed.db)
  admin = await bed.signIn('admin')
  services = servicesOf(networks)
})
afterEach(() => bed.stop())

/** Another process, unless it has the same networks in another one. */
const servicesOf = (own: FakeNetworks | undefined): Services =>
  testServices({
    db: bed.db,
    clock: () => now,
    log: {
      info() {},
      warn: (_, message) => void warned.push(message),
      error: (fields) => expect(fields).toBe(''),
    },
    fleet: {
      ...simulatedFleet({ ...bed, clock: () => now }),
      ...(own ? { networks: own } : {}),
    },
  })

const pass = (ms: number): void => {
  now = new Date(now.getTime() + ms)
}
/** The loop of a process that has just started, run until nothing is left to do now. */
async function run(loop = vpcNetworks(), process = services): Promise<void> {
  while ((await publishChanges({ db: bed.db })) !== undefined) continue
  await loop.run(process)
  await loop.finish?.()
}

async function created(name: string, vpc = 'default'): Promise<string> {
  const params = [{ name: 'net0', description: '', vpc_name: vpc, subnet_name: 'default' }]
  const answer = await admin.post(`/v1/instances${inProject}`, {
    name,
    description: '',
    ncpus: 1,
    memory: 2 ** 30,
    hostname: name,
    start: false,
    network_interfaces: { type: 'create', params },
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.id
}
/** Reserves a machine as a start does. */
async function started(instance_id: string): Promise<string> {
  const sled = await bed.db.selectFrom('sled').select('id').limit(1).executeTakeFirstOrThrow()
  const id = crypto.randomUUID()
  await bed.db
    .insertInto('vmm')
    .values({ id, instance_id, sled_id: sled.id, ncpus: 1, memory: 2 ** 30, time_created: now })
    .execute()
  return id
}
const ended = (instanceId: string) =>
  bed.db.updateTable('vmm').set({ time_gone: now }).where('instance_id', '=', instanceId).execute()
const vpcId = async (name = 'default'): Promise<string> =>
  (await admin.get(`/v1/vpcs/${name}${inProject}`)).body.id
const shown = async (vpc = 'default') =>
  (await admin.get(`/ext/v1/vpcs/${vpc}/network${inProject}`)).body.network
const stored = (id: string) =>
  bed.db.selectFrom('vpc_network').selectAll().where('vpc_id', '=', id).executeTakeFirst()
const addVpc = (name: string) => admin.post(`/v1/vpcs${inProject}`, { name, description: '', dns_name: name })
const allow = (port: string) =>
  admin.call('PUT', `/v1/vpc-firewall-rules${ofVpc}`, {
    rules: [
      {
        name: 'open',
        description: '',
        status: 'enabled',
        direction: 'inbound',
        action: 'allow',
        priority: 1,
        targets: [{ type: 'vpc', value: 'default' }],
        filters: { ports: [port] },
      },
    ],
  })

describe('a network is brought into force', () => {
  test('when its VPC has a machine, from the records', async () => {
    const instance = await created('web')
    await run()
    expect(networks.applied).toEqual([])
    const machine = await started(instance)
    await run()
    expect(networks.applied).toMatchObject([
      {
        id: await vpcId(),
        generation: 1,
        dns_name: 'default',
        interfaces: [
          { instance_id: instance, machine_id: machine, hostname: 'web', name: 'web', is_primary: true },
        ],
      },
    ])
  })

  test('again when a change affects its packets, and not for other changes', async () => {
    await started(await created('web'))
    const loop = vpcNetworks()
    await run(loop)
    await allow('22')
    await run(loop)
    await allow('22')
    await admin.call('PUT', `/v1/vpcs/default${inProject}`, { name: 'default', description: 'other words' })
    await admin.post(`/v1/disks${inProject}`, {
      name: 'd',
      description: '',
      size: 2 ** 30,
      disk_source: { type: 'blank', block_size: 512 },
    })
    await run(loop)
    await allow('23')
    await run(loop)
    const portsOf = ({ rules }: VpcNetwork) => rules.map(({ ports }) => ports)
    expect(networks.applied.map(({ generation }) => generation)).toEqual([1, 2, 3])
    expect(networks.applied.slice(1).map(portsOf)).toEqual([
      [[{ first: 22, last: 22 }]],
      [[{ first: 23, last: 23 }]],
    ])
  })

  test('with the name that an instance has by now', async () => {
    const id = await started(await created('web'))
    const loop = vpcNetworks()
    await run(loop)
    const { instance_id } = await bed.db
      .selectFrom('vmm')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await bed.db.updateTable('instance').set({ name: 'front' }).where('id', '=', instance_id).execute()
    await allow('22')
    await run(loop)
    expect(networks.applied.map(({ interfaces }) => interfaces.map(({ name }) => name))).toEqual([
      ['web'],
      ['front'],
    ])
  })

  test('by a change that comes while an earlier state is being applied', async () => {
    await started(await created('web'))
    await run()
    await allow('22')
    networks.before = async ({ generation }) => {
      if (generation !== 2) return
      await allow('23')
      while ((await publishChanges({ db: bed.db })) !== undefined) continue
      // As the loop of another process does at any moment.
      await vpcNetworks().run(services)
    }
    const loop = vpcNetworks()
    await run(loop)
    await run(loop)
    expect(networks.applied.at(-1)?.rules.map(({ ports }) => ports)).toEqual([[{ first: 23, last: 23 }]])
    expect(await shown()).toMatchObject({ state: 'applied', problem: null })
  })

  test('once for many callers, each of which is answered when its own records are in force', async () => {
    const instances = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => created(name)))
    const id = await vpcId()
    const machines: string[] = []
    await Promise.all(
      instances.map(async (instance) => {
        const machine = await started(instance)
        await bringIntoForce(services, networks, id)
        machines.push(machine)
        expect(networks.vpcs.get(id)?.interfaces.map(({ machine_id }) => machine_id)).toContain(machine)
      }),
    )
    expect(machines).toHaveLength(5)
    expect(networks.applied.length).toBeLessThanOrEqual(5)
    const generations = networks.applied.map(({ generation }) => generation)
    expect(generations).toEqual(generations.toSorted((one, other) => one - other))
  })

  test('by one of several processes at a time, never an older state after a newer one', async () => {
    const id = await vpcId()
    const other = servicesOf(networks)
    let running = 0
    networks.before = async () => {
      expect(++running).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, 20))
      running--
    }
    for (const name of ['a', 'b', 'c', 'd']) {
      await started(await created(name))
      await Promise.all([bringIntoForce(services, networks, id), bringIntoForce(other, networks, id)])
    }
    expect(networks.applied.map(({ generation, interfaces }) => [generation, interfaces.length])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
    ])
  })

  test('also after the process that began it has died', async () => {
    await started(await created('web'))
    const id = await vpcId()
    await bed.db
      .insertInto('vpc_network')
      .values({
        vpc_id: id,
        time_changed: now,
        revision: 1,
        lease_holder: crypto.randomUUID(),
        lease_until: new Date(now.getTime() + 10_000),
      })
      .execute()
    await run()
    expect(networks.applied).toEqual([])
    pass(11_000)
    await run()
    expect(networks.applied).toHaveLength(1)
    expect(await shown()).toMatchObject({ state: 'applied' })
  })

  test('but not by a process that has lost its lease, which would name two states alike', async () => {
    await started(await created('web'))
    const id = await vpcId()
    networks.before = async (network) => {
      networks.vpcs.set(id, { ...network, generation: 7 })
      const lease_holder = crypto.randomUUID()
      await bed.db.updateTable('vpc_network').set({ lease_holder }).execute()
    }
    await expect(bringIntoForce(services, networks, id)).rejects.toThrow('Service Unavailable')
    expect(networks.applied).toEqual([])
    expect(await stored(id)).toMatchObject({ generation: 1, problem: null })
  })

  test('outside of transactions', async () => {
    await started(await created('web'))
    // The database has one connection: inside of a transaction this would wait for ever.
    networks.before = async () => void (await bed.db.selectFrom('vpc').select('id').execute())
    await run()
    expect(networks.applied).toHaveLength(1)
  })
})

describe('the state that people see', () => {
  test('is pending from the moment of a change, and not for changes that affect no packets', async () => {
    await started(await created('web'))
    const loop = vpcNetworks()
    await run(loop)
    expect(await shown()).toMatchObject({ state: 'applied', generation: 1 })
    await admin.call('PUT', `/v1/vpcs/default${inProject}`, { name: 'default', description: 'other words' })
    expect(await shown()).toMatchObject({ state: 'applied', generation: 1 })
    await allow('22')
    expect(await shown()).toMatchObject({ state: 'pending', generation: 2 })
    while ((await publishChanges({ db: bed.db })) !== undefined) continue
    expect(await shown()).toMatchObject({ state: 'pending', generation: 2 })
    // Followed, and not brought into force yet.
    await bed.db
      .updateTable('vpc_network')
      .set({ lease_until: new Date(now.getTime() + 5000) })
      .execute()
    await loop.run(services)
    expect(await shown()).toMatchObject({ state: 'pending', generation: 2 })
    pass(6000)
    await run(loop)
    expect(await shown()).toMatchObject({ state: 'applied', generation: 2 })
  })

  test('names external addresses that the fleet refuses, until it takes them', async () => {
    const id = await vpcId()
    const instance = await created('web')
    await started(instance)
    const { body } = await admin.post(`/v1/instances/web/external-ips/ephemeral${inProject}`, {})
    const refusal = { ip: body.ip, message: `Somebody uses ${body.ip}.`, next_step: 'Attach another one.' }
    networks.refusals.set(id, [refusal])
    const problems = async () =>
      (await admin.get(`/ext/v1/instances/web/external-ip-problems${inProject}`)).body.items
    await run()
    expect(await problems()).toEqual([
      {
        kind: 'ephemeral',
        ip: body.ip,
        code: 'refused',
        message: refusal.message,
        next_step: refusal.next_step,
        vpc_name: null,
      },
    ])
    expect(await shown()).toMatchObject({ state: 'applied', problem: { code: 'external_address_refused' } })
    // A minute later the address is free, without a change of any record.
    networks.refusals.clear()
    const before = (await reported()).length
    await run()
    expect(await problems()).toEqual([])
    expect(await shown()).toMatchObject({ state: 'applied', problem: null })
    expect((await reported()).length).toBe(before + 1)
    // And it is in use again.
    networks.refusals.set(id, [refusal])
    await run()
    expect(await problems()).toMatchObject([{ code: 'refused' }])
    await run()
    expect((await reported()).length).toBe(before + 2)
  })
})

describe('a failure', () => {
  test('is recorded with the next step, delays no other VPC, and is retried', async () => {
    await addVpc('other')
    await admin.post(`/v1/vpc-subnets${inProject}&vpc=other`, {
      name: 'default',
      description: '',
      ipv4_block: '10.0.0.0/24',
    })
    await started(await created('web'))
    await started(await created('far', 'other'))
    const failing = await vpcId()
    networks.before = ({ id }) => {
      if (id === failing) throw new NetworkFailure('The host is on fire.', 'Call the fire brigade.')
    }
    const loop = vpcNetworks()
    await run(loop)
    expect(networks.applied.map(({ id }) => id)).toEqual([await vpcId('other')])
    expect(await shown()).toMatchObject({
      state: 'pending',
      generation: 1,
      since: now.toISOString(),
      problem: { message: 'The host is on fire.', next_step: 'Call the fire brigade.' },
    })
    expect(await shown('other')).toMatchObject({ state: 'applied', problem: null })
    networks.before = () => {}
    await run(loop)
    expect(networks.applied).toHaveLength(1)
    pass(1500)
    await run(loop)
    expect(networks.applied).toHaveLength(2)
    expect(await shown()).toMatchObject({
      state: 'applied',
      generation: 1,
      since: now.toISOString(),
      problem: null,
    })
  })

  test('is retried with growing delays, and at once when a record changes', async () => {
    await started(await created('web'))
    let tries = 0
    networks.before = () => {
      tries++
      throw new Error('secret details of the host')
    }
    const loop = vpcNetworks()
    for (let second = 0; second < 40; second++) {
      await run(loop)
      pass(1000)
    }
    expect(tries).toBe(6)
    expect(JSON.stringify(await shown())).not.toContain('secret')
    const records = await bed.db.selectFrom('change').select('id').where('kind', '=', 'vpc-network').execute()
    expect(records).toHaveLength(1)
    await allow('22')
    await run(loop)
    expect(tries).toBe(7)
  })

  test('does not delay a record that changes while it fails', async () => {
    await started(await created('web'))
    let tries = 0
    networks.before = async () => {
      tries++
      if (tries > 1) return
      await bed.db
        .updateTable('vpc_network')
        .set((eb) => ({ revision: eb('revision', '+', 1), retry_at: null }))
        .execute()
      throw new NetworkFailure('The host does not answer.', 'Wait.')
    }
    await expect(bringIntoForce(services, networks, await vpcId())).rejects.toThrow('does not answer')
    await run()
    expect([tries, networks.applied.length]).toEqual([2, 1])
  })
})

/** Networks in the change stream. */
const reported = () =>
  bed.db.selectFrom('change').select(['object_id', 'project_id']).where('kind', '=', 'vpc-network').execute()

describe('the state in force', () => {
  test('is shown as applied, also if the call that brought it there never returned', async () => {
    await started(await created('web'))
    const { before } = networks
    networks.before = (network) => {
      networks.vpcs.set(network.id, network)
      throw new NetworkFailure('The host does not answer.', 'Wait.')
    }
    await run()
    expect(await shown()).toMatchObject({
      state: 'pending',
      problem: { message: 'The host does not answer.' },
    })
    networks.before = before
    pass(100)
    // Another process compares, before the first one tries again.
    await run()
    expect(networks.applied).toEqual([])
    expect(await shown()).toEqual({
      state: 'applied',
      generation: 1,
      since: now.toISOString(),
      problem: null,
    })
    expect(await reported()).toHaveLength(2)
  })

  test('is completed when it is missing or old', async () => {
    await started(await created('web'))
    await run()
    const id = await vpcId()
    networks.vpcs.clear()
    await run()
    expect(networks.applied.map(({ generation }) => generation)).toEqual([1, 1])
    await allow('22')
    await run()
    networks.vpcs.set(id, { ...networks.applied[0]!, generation: 1 })
    await run()
    expect(networks.applied.map(({ generation }) => generation)).toEqual([1, 1, 2, 2])
    await run()
    expect(networks.applied).toHaveLength(4)
  })

  test('is replaced by older records, as after the restore of a backup', async () => {
    await started(await created('web'))
    await run()
    const id = await vpcId()
    networks.vpcs.set(id, { ...networks.applied[0]!, generation: 41 })
    await run()
    expect(networks.vpcs.get(id)).toMatchObject({ generation: 42 })
    networks.vpcs.set(id, { ...networks.applied[0]!, generation: 60 })
    await allow('22')
    await bringIntoForce(services, networks, id)
    expect(networks.vpcs.get(id)).toMatchObject({
      generation: 61,
      rules: [{ ports: [{ first: 22, last: 22 }] }],
    })
  })

  test('is completed also while the fleet cannot say what is in force', async () => {
    await started(await created('web'))
    networks.inForce = async () => {
      throw new NetworkFailure('The host does not answer.', 'Wait.')
    }
    await bed.db
      .insertInto('vpc_network')
      .values({ vpc_id: await vpcId(), time_changed: now, revision: 1 })
      .execute()
    await run()
    expect(networks.applied).toHaveLength(1)
    expect(warned).toEqual(['the networks in force are unknown; they will be compared again'])
  })

  test('is removed when the last machine of the VPC has ended, and if the VPC is unknown', async () => {
    const instance = await created('web')
    await started(instance)
    await run()
    const [id, unknown] = [await vpcId(), crypto.randomUUID()]
    networks.vpcs.set(unknown, { ...networks.applied[0]!, id: unknown })
    await run()
    expect(networks.removed).toEqual([unknown])
    await ended(instance)
    expect(await shown()).toMatchObject({ state: 'applied' })
    await run()
    expect(networks.removed).toEqual([unknown, id])
    expect(await stored(id)).toBeUndefined()
    expect(await shown()).toBeNull()
    // Of its beginning and its end; the unknown network belonged to no VPC.
    expect(new Set((await reported()).map(({ object_id }) => object_id))).toEqual(new Set([id]))
    expect(await reported()).toHaveLength(2)
    await started(instance)
    await run()
    expect(networks.vpcs.get(id)).toMatchObject({ generation: 1 })
  })

  test('stays when a machine starts while it is being removed', async () => {
    const instance = await created('web')
    await started(instance)
    await run()
    await ended(instance)
    const id = await vpcId()
    const remove = networks.remove
    networks.remove = async (ids) => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      await remove(ids)
    }
    await Promise.all([
      run(),
      started(instance).then(async (machine) => {
        await bringIntoForce(services, networks, id)
        expect(networks.vpcs.get(id)?.interfaces).toMatchObject([{ machine_id: machine }])
      }),
    ])
    expect(networks.vpcs.has(id)).toBe(true)
  })

  test('is compared after changes passed their retention', async () => {
    await started(await created('web'))
    const loop = vpcNetworks()
    await run(loop)
    await allow('22')
    while ((await publishChanges({ db: bed.db })) !== undefined) continue
    const last = await bed.db
      .selectFrom('counter')
      .select('value')
      .where('name', '=', 'change')
      .executeTakeFirstOrThrow()
    await bed.db.insertInto('counter').values({ name: 'change-forgotten', value: last.value }).execute()
    await bed.db.deleteFrom('change').execute()
    await run(loop)
    expect(networks.applied.map(({ generation }) => generation)).toEqual([1, 2])
  })
})

test('a fleet that carries no packets has no networks to run or show', async () => {
  await started(await created('web'))
  await run(vpcNetworks(), servicesOf(undefined))
  expect(await bed.db.selectFrom('vpc_network').selectAll().execute()).toEqual([])
  const simulated = await testControlPlane({ idle: true })
  const user = await simulated.signIn('viewer')
  const answer = await user.get(`/ext/v1/vpcs/default/network${inProject}`)
  expect([answer.status, answer.body]).toEqual([200, { network: null }])
  await simulated.stop()
})

test('delays stored while the clock was ahead end', async () => {
  const times = {
    retry_at: new Date(now.getTime() + 86_400_000),
    lease_until: new Date(now.getTime() + 86_400_000),
  }
  const id = await vpcId()
  await bed.db
    .insertInto('vpc_network')
    .values({ vpc_id: id, time_changed: now, ...times })
    .execute()
  await repairNetworks(services, now)
  const leaseEnd = new Date(now.getTime() + 10_000)
  expect(await stored(id)).toMatchObject({ retry_at: null, lease_until: leaseEnd })
})

test('a machine is started once its network is in force', async () => {
  const own = new FakeNetworks()
  const ensured: string[] = []
  let refusals = 2
  own.before = () => {
    if (refusals-- > 0) throw new NetworkFailure('Not yet.', 'Wait.')
  }
  const running = await testControlPlane({
    environment: {
      fleet: (around) => {
        const fleet = simulatedFleet(around)
        const machines = {
          ...fleet.machines,
          ensure: async (spec: Parameters<typeof fleet.machines.ensure>[0]) => {
            const [one] = spec.interfaces
            const network = own.vpcs.get(one?.vpc_id ?? '')
            ensured.push(String(network?.interfaces.some(({ machine_id }) => machine_id === spec.id)))
            await fleet.machines.ensure(spec)
          },
        }
        return { ...fleet, machines, networks: own }
      },
    },
  })
  const user = await running.signIn('admin')
  const machine = { name: 'web', description: '', ncpus: 1, memory: 2 ** 30, hostname: 'web' }
  const { body } = await user.post(`/v1/instances${inProject}`, machine)
  await eventually(
    async () => {
      running.pass(1000)
      return (await user.get(`/v1/instances/${body.id}`)).body.run_state
    },
    (state) => state === 'running',
    30_000,
  )
  expect(ensured).toEqual(['true'])
  expect((await user.get(`/ext/v1/vpcs/default/network${inProject}`)).body.network).toMatchObject({
    state: 'applied',
    problem: null,
  })
  await running.stop()
})
