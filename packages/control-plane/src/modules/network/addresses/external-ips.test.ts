import { anyPool, type PoolSelector } from '@gantry/api/network/pool-selector'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '@gantry/control-plane/authz/actor'
import type { Row } from '@gantry/control-plane/db/tables'
import { change } from '@gantry/control-plane/change/change'
import { Refusal } from '@gantry/control-plane/context/refusal'
import { allocateEphemeral, allocateSnat, attachFloating, releaseExternalIps } from './external-ips.ts'
import { externalIpRequestProblem } from './requested-ips.ts'
import { openWorld, type World } from '../in-force/network.fixtures.ts'
import { networkHttp } from '../http.ts'

let world: World
beforeEach(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const shown = ({ ip, first_port, last_port }: Row<'external_ip'>): string =>
  first_port === 0 && last_port === 65_535 ? ip : `${ip}:${first_port}-${last_port}`

let count = 0
async function instance(): Promise<Row<'instance'>> {
  return world.addInstance(`i${count++}`)
}
const snat = async (owner?: Row<'instance'>): Promise<string> => {
  const { id } = owner ?? (await instance())
  return shown(await world.run((tx) => allocateSnat(tx, world.silo.id, id)))
}
const ephemeral = async (pool?: string, owner?: Row<'instance'>): Promise<string> => {
  const { id } = owner ?? (await instance())
  return shown(await world.run((tx) => allocateEphemeral(tx, world.silo.id, id, poolOf(pool))))
}
const poolOf = (pool: string | undefined): PoolSelector =>
  pool === undefined ? anyPool : { type: 'explicit', pool }
const release = (owner: Row<'instance'>) => world.run((tx) => releaseExternalIps(tx, owner.id))

describe('allocation', () => {
  test("the reference's example", async () => {
    const pool = await world.addPool('pool', [['10.0.0.1', '10.0.0.5']])
    const a = await instance()
    expect(await snat(a)).toBe('10.0.0.1:0-16383')
    expect(await ephemeral(undefined, a)).toBe('10.0.0.2')
    expect(await snat()).toBe('10.0.0.1:16384-32767')
    expect(await ephemeral()).toBe('10.0.0.3')
    await world.addFloating('fip', '10.0.0.4', pool)
    expect(await snat()).toBe('10.0.0.1:32768-49151')
    expect(await snat()).toBe('10.0.0.1:49152-65535')
    expect(await snat()).toBe('10.0.0.5:0-16383')
    await expect(ephemeral()).rejects.toThrow('Insufficient capacity: No external IP addresses available')
  })

  test('the first address freed is the next one allocated, and a partly used address is not a whole one', async () => {
    await world.addPool('pool', [['10.0.0.1', '10.0.0.3']])
    const owners = [await instance(), await instance(), await instance()] as const
    for (const owner of owners) await snat(owner)
    expect(await ephemeral()).toBe('10.0.0.2')
    await release(owners[0])
    // The first quarter of 10.0.0.1 is free, but the whole address is not.
    expect(await ephemeral()).toBe('10.0.0.3')
    expect(await snat()).toBe('10.0.0.1:0-16383')
    await release(owners[1])
    expect(await snat()).toBe('10.0.0.1:16384-32767')
    expect(await snat()).toBe('10.0.0.1:49152-65535')
    await expect(snat()).rejects.toThrow('Insufficient capacity: No external IP addresses available')
  })

  test('ranges are used in ascending order, whatever the order of insertion', async () => {
    await world.addPool('pool', [
      ['203.0.113.9', '203.0.113.10'],
      ['10.0.0.255', '10.0.1.0'],
      ['255.255.255.255', '255.255.255.255'],
    ])
    const owner = await instance()
    expect(await ephemeral(undefined, owner)).toBe('10.0.0.255')
    const rest = []
    for (let turn = 0; turn < 4; turn++) rest.push(await ephemeral())
    expect(rest).toEqual(['10.0.1.0', '203.0.113.9', '203.0.113.10', '255.255.255.255'])
    const refused = await ephemeral().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(Refusal)
    expect(refused).toMatchObject({ status: 507, extra: { details: { ip_pool: 'pool' } } })
    await release(owner)
    expect(await snat()).toBe('10.0.0.255:0-16383')
  })

  test('a range whose start is only partly used still allocates ports in order', async () => {
    const pool = await world.addPool('pool', [['10.0.0.1', '10.0.0.2']])
    await world.addFloating('fip', '10.0.0.1', pool)
    expect(await snat()).toBe('10.0.0.2:0-16383')
    await expect(ephemeral()).rejects.toThrow('Insufficient capacity')
  })

  test('agrees with an exhaustive count, for random histories', async () => {
    const addresses = 6
    await world.addPool('pool', [
      ['10.0.0.1', '10.0.0.2'],
      ['10.0.0.4', '10.0.0.7'],
    ])
    const lines = ['10.0.0.1', '10.0.0.2', '10.0.0.4', '10.0.0.5', '10.0.0.6', '10.0.0.7']
    const quarters = Array.from({ length: addresses * 4 }, () => undefined as Row<'instance'> | undefined)
    let state = 7
    const dice = (sides: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return (state >>> 8) % sides
    }
    for (let turn = 0; turn < 150; turn++) {
      const owners = [...new Set(quarters.filter((owner) => owner !== undefined))]
      const leaving = owners[dice(Math.max(owners.length, 1))]
      if (dice(5) < 2 && leaving) {
        await release(leaving)
        for (const [at, owner] of quarters.entries()) if (owner === leaving) quarters[at] = undefined
        continue
      }
      const wholes = dice(2) === 0
      const free = quarters.findIndex((owner, at) =>
        wholes ? at % 4 === 0 && quarters.slice(at, at + 4).every((one) => !one) : !owner,
      )
      const owner = await instance()
      const given = await (wholes ? ephemeral(undefined, owner) : snat(owner)).catch(
        (error: Refusal) => error.status,
      )
      const first = (free % 4) * 16_384
      const ip = lines[Math.floor(free / 4)]
      expect(given).toBe(free < 0 ? 507 : wholes ? ip : `${ip}:${first}-${first + 16_383}`)
      if (free >= 0) quarters.fill(owner, free, free + (wholes ? 4 : 1))
    }
  })

  test('concurrent requests get distinct addresses', async () => {
    await world.addPool('pool', [['10.0.0.1', '10.0.0.10']])
    const all = await Promise.all(Array.from({ length: 40 }, () => snat()))
    expect(new Set(all).size).toBe(40)
    await expect(snat()).rejects.toThrow('Insufficient capacity')
  })
})

describe('the pool', () => {
  test('SNAT and an unnamed ephemeral address need the default pool', async () => {
    await world.addPool('other', [['10.1.0.1', '10.1.0.2']], 'linked')
    await expect(snat()).rejects.toThrow('not found: default IP pool for current silo')
    await expect(ephemeral()).rejects.toThrow('not found: default IP pool for current silo')
    expect(await ephemeral('other')).toBe('10.1.0.1')
  })

  test('an unlinked pool is treated as missing', async () => {
    const pool = await world.addPool('hidden', [['10.1.0.1', '10.1.0.2']], 'unlinked')
    await expect(ephemeral('hidden')).rejects.toThrow('not found: ip-pool with name "hidden"')
    await expect(ephemeral('missing')).rejects.toThrow('not found: ip-pool with name "missing"')
    await expect(ephemeral(pool.id.toUpperCase())).rejects.toThrow(`not found: ip-pool with id "${pool.id}"`)
  })
})

describe('floating addresses', () => {
  const attach = (owner: Row<'instance'>, selector: string) =>
    world.run((tx) => attachFloating(tx, world.project, owner, selector))

  test('are attached to one instance at a time and outlive it', async () => {
    const pool = await world.addPool('pool', [['10.0.0.1', '10.0.0.5']])
    const floating = await world.addFloating('web', '10.0.0.1', pool)
    const [one, other] = [await instance(), await instance()]
    const attached = await attach(one, 'web')
    expect(attached).toMatchObject({ id: floating.id, instance_id: one.id, generation: 2 })
    expect(await attach(one, floating.id)).toMatchObject({ generation: 2 })
    await expect(attach(other, 'web')).rejects.toThrow(
      'floating IP cannot be attached to one instance while still attached to another',
    )
    await snat(one)
    await release(one)
    const rows = await world
      .cx()
      .db.selectFrom('external_ip')
      .selectAll()
      .where('time_deleted', 'is', null)
      .execute()
    expect(rows).toMatchObject([{ id: floating.id, instance_id: null }])
    expect(await attach(other, 'web')).toMatchObject({ instance_id: other.id })
  })

  test('are found in the project, and elsewhere only by callers who may see them', async () => {
    const pool = await world.addPool('pool', [['10.0.0.1', '10.0.0.5']])
    const elsewhere = await world.run((tx) =>
      tx.insert('project', { name: 'elsewhere', description: '', silo_id: world.silo.id }),
    )
    const floating = await world.addFloating('web', '10.0.0.1', pool, elsewhere)
    const owner = await instance()
    await expect(attach(owner, 'web')).rejects.toThrow('not found: floating-ip with name "web"')
    await expect(attach(owner, floating.id)).rejects.toThrow(
      'floating IP must be in the same project as the instance',
    )
    const member: Actor = {
      kind: 'silo_user',
      time_created: new Date(0),
      time_modified: new Date(0),
      silo_id: world.silo.id,
      user_id: world.cx().newId(),
      fleet: undefined,
      silo: undefined,
      project: (id) => (id === world.project.id ? 'collaborator' : undefined),
      display_name: 'member',
      silo_name: 'silo',
      projects: [world.project.id],
      credential: undefined,
    }
    const scope = { silo_id: world.silo.id, project_id: world.project.id }
    await expect(
      change(world.cx(member), scope, (tx) => attachFloating(tx, world.project, owner, floating.id)),
    ).rejects.toThrow(`not found: floating-ip with id "${floating.id}"`)
    const made = await world.run((tx) => allocateSnat(tx, world.silo.id, owner.id))
    await expect(attach(owner, made.id)).rejects.toThrow(`not found: floating-ip with id "${made.id}"`)
  })
})

describe('the list of requested addresses', () => {
  const floating = { type: 'floating', floating_ip: 'web' } as const
  const short = { type: 'ephemeral', pool_selector: anyPool } as const
  test.each([
    [[], undefined],
    [[short, ...Array<typeof floating>(31).fill(floating)], undefined],
    [
      Array<typeof floating>(33).fill(floating),
      'An instance may not have more than 32 external IP addresses',
    ],
    [[short, short], 'An instance may not have more than 1 ephemeral IP address'],
  ])('%#', (wanted, message) =>
    expect(
      externalIpRequestProblem({ external_ips: wanted, network_interfaces: { type: 'default_ipv4' } })
        ?.message,
    ).toBe(message),
  )
})

test('floating addresses are listed by name, without other kinds', async () => {
  const pool = await world.addPool('pool', [['10.0.0.1', '10.0.0.5']])
  const owner = await instance()
  await world.addFloating('web', '10.0.0.5', pool)
  await world.addFloating('api', '10.0.0.4', pool)
  await snat(owner)
  await ephemeral(undefined, owner)
  await world.run((tx) => attachFloating(tx, world.project, owner, 'web'))
  await world.run((tx) => attachFloating(tx, world.project, owner, 'api'))

  const query = { project: 'project' }
  const cx = world.cx()
  // A list reads its sort modes from its operation.
  cx.request.operation = 'floating_ip_list'
  const listed = await networkHttp.floatingIpList(cx, { path: {}, query, body: undefined })
  expect(listed).toMatchObject({ items: [{ name: 'api' }, { name: 'web' }] })
  const path = { floating_ip: 'web' }
  expect(await networkHttp.floatingIpView(world.cx(), { path, query, body: undefined })).toMatchObject({
    ip: '10.0.0.5',
    instance_id: owner.id,
  })
  const input = { path: { instance: owner.name }, query, body: undefined }
  expect(await networkHttp.instanceExternalIpList(world.cx(), input)).toMatchObject({
    items: [
      { kind: 'floating', name: 'api', instance_id: owner.id },
      { kind: 'floating', name: 'web' },
      { kind: 'ephemeral', ip: '10.0.0.2' },
      { kind: 'snat', ip: '10.0.0.1', first_port: 0, last_port: 16_383 },
    ],
  })
})
