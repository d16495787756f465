import { anyPool } from '@gantry/api/network/pool-selector'
import type { Row } from '@gantry/control-plane/db/tables'
import type { Change } from '@gantry/control-plane/change/change'
import {
  allocateEphemeral,
  allocateSnat,
  releaseExternalIps,
} from '@gantry/control-plane/modules/network/addresses/external-ips'
import { forgetAbove, forgetListed } from '@gantry/control-plane/modules/network/addresses/free-address'
import { rangeRow } from '@gantry/control-plane/modules/ip-pools/range-row'
import { parseIpv4 } from '@gantry/control-plane/modules/network/addresses/ip'
import { openWorld, type World } from '@gantry/control-plane/modules/network/in-force/network.fixtures'
import { addressesOf } from '@gantry/control-plane/seed/world-addresses'
import { freeBelow } from '@gantry/control-plane/testing/free-below'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../database/open.ts'
import { temporaryPostgres } from '../testing/temporary-postgres.ts'

const postgres = await temporaryPostgres()
if ('missing' in postgres) console.warn(`skipped: free ports on PostgreSQL, ${postgres.missing}`)

const shown = ({ ip, first_port }: Row<'external_ip'>): string => `${ip}:${first_port / 16_384}`

/** Work of several connections at the same time, which the embedded database runs one after the other. */
describe.skipIf('missing' in postgres)('free ports on PostgreSQL', () => {
  let url = ''
  let world: World
  let pool: Row<'ip_pool'>
  beforeAll(async () => {
    if (!('missing' in postgres)) url = await postgres.newDatabase()
  })
  beforeEach(async () => {
    world = await openWorld((await openDatabase({ url })).dialect)
    pool = await world.addPool('pool', [['10.0.0.1', '10.0.0.10']])
  })
  afterEach(() => world.close())
  afterAll(async () => {
    if (!('missing' in postgres)) await postgres.stop()
  })

  const snat = async (tx: Change, name: string) =>
    shown(await allocateSnat(tx, world.silo.id, (await world.addInstance(name)).id))

  /** A change that has allocated and commits on demand. */
  async function pending<Result>(allocate: (tx: Change) => Promise<Result>) {
    let end = (_error?: Error): void => {}
    const ended = new Promise<void>((resolve, reject) => {
      end = (error) => (error ? reject(error) : resolve())
    })
    let done: Promise<unknown> = ended
    const taken = await new Promise<Result>((resolve, reject) => {
      done = world
        .run(async (tx) => {
          resolve(await allocate(tx))
          await ended
        })
        .catch(reject)
    })
    const finish = (error?: Error): Promise<unknown> => (end(error), done)
    return { taken, commit: () => finish(), undo: () => finish(new Error('undone')) }
  }

  test('a creation takes other ports than a pending one, without waiting for it', async () => {
    await world.run((tx) => snat(tx, 'first'))
    const slow = await pending((tx) => snat(tx, 'slow'))
    const quick = await world.run((tx) => snat(tx, 'quick'))
    expect([slow.taken, quick]).toEqual(['10.0.0.1:1', '10.0.0.1:2'])
    await slow.commit()
    expect(await world.run((tx) => snat(tx, 'next'))).toBe('10.0.0.1:3')
    expect(await freeBelow(world.cx().services.db)).toEqual([])
  })

  test('ports of an undone creation are the next ones taken', async () => {
    await world.run((tx) => snat(tx, 'first'))
    const slow = await pending((tx) => snat(tx, 'slow'))
    expect(await world.run((tx) => snat(tx, 'quick'))).toBe('10.0.0.1:2')
    await slow.undo()
    expect(await world.run((tx) => snat(tx, 'next'))).toBe(slow.taken)
    expect(await freeBelow(world.cx().services.db)).toEqual([])
  })

  test('an address is not whole while a pending creation takes some of its ports', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await world.run((tx) => snat(tx, name))
    const slow = await pending((tx) => snat(tx, 'slow'))
    const owner = await world.addInstance('owner')
    const whole = await world.run((tx) => allocateEphemeral(tx, world.silo.id, owner.id, anyPool))
    expect([slow.taken, whole.ip]).toEqual(['10.0.0.2:0', '10.0.0.3'])
    await slow.undo()
    const other = await world.addInstance('other')
    expect((await world.run((tx) => allocateEphemeral(tx, world.silo.id, other.id, anyPool))).ip).toBe(
      '10.0.0.2',
    )
    expect(await world.run((tx) => snat(tx, 'next'))).toBe('10.0.0.4:0')
    expect(await freeBelow(world.cx().services.db)).toEqual([])
  })

  test('the last ports are refused only once the creation that took them is committed', async () => {
    for (let count = 0; count < 39; count++) await world.run((tx) => snat(tx, `i${count}`))
    const last = await pending((tx) => snat(tx, 'last'))
    const late = world.run((tx) => snat(tx, 'late'))
    await last.undo()
    expect(await late).toBe(last.taken)
    await expect(world.run((tx) => snat(tx, 'more'))).rejects.toThrow('No external IP addresses available')
  })

  test('a range waits for pending creations before it counts as unused', async () => {
    await world.run(async (tx) => {
      const owner = await world.addInstance('gone')
      await allocateSnat(tx, world.silo.id, owner.id)
      await releaseExternalIps(tx, owner.id)
    })
    const slow = await pending((tx) => snat(tx, 'slow'))
    const { db } = world.cx().services
    const range = await db.selectFrom('ip_pool_range').selectAll().executeTakeFirstOrThrow()
    const used = world.run(async (tx) => {
      await forgetListed(tx, range)
      return tx.read
        .selectFrom('external_ip')
        .select('ip')
        .where('time_deleted', 'is', null)
        .executeTakeFirst()
    })
    await slow.commit()
    expect(await used).toEqual({ ip: '10.0.0.1' })
  })

  /** Adds a range, as an operator's change does with the pool locked. */
  const addRange = async (tx: Change, first: string, last: string): Promise<void> => {
    const row = rangeRow(tx.cx.newId(), pool.id, { first, last }, tx.cx.now())
    await tx.lockById('ip_pool', pool.id)
    await forgetAbove(
      tx,
      await tx.plain.insertInto('ip_pool_range').values(row).returningAll().executeTakeFirstOrThrow(),
    )
  }

  /** Until a connection waits for a lock. */
  const untilWaiting = () =>
    expect
      .poll(async () => {
        const { rows } = await sql`SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(world.cx().services.db)
        return rows.length
      })
      .toBeGreaterThan(0)

  test('a creation that waits while a lower range is added takes its ports', async () => {
    await world.run((tx) => snat(tx, 'first'))
    const slow = await pending((tx) => addRange(tx, '10.0.0.0', '10.0.0.0'))
    const late = world.run((tx) => snat(tx, 'late'))
    await untilWaiting()
    await slow.commit()
    expect(await late).toBe('10.0.0.0:0')
    expect(await freeBelow(world.cx().services.db)).toEqual([])
  })

  test.each(['commit', 'undo'] as const)(
    'adding a lower range waits for the %s of a creation',
    async (end) => {
      await world.run((tx) => snat(tx, 'first'))
      const slow = await pending((tx) => snat(tx, 'slow'))
      const added = world.run((tx) => addRange(tx, '10.0.0.0', '10.0.0.0'))
      await untilWaiting()
      await slow[end]()
      await added
      const next = []
      for (let count = 0; count < 5; count++) next.push(await world.run((tx) => snat(tx, `next${count}`)))
      const after = end === 'commit' ? '10.0.0.1:2' : slow.taken
      expect(next).toEqual(['10.0.0.0:0', '10.0.0.0:1', '10.0.0.0:2', '10.0.0.0:3', after])
      expect(await freeBelow(world.cx().services.db)).toEqual([])
    },
    60_000,
  )

  test('ports that are released while a lower range is added come after it', async () => {
    const { id } = await world.addInstance('gone')
    await world.run((tx) => allocateSnat(tx, world.silo.id, id))
    const slow = await pending((tx) => releaseExternalIps(tx, id))
    const added = world.run((tx) => addRange(tx, '10.0.0.0', '10.0.0.0'))
    await untilWaiting()
    await slow.commit()
    await added
    expect(await world.run((tx) => snat(tx, 'next'))).toBe('10.0.0.0:0')
    expect(await freeBelow(world.cx().services.db)).toEqual([])
  })

  test('many creations and deletions at the same time share no ports, until the pool is exhausted', async () => {
    const made = await Promise.all(
      Array.from({ length: 40 }, async (_, count) => {
        const { id } = await world.addInstance(`i${count}`)
        const ip = await world.run((tx) => allocateSnat(tx, world.silo.id, id))
        if (count % 3 > 0) return shown(ip)
        await world.run((tx) => releaseExternalIps(tx, id))
        const again = await world.addInstance(`again${count}`)
        return shown(await world.run((tx) => allocateSnat(tx, world.silo.id, again.id)))
      }),
    )
    expect(new Set(made).size).toBe(40)
    await expect(world.run((tx) => snat(tx, 'more'))).rejects.toThrow('No external IP addresses available')
    expect(await freeBelow(world.cx().services.db)).toEqual([])
  })

  test('whole addresses and ports that are taken at the same time do not overlap, wherever a list ends', async () => {
    // With one instance's ports in use, the first list begins and ends inside an address.
    const seeded = await world.addInstance('seeded')
    await world.run((tx) => addressesOf(tx, pool).give(world.project, [seeded.id], []))
    const { db } = world.cx().services
    const larger = { last_ip: '10.0.0.40', last_int: parseIpv4('10.0.0.40') ?? null }
    await db.updateTable('ip_pool_range').set(larger).execute()
    for (let count = 0; count < 63; count++) await world.run((tx) => snat(tx, `i${count}`))
    const owners = []
    for (let count = 0; count <= 50; count++) owners.push((await world.addInstance(`more${count}`)).id)
    const [first = '', ...rest] = owners
    const slow = await pending((tx) => allocateEphemeral(tx, world.silo.id, first, anyPool))
    const others = Promise.all(
      rest.map((id, count) =>
        world.run((tx) =>
          count % 5 === 0
            ? allocateEphemeral(tx, world.silo.id, id, anyPool)
            : allocateSnat(tx, world.silo.id, id),
        ),
      ),
    )
    await slow.commit()
    await others
    const rows = await db.selectFrom('external_ip').selectAll().where('time_deleted', 'is', null).execute()
    const quarters = rows.flatMap(({ ip, first_port, last_port }) =>
      [0, 1, 2, 3]
        .filter((one) => first_port <= one * 16_384 && one * 16_384 <= last_port)
        .map((one) => `${ip}:${one}`),
    )
    expect(quarters).toHaveLength(1 + 63 + 40 + 11 * 4)
    expect(new Set(quarters).size).toBe(quarters.length)
    expect(await freeBelow(db)).toEqual([])
  })
})
