import { memoryBlocks } from '@gantry/control-plane/blocks/memory'
import {
  type Caller,
  eventually,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { networking } from '@gantry/control-plane/testing/rack-network'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../database/open.ts'
import { temporaryPostgres } from '../testing/temporary-postgres.ts'

const postgres = await temporaryPostgres()
const here = 'missing' in postgres ? undefined : postgres
if ('missing' in postgres) console.warn(`skipped: the operator's area on PostgreSQL, ${postgres.missing}`)

/** The demo world, viewed and changed by operators of two processes on one database. */
describe.skipIf(!here)("the operator's area on PostgreSQL", () => {
  let beds: [TestBed, TestBed]
  let operators: [Caller, Caller]
  beforeAll(async () => {
    if (!here) return
    const url = await here.newDatabase()
    const blocks = memoryBlocks()
    const open = async () =>
      testControlPlane({
        seed: 'demo',
        dialect: (await openDatabase({ url })).dialect,
        environment: { blocks },
      })
    beds = [await open(), await open()]
    operators = [await beds[0].signIn('admin'), await beds[1].signIn('admin')]
  })
  afterAll(async () => {
    if (!here) return
    await Promise.all(beds.map((bed) => bed.stop()))
    await here.stop()
  })

  test('the overview, the rack and the pools are the same in both', async () => {
    for (const path of [
      'overview',
      'issues',
      'capacity',
      'sleds',
      'ip-pools',
      'ip-pools/partners/addresses',
    ]) {
      const [one, two] = await Promise.all(operators.map((who) => who.get(`/ext/v1/system/${path}`)))
      expect([path, one?.status]).toEqual([path, 200])
      expect(two?.body).toEqual(one?.body)
    }
  })

  test('overlapping ranges cannot be added concurrently by two processes', async () => {
    for (const name of ['left', 'right'])
      await operators[0].post('/v1/system/ip-pools', { name, description: '' })
    for (let round = 0; round < 10; round++) {
      const range = { first: `10.${round}.0.1`, last: `10.${round}.0.9` }
      const added = await Promise.all(
        (['left', 'right'] as const).map((name, index) =>
          operators[index ? 1 : 0].post(`/v1/system/ip-pools/${name}/ranges/add`, range),
        ),
      )
      expect(added.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 400])
    }
  })

  test('BGP configurations, loopback addresses and lots cannot be created twice by two processes', async () => {
    const post = (process: 0 | 1, path: string, body: object) =>
      operators[process].post(`${networking}/${path}`, { name: `both-${process}`, description: '', ...body })
    const { items: racks } = (await operators[0].get('/v1/system/hardware/racks')).body
    await operators[0].call('PUT', `${networking}/bgp-announce-set`, {
      name: 'both',
      description: '',
      announcement: [],
    })
    const blocks = [{ first_address: '198.18.0.0', last_address: '198.18.0.255' }]
    for (const process of [0, 1] as const) await post(process, 'address-lot', { kind: 'infra', blocks })
    const at = { rack_id: racks[0].id, switch_location: 'switch0', mask: 32, anycast: false }
    for (let round = 0; round < 10; round++) {
      const twice = (path: string, body: (process: number) => object) =>
        Promise.all(([0, 1] as const).map((process) => post(process, path, body(process))))
      const configs = await twice('bgp', (process) => ({
        name: `both-${process}-${round}`,
        asn: 65_100 + round,
        bgp_announce_set_id: 'both',
      }))
      expect(configs.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409])
      const loopbacks = await twice('loopback-address', (process) => ({
        ...at,
        address_lot: `both-${process}`,
        address: `198.18.0.${round}`,
      }))
      expect(loopbacks.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 400])
      const lots = await twice('address-lot', () => ({ name: `shared-${round}`, kind: 'infra', blocks: [] }))
      expect(lots.map(({ status }) => status)).toEqual([201, 201])
      expect(lots[0]?.body.lot.id).toBe(lots[1]?.body.lot.id)
    }
  })

  test('a drain waits for an instance that is being placed on its sled', async () => {
    const member = await beds[0].signIn('member')
    const project = 'project=playground'
    const body = {
      name: 'placed',
      description: '',
      hostname: 'placed',
      ncpus: 2,
      memory: 2 ** 30,
      start: false,
    }
    expect((await member.post(`/v1/instances?${project}`, body)).status).toBe(201)
    type Use = { sled: { id: string }; instances: { id: string }[] }
    const uses: Use[] = (await operators[0].get('/ext/v1/system/sleds')).body.items
    const [sled, ...others] = uses
      .toSorted((a, b) => a.instances.length - b.instances.length)
      .map((use) => use.sled.id)
    const drains = `/ext/v1/system/sleds/${sled}/drains`
    const reaches = (id: string, isReached: (drain: { state: string; total: number }) => boolean) =>
      eventually(
        async () => {
          for (const bed of beds) bed.pass(2000)
          return (await operators[0].get(`/ext/v1/system/drains/${id}`)).body
        },
        isReached,
        40_000,
      )
    const emptied = await operators[0].post(drains, { mode: 'move' })
    await reaches(emptied.body.id, ({ state }) => state === 'done')
    const setPolicy = async (ids: readonly (string | undefined)[], state: string): Promise<void> => {
      for (const id of ids)
        await operators[0].call('PUT', `/v1/system/hardware/sleds/${id}/provision-policy`, { state })
    }
    await setPolicy(others, 'non_provisionable')
    await setPolicy([sled], 'provisionable')
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const holding = beds[1].db.transaction().execute(async (tx) => {
      await sql`SELECT 1 FROM provisioning FOR UPDATE`.execute(tx)
      await released
    })
    const starting = member.post(`/v1/instances/placed/start?${project}`)
    await eventually(waiting, (count) => count > 0)
    const draining = operators[0].post(drains, { mode: 'move' })
    // Long enough for a drain that sees no instance to end.
    await eventually(waiting, (count) => count > 1, 2000).catch(() => undefined)
    for (const bed of beds) bed.pass(2000)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    release()
    await holding
    expect((await starting).status).toBe(202)
    const { id } = (await draining).body
    expect(await reaches(id, ({ total, state }) => total > 0 || state !== 'running')).toMatchObject({
      state: 'running',
      total: 1,
    })
    await operators[0].post(`/ext/v1/system/drains/${id}/cancel`)
    await member.post(`/v1/instances/placed/stop?${project}`)
    await setPolicy([sled, ...others], 'provisionable')
  })

  test('no address comes from a pool that was unlinked while its lock was waited for', async () => {
    const member = await beds[0].signIn('member')
    const silo = (await member.get('/v1/me')).body.silo_id
    const link = `/v1/system/ip-pools/brief/silos`
    await operators[0].post('/v1/system/ip-pools', { name: 'brief', description: '' })
    await operators[0].post('/v1/system/ip-pools/brief/ranges/add', { first: '10.99.0.1', last: '10.99.0.9' })
    expect((await operators[0].post(link, { silo, is_default: false })).status).toBe(201)
    const allocate = (name: string) =>
      member.post('/v1/floating-ips?project=playground', { name, description: '', pool: 'brief' })
    expect((await allocate('early')).status).toBe(201)
    expect((await member.call('DELETE', '/v1/floating-ips/early?project=playground')).status).toBe(204)
    let allocated: ReturnType<typeof allocate> | undefined
    await beds[1].db.transaction().execute(async (tx) => {
      const pool = sql`(SELECT id FROM ip_pool WHERE name = 'brief')`
      await sql`SELECT 1 FROM ip_pool WHERE name = 'brief' FOR UPDATE`.execute(tx)
      allocated = allocate('late')
      await eventually(waiting, (count) => count > 0)
      await sql`DELETE FROM ip_pool_silo WHERE ip_pool_id = ${pool}`.execute(tx)
    })
    expect((await allocated)?.status).toBe(404)
  })

  test('the gateway of a new VPC leads to no pool that is deleted meanwhile', async () => {
    const siloId = await beds[0].addSilo('brief')
    const owner = await beds[0].addUser('owner', { siloId, roles: [{ at: 'silo', role: 'admin' }] })
    await operators[0].post('/v1/system/ip-pools', { name: 'leaving', description: '' })
    const link = { silo: siloId, is_default: true }
    expect((await operators[0].post('/v1/system/ip-pools/leaving/silos', link)).status).toBe(201)
    let created: ReturnType<Caller['post']> | undefined
    await beds[1].db.transaction().execute(async (tx) => {
      await sql`SELECT 1 FROM ip_pool WHERE name = 'leaving' FOR UPDATE`.execute(tx)
      created = owner.post('/v1/projects', { name: 'late', description: '' })
      await eventually(waiting, (count) => count > 0)
      await sql`DELETE FROM ip_pool_silo WHERE silo_id = ${siloId}`.execute(tx)
      await sql`UPDATE ip_pool SET time_deleted = now() WHERE name = 'leaving'`.execute(tx)
    })
    expect((await created)?.status).toBe(201)
    const attached = '/v1/internet-gateway-ip-pools?project=late&vpc=default&gateway=default'
    expect((await owner.get(attached)).body.items).toEqual([])
  })

  /** How many statements wait for a lock. */
  async function waiting(): Promise<number> {
    const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(beds[1].db)
    return rows[0]?.count ?? 0
  }

  test('a busy sled is drained once despite concurrent requests, and its instances keep running', async () => {
    type Use = { sled: { id: string }; instances: { id: string }[] }
    const uses = async (): Promise<Use[]> => (await operators[0].get('/ext/v1/system/sleds')).body.items
    const [busiest] = (await uses()).toSorted((a, b) => b.instances.length - a.instances.length)
    const at = `/ext/v1/system/sleds/${busiest?.sled.id}/drains`
    const begun = await Promise.all(operators.map((who) => who.post(at, { mode: 'move' })))
    expect(begun.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409])
    const id = begun.find(({ status }) => status === 201)?.body.id
    const done = await eventually(
      async () => {
        for (const bed of beds) bed.pass(2000)
        return (await operators[1].get(`/ext/v1/system/drains/${id}`)).body
      },
      ({ state }) => state === 'done',
      40_000,
    )
    expect(done).toMatchObject({ finished: done.total, total: busiest?.instances.length })
    const now = await uses()
    expect(now.find(({ sled }) => sled.id === busiest?.sled.id)?.instances).toEqual([])
    const elsewhere = new Set(now.flatMap(({ instances }) => instances.map((one) => one.id)))
    expect(busiest?.instances.every((one) => elsewhere.has(one.id))).toBe(true)
  })
})
