import { testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { freeBelow } from '@gantry/control-plane/testing/free-below'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../database/open.ts'
import { temporaryPostgres } from '../testing/temporary-postgres.ts'

const postgres = await temporaryPostgres()
const here = 'missing' in postgres ? undefined : postgres
if ('missing' in postgres) console.warn(`skipped: probes on PostgreSQL, ${postgres.missing}`)

const probes = '/experimental/v1/probes?project=atlas'

/** Two processes on one database choose addresses for probes and instances at the same time. */
describe.skipIf(!here)('probes on PostgreSQL', () => {
  let beds: [TestBed, TestBed]
  beforeAll(async () => {
    if (!here) return
    const url = await here.newDatabase()
    const open = async () => testControlPlane({ dialect: (await openDatabase({ url })).dialect })
    beds = [await open(), await open()]
  })
  afterAll(async () => {
    if (!here) return
    for (const bed of beds) await bed.stop()
    await here.stop()
  })

  test('probes and instances created at the same time share no address', async () => {
    const first = await beds[0].signIn('admin')
    const operators = [first, await beds[1].signIn('admin')]
    await first.post('/v1/projects', { name: 'atlas', description: '' })
    const { db } = beds[0]
    const sled = await db
      .selectFrom('sled')
      .select('id')
      .where('policy', '=', 'in_service')
      .executeTakeFirstOrThrow()
    const machine = { ncpus: 1, memory: 2 ** 30, start: false, external_ips: [{ type: 'ephemeral' }] }
    const made = await Promise.all(
      operators.flatMap((who, process) =>
        Array.from({ length: 4 }, (_, n) => {
          const about = { name: `both-${process}-${n}`, description: '' }
          return [
            who.post(probes, { ...about, sled: sled.id }),
            who.post('/v1/instances?project=atlas', { ...about, ...machine, hostname: about.name }),
          ]
        }).flat(),
      ),
    )
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
    const inside = await db
      .selectFrom('network_interface')
      .innerJoin('vpc', 'vpc.id', 'network_interface.vpc_id')
      .innerJoin('project', 'project.id', 'vpc.project_id')
      .select(['network_interface.ip', 'mac_int'])
      .where('project.name', '=', 'atlas')
      .where('network_interface.time_deleted', 'is', null)
      .execute()
    const outside = await db
      .selectFrom('external_ip')
      .select(['ip', 'ip_pool_id'])
      .where('kind', '=', 'ephemeral')
      .where('time_deleted', 'is', null)
      .execute()
    const addresses = outside.map(({ ip, ip_pool_id }) => `${ip_pool_id} ${ip}`)
    expect(new Set(inside.map(({ ip }) => ip)).size).toBe(16)
    expect(new Set(inside.map(({ mac_int }) => mac_int)).size).toBe(16)
    expect(addresses.length).toBeGreaterThanOrEqual(16)
    expect(new Set(addresses).size).toBe(addresses.length)

    const { items } = (await first.get(probes)).body as { items: { name: string }[] }
    expect(items).toHaveLength(8)
    const gone = await Promise.all(
      operators.flatMap((who, process) =>
        items
          .filter((_, n) => n % 2 === process)
          .map(({ name }) => who.call('DELETE', `/experimental/v1/probes/${name}?project=atlas`)),
      ),
    )
    expect(gone.map(({ status }) => status)).toEqual(items.map(() => 204))
    expect(await db.selectFrom('simulated_probe').select('id').execute()).toEqual([])
    expect(await freeBelow(db)).toEqual([])
  })
})
