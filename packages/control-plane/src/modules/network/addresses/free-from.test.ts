import { anyPool } from '@gantry/api/network/pool-selector'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Row } from '@gantry/control-plane/db/tables'
import { relistedPorts } from '@gantry/control-plane/db/migrations/0031-relisted-ports'
import { addressesOf } from '@gantry/control-plane/seed/world-addresses'
import { addRange } from '../../ip-pools/ranges.ts'
import { freeBelow } from '@gantry/control-plane/testing/free-below'
import { createDefaultVpc } from '../records/default-vpc.ts'
import { allocateEphemeral, allocateFloating, allocateSnat, releaseExternalIps } from './external-ips.ts'
import type { Change } from '@gantry/control-plane/change/change'
import { ipv4Stretch } from './stretch.ts'
import { insertInstance, openWorld, type World } from '../in-force/network.fixtures.ts'
import { createInterfaces, deleteInterfaces } from '../records/interfaces.ts'

let world: World
let pool: Row<'ip_pool'>
beforeEach(async () => {
  world = await openWorld()
  pool = await world.addPool('pool', [
    ['10.0.0.1', '10.0.0.20'],
    ['10.0.0.21', '10.0.0.200'],
  ])
  await world.run((tx) => createDefaultVpc(tx, world.project))
})
afterAll(() => world.close())

const firstSlot = 0x0a_00_00_01 * 65_536
let count = 0

/** The position of a new instance's interface and SNAT ports; ports are counted in quarters of an address. */
interface Taken {
  instance: Row<'instance'>
  ip: number
  mac: number
  quarter: number
}
async function takeIn(tx: Change): Promise<Taken> {
  const name = `i${count++}`
  const instance = await insertInstance(tx, world.project.id, name)
  const [made] = await createInterfaces(tx, instance, world.project, { type: 'default_ipv4' })
  const snat = await allocateSnat(tx, world.silo.id, instance.id)
  const slot = (snat.ip_int ?? 0) * 65_536 + snat.first_port - firstSlot
  return { instance, ip: made?.ip_int ?? 0, mac: made?.mac_int ?? 0, quarter: slot / 16_384 }
}
const take = (): Promise<Taken> => world.run(takeIn)
const takeMany = (many: number): Promise<Taken[]> =>
  world.run(async (tx) => {
    const all: Taken[] = []
    for (let turn = 0; turn < many; turn++) all.push(await takeIn(tx))
    return all
  })
const giveBack = ({ instance }: Taken): Promise<void> =>
  world.run(async (tx) => {
    await deleteInterfaces(tx, instance.id)
    await releaseExternalIps(tx, instance.id)
  })
const db = () => world.cx().services.db
const begins = async () => {
  const vpc = await db().selectFrom('vpc').selectAll().executeTakeFirstOrThrow()
  const subnet = await db().selectFrom('vpc_subnet').selectAll().executeTakeFirstOrThrow()
  const ranges = await db().selectFrom('ip_pool_range').selectAll().orderBy('first_int').execute()
  return [vpc.free_macs_from, subnet.free_ips_from, ...ranges.map((range) => range.free_ports_from)]
}
const listed = async () => {
  const rows = await db().selectFrom('ip_pool_free_port').select('position').orderBy('position').execute()
  return rows.map(({ position }) => position)
}

test('searches begin after what is in use, and again at what is released', async () => {
  const all = await takeMany(90)
  expect(await freeBelow(db())).toEqual([])
  const full = await begins()
  // The first range, of eighty quarters, is full.
  expect(full[2]).toBe(firstSlot + 80 * 16_384)
  expect(full[0]).toBeGreaterThan(all[60]?.mac ?? Infinity)
  expect(full[1]).toBeGreaterThan(all[60]?.ip ?? Infinity)

  const [, , , , , sixth] = all
  if (!sixth) throw new Error('ninety were taken')
  await giveBack(sixth)
  const { ip, mac, quarter } = sixth
  expect(await begins()).toEqual([mac, ip, full[2], full[3]])
  expect(await listed()).toContain(firstSlot + quarter * 16_384)
  expect(await take()).toMatchObject({ ip, mac, quarter })
  expect((await take()).ip).toBe((all[89]?.ip ?? 0) + 1)
  expect(await freeBelow(db())).toEqual([])
})

test('a failed change leaves the search starts unchanged', async () => {
  const all = await takeMany(70)
  const before = [await begins(), await listed()]
  const [first] = all
  if (!first) throw new Error('seventy were taken')
  const failing = world.run(async (tx) => {
    await deleteInterfaces(tx, first.instance.id)
    await releaseExternalIps(tx, first.instance.id)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect([await begins(), await listed()]).toEqual(before)
  expect((await take()).ip).toBe((all[69]?.ip ?? 0) + 1)
})

test('rows without a stored search start are searched from the beginning', async () => {
  const all = await takeMany(70)
  await sql`UPDATE vpc SET free_macs_from = 0`.execute(db())
  await sql`UPDATE vpc_subnet SET free_ips_from = 0`.execute(db())
  await sql`UPDATE ip_pool_range SET free_ports_from = 0`.execute(db())
  const next = await take()
  expect([next.ip, next.quarter]).toEqual([(all[69]?.ip ?? 0) + 1, 70])
  expect((await begins())[0]).toBe(next.mac + 1)
})

test('a whole address is free again once its last ports are released', async () => {
  await takeMany(80)
  const owner = await world.addInstance('owner')
  const other = await world.addInstance('other')
  const whole = (id: string) => world.run((tx) => allocateEphemeral(tx, world.silo.id, id, anyPool))
  expect((await whole(owner.id)).ip).toBe('10.0.0.21')
  await world.run((tx) => releaseExternalIps(tx, owner.id))
  expect((await whole(other.id)).ip).toBe('10.0.0.21')
  expect(await freeBelow(db())).toEqual([])
})

/** The place of a new whole address in the pool. */
const takeFloating = async (name: string): Promise<number> => {
  const wanted = {
    name,
    description: '',
    address_allocator: { type: 'auto', pool_selector: anyPool } as const,
  }
  const { ip_int } = await world.run((tx) => allocateFloating(tx, world.project, wanted))
  return (ip_int ?? 0) - 0x0a_00_00_01
}

test('an address that is taken whole is not shared, wherever a list ends', async () => {
  // Ports that were not taken from the list, so that it begins at the second ones.
  const seeded = await world.addInstance('seeded')
  await world.run((tx) => addressesOf(tx, pool).give(world.project, [seeded.id], []))
  expect((await takeMany(63)).at(-1)?.quarter).toBe(63)
  expect(await takeFloating('web')).toBe(16)
  const next = await takeMany(2)
  expect(next.map(({ quarter }) => quarter)).toEqual([68, 69])
  expect(await takeFloating('api')).toBe(18)
  expect(await freeBelow(db())).toEqual([])
})

test('a list that ended inside an address in whole use is replaced by the migration', async () => {
  await takeMany(64)
  expect(await takeFloating('web')).toBe(16)
  const position = firstSlot + 64 * 16_384
  await sql`UPDATE ip_pool_range SET free_ports_from = ${position + 16_384} WHERE first_ip = '10.0.0.1'`.execute(
    db(),
  )
  await db().insertInto('ip_pool_free_port').values({ ip_pool_id: pool.id, position }).execute()
  for (const statement of relistedPorts.statements) await sql.raw(statement).execute(db())
  expect((await take()).quarter).toBe(68)
  expect(await freeBelow(db())).toEqual([])
})

test('ports of a lower range that is added come first, also before those that are released later', async () => {
  const [, , , , fifth] = await takeMany(10)
  if (!fifth) throw new Error('ten were taken')
  await addRange(world.cx(), { pool: 'pool' }, { first: '10.0.0.0', last: '10.0.0.0' })
  await giveBack(fifth)
  expect((await takeMany(6)).map(({ quarter }) => quarter)).toEqual([-4, -3, -2, -1, 4, 10])
  expect(await freeBelow(db())).toEqual([])
})

test('ports that two uses share are given to no third, until both have ended', async () => {
  await takeMany(64)
  const owner = await world.addInstance('owner')
  const whole = await world.run((tx) => allocateEphemeral(tx, world.silo.id, owner.id, anyPool))
  const sharer = await world.addInstance('sharer')
  await world.run((tx) =>
    tx.insert('external_ip', {
      kind: 'snat',
      name: null,
      description: null,
      project_id: null,
      instance_id: sharer.id,
      ...ipv4Stretch(whole.ip_int ?? 0, { first_port: 16_384, last_port: 32_767 }),
      ip_pool_id: pool.id,
    }),
  )
  expect((await take()).quarter).toBe(68)
  await world.run((tx) => releaseExternalIps(tx, owner.id))
  expect((await takeMany(4)).map(({ quarter }) => quarter)).toEqual([64, 66, 67, 69])
  await world.run((tx) => releaseExternalIps(tx, sharer.id))
  expect((await take()).quarter).toBe(65)
  expect(await freeBelow(db())).toEqual([])
})

const lowestFree = (taken: readonly number[], first: number): number => {
  for (let number = first; ; number++) if (!taken.includes(number)) return number
}

/** Below one in use rather than above all of them (B 14.2): the end of the lowest gap. */
function byTheBook(taken: readonly number[], first: number): number {
  const gap = lowestFree(taken, first)
  const above = Math.min(...taken.filter((number) => number > gap))
  return above === Infinity ? gap : above - 1
}

test('every choice follows the rule, for any sequence of allocations and releases', async () => {
  const held: Taken[] = await takeMany(75)
  const first = { ip: held[0]?.ip ?? 0, mac: held[0]?.mac ?? 0 }
  // A fixed sequence, to make failures reproducible.
  let state = 7
  const chance = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below
  const chosen: unknown[] = []
  const expected: unknown[] = []
  for (let turn = 0; turn < 80; turn++) {
    const gone = chance(2) === 0 ? held.splice(chance(held.length), 1)[0] : undefined
    if (gone) {
      await giveBack(gone)
      continue
    }
    const numbers = (of: 'ip' | 'mac' | 'quarter') => held.map((one) => one[of])
    expected.push([
      byTheBook(numbers('ip'), first.ip),
      byTheBook(numbers('mac'), first.mac),
      lowestFree(numbers('quarter'), 0),
    ])
    const next = await take()
    chosen.push([next.ip, next.mac, next.quarter])
    held.push(next)
  }
  expect(chosen).toEqual(expected)
  expect(await freeBelow(db())).toEqual([])
})
