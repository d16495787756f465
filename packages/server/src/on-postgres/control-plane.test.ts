import { memoryBlocks } from '@gantry/control-plane/blocks/memory'
import { appliedMigrations, knownMigrations, migrate } from '@gantry/control-plane/db/migrate'
import type { Tables } from '@gantry/control-plane/db/tables'
import {
  type Caller,
  eventually,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { defaultSettings } from '@gantry/control-plane/settings'
import { freeBelow } from '@gantry/control-plane/testing/free-below'
import { Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../database/open.ts'
import { temporaryPostgres } from '../testing/temporary-postgres.ts'

const GiB = 1024 ** 3
const postgres = await temporaryPostgres()
const here = 'missing' in postgres ? undefined : postgres
if ('missing' in postgres) console.warn(`skipped: the control plane on PostgreSQL, ${postgres.missing}`)

/** What only several connections can show: two control planes, like two processes, on one database. */
describe.skipIf(!here)('two control planes on one PostgreSQL', () => {
  let beds: [TestBed, TestBed]
  let people: [Caller, Caller]
  beforeAll(async () => {
    if (!here) return
    const url = await here.newDatabase()
    const blocks = memoryBlocks()
    const open = async () =>
      testControlPlane({ dialect: (await openDatabase({ url })).dialect, environment: { blocks } })
    beds = await Promise.all([open(), open()])
    people = [await beds[0].signIn('member'), await beds[1].signIn('member')]
  })
  afterAll(async () => {
    if (!here) return
    await Promise.all(beds.map((bed) => bed.stop()))
    await here.stop()
  })

  const at = (path: string, project = 'playground') => `/v1/${path}?project=${project}`
  const blank = { type: 'blank', block_size: 512 }
  const newDisk = (name: string) => ({ name, description: '', size: GiB, disk_source: blank })
  const machine = (name: string, more: object = {}) => ({
    name,
    description: '',
    ncpus: 1,
    memory: GiB,
    hostname: name,
    start: false,
    ...more,
  })
  const one = (index: number): Caller => people[index % 2 ? 1 : 0]
  const many = <Result>(count: number, run: (who: Caller, index: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, index) => run(one(index), index)))
  const used = async () => (await people[0].get('/v1/utilization')).body.provisioned
  const rows = async <Row>(query: ReturnType<typeof sql<Row>>) => (await query.execute(beds[0].db)).rows

  test('start together and seed once', async () => {
    expect(await rows(sql`SELECT name FROM silo`)).toEqual([{ name: 'demo' }])
    expect((await people[1].get('/v1/projects')).body.items).toHaveLength(1)
  })

  test('concurrent migrations of an empty database all succeed', async () => {
    if (!here) return
    for (let round = 0; round < 10; round++) {
      const url = await here.newDatabase()
      const opened = await Promise.all(Array.from({ length: 6 }, () => openDatabase({ url })))
      const databases = opened.map(({ dialect }) => new Kysely<Tables>({ dialect }))
      // So that all of them begin at the same moment.
      await Promise.all(databases.map((db) => sql`SELECT 1`.execute(db)))
      await Promise.all(databases.map((db) => migrate(db)))
      expect(await Promise.all(databases.map(appliedMigrations))).toEqual(
        databases.map(() => knownMigrations),
      )
      await Promise.all(opened.map(({ close }) => close()))
    }
  })

  test('a one-time password is replaced once, through either process', async () => {
    const operators = await Promise.all(beds.map((bed) => bed.signIn('admin')))
    const people = '/ext/v1/system/silos/demo/people'
    const invited = await Promise.all(
      operators.map((who) => who.post(people, { external_id: 'invited-twice' })),
    )
    expect(invited.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 400])
    const { user, password } = invited.find(({ status }) => status === 201)?.body ?? {}
    const login = '/v1/login/demo/local'
    const waits = await beds[0].anonymous.post(login, { username: 'invited-twice', password })
    expect(waits.body.details).toEqual({ new_password: true })
    const cookie = waits.headers.get('set-cookie')?.split(';')[0] ?? ''
    const answers = await Promise.all(
      ['first grey pebble', 'second grey pebble'].map((fresh, index) =>
        beds[index % 2 ? 1 : 0].anonymous.call(
          'POST',
          '/ext/v1/login/demo/new-password',
          { password: fresh },
          { cookie },
        ),
      ),
    )
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([204, 401])
    const { items } = (await (await beds[1].signIn('admin')).get(`${people}?name=invited`)).body
    expect(items).toMatchObject([{ id: user.id, password: 'set', session_count: 1 }])
  })

  test('restoring, purging and creating at once, through both processes, lose and repeat nothing', async () => {
    const detached = (id: string) =>
      eventually(
        async () => (await people[0].get(`/v1/disks/${id}`)).body,
        (disk) => disk.state?.state === 'detached',
      )
    const silo = (await people[0].get('/v1/me')).body.silo_id
    const held = async () =>
      (await rows<{ recycled: number }>(sql`SELECT recycled FROM provisioning WHERE id = ${silo}`))[0]
        ?.recycled
    for (let round = 0; round < 5; round++) {
      const ids: string[] = await Promise.all(
        [0, 1, 2].map(async (n) => {
          const { body } = await people[0].post(at('disks'), newDisk(`binned-${round}-${n}`))
          await detached(body.id)
          await people[0].call('DELETE', `/v1/disks/${body.id}`)
          return body.id
        }),
      )
      const { items } = (await people[0].get('/ext/v1/recycle-bin?project=playground')).body
      const before = await used()
      // No room but for what is in the bin, so that a creation needs what is being restored.
      await beds[0].db
        .updateTable('silo_quotas')
        .set({ storage: before.storage + 3 * GiB })
        .where('silo_id', '=', silo)
        .execute()
      const answers = await Promise.all([
        ...items.flatMap(({ id }: { id: string }, n: number) => [
          one(n).post(`/ext/v1/recycle-bin/${id}/restore`, {}),
          one(n + 1).post(`/ext/v1/recycle-bin/${id}/restore`, {}),
        ]),
        people[1].call('DELETE', `/ext/v1/recycle-bin/${items[0].id}`),
        people[0].post(at('disks'), newDisk(`made-${round}`)),
      ])
      expect(answers.map(({ status }) => status).filter((status) => status >= 500 && status !== 507)).toEqual(
        [],
      )
      const live = await Promise.all(ids.map(async (id) => (await people[1].get(`/v1/disks/${id}`)).status))
      const left = await rows<{ id: string; storage: number }>(
        sql`SELECT object_id AS id, storage FROM recycled WHERE object_id IN (${sql.join(ids)})`,
      )
      // Each disk is back, or in the bin, or gone; never two of these.
      expect(left.filter((row) => live[ids.indexOf(row.id)] === 200)).toEqual([])
      expect(await held()).toBe(left.reduce((sum, { storage }) => sum + storage, 0))
      expect((await used()).storage).toBeLessThanOrEqual(before.storage + 3 * GiB)
      for (const [n, id] of ids.entries())
        if (live[n] === 200) await people[0].call('DELETE', `/ext/v1/objects/${id}?kind=disk&for_good=true`)
      const made = await people[0].get(at(`disks/made-${round}`))
      if (made.status === 200) {
        await detached(made.body.id)
        await people[0].call('DELETE', `/ext/v1/objects/${made.body.id}?kind=disk&for_good=true`)
      }
      await people[0].call('DELETE', '/ext/v1/recycle-bin?project=playground')
      await eventually(held, (bytes) => bytes === 0)
      await beds[0].db
        .updateTable('silo_quotas')
        .set({ storage: 20 * 1024 * GiB })
        .where('silo_id', '=', silo)
        .execute()
    }
  })

  test('a protection and a deletion at once, through both processes, leave a protected object or none', async () => {
    for (let round = 0; round < 12; round++) {
      const { id } = (await people[0].post(at('disks'), newDisk(`contested-${round}`))).body
      const protection = { no_delete: true, no_stop: false, reason: 'holds the payroll' }
      const [set, gone] = await Promise.all([
        one(round).call('PUT', `/ext/v1/protections/${id}?kind=disk`, protection),
        one(round + 1).call('DELETE', `/v1/disks/${id}`),
      ])
      const { status } = await people[0].get(`/v1/disks/${id}`)
      expect([set.status, gone.status, status]).toEqual(
        set.status === 200 ? [200, 400, 200] : [404, 204, 404],
      )
      if (set.status !== 200) continue
      await people[1].call('DELETE', `/ext/v1/protections/${id}?kind=disk`)
      await people[0].call('DELETE', `/v1/disks/${id}`)
    }
  })

  test('operator views of silos and of the fleet match the embedded database', async () => {
    const operator = await beds[0].signIn('admin')
    const { items: projects } = (await operator.get('/ext/v1/system/silos/demo/projects')).body
    expect(projects).toMatchObject([{ name: 'playground', provisioned: expect.any(Object) }])
    const { items: users } = (await operator.get('/ext/v1/fleet-users')).body
    expect(users).toMatchObject([{ display_name: 'admin', fleet: { role_name: 'admin' } }])
    const { assignments, mappings } = (await operator.get('/ext/v1/fleet-access')).body
    expect([assignments, mappings]).toMatchObject([[{ display_name: 'admin' }], []])
    const refused = await operator.call('DELETE', '/v1/system/silos/demo')
    expect(refused.body.details.blockers).toMatchObject([{ kind: 'project', names: ['playground'] }])
  })

  test('a change that commits late is published late, never skipped', async () => {
    const [bed] = beds
    const admin = await bed.signIn('admin')
    const streams = await Promise.all(beds.map((bed) => bed.follow(admin)))
    const received = (what: string) =>
      eventually(
        async () => streams.map((stream) => stream.received()),
        (all) => all.every((lines) => lines.includes(what)),
      )
    await eventually(
      async () => streams,
      (all) => all.every((stream) => stream.events.length > 0),
    )
    const before = (id: string, name: string) => ({
      id,
      transaction_id: id,
      position: 0,
      time: new Date(Date.now() - 60_000),
      silo_id: null,
      project_id: null,
      kind: 'sled',
      op: 'update' as const,
      object_id: id,
      name,
      generation: 2,
      actor: '{"kind":"system"}',
      operation: 'test',
      seq: null,
      before: null,
      after: null,
      request_id: null,
    })
    await bed.db.transaction().execute(async (slow) => {
      await slow.insertInto('change').values(before(crypto.randomUUID(), 'slow')).execute()
      await admin.post('/v1/projects', { name: 'quick', description: '' })
      await received('create project quick')
      expect(streams.map((stream) => stream.received().includes('update sled slow'))).toEqual([false, false])
    })
    // The publisher polls for what no wake-up announced.
    await received('update sled slow')
    for (const stream of streams) {
      const ids = stream.events.filter(({ event }) => event === 'change').map(({ id }) => id)
      expect(ids).toEqual([...ids].sort((a, b) => a - b))
      expect(stream.received().at(-1)).toBe('update sled slow')
      stream.close()
    }
  })

  test('a role revoked in one process is gone in the other with the next request', async () => {
    const [{ id }] = (await rows<{ id: string }>(sql`SELECT id FROM project WHERE name = 'playground'`)) as [
      { id: string },
    ]
    const person = await beds[0].addUser('roleless')
    const elsewhere = beds.map(
      (bed) => (path: string) =>
        bed.plane.fetch(new Request(`http://localhost${path}`, { headers: { cookie: person.cookie } }), {
          address: '127.0.0.1',
        }),
    )
    const seen = () => Promise.all(elsewhere.map(async (get) => (await get(`/v1/projects/${id}`)).status))
    const policy = '/v1/projects/playground/policy'
    const { role_assignments } = (await people[0].get(policy)).body
    const role = { identity_type: 'silo_user', identity_id: person.id, role_name: 'viewer' }
    for (let round = 0; round < 10; round++) {
      const put = (roles: unknown[]) => one(round).call('PUT', policy, { role_assignments: roles })
      await put([...role_assignments, role])
      expect(await seen()).toEqual([200, 200])
      await put(role_assignments)
      expect(await seen()).toEqual([404, 404])
    }
  })

  test('nothing is free below the search starts, despite concurrent creations and deletions', async () => {
    await people[0].post('/v1/projects', { name: 'searched', description: '' })
    const create = (name: string) => (who: Caller) => who.post(at('instances', 'searched'), machine(name))
    const created = await many(90, (who, index) => create(`search-${index}`)(who))
    expect(created.map(({ status }) => status).filter((status) => status !== 201)).toEqual([])
    const bed = beds[0]
    expect(await freeBelow(bed.db)).toEqual([])
    const [vpc] = await rows<{ n: number }>(sql`SELECT max(free_macs_from) AS n FROM vpc`)
    expect(vpc?.n).toBeGreaterThan(0)

    const both = await many(80, (who, index) =>
      index % 4 < 2
        ? who.call('DELETE', at(`instances/search-${index}`, 'searched'))
        : create(`more-${index}`)(who),
    )
    expect(both.map(({ status }) => status).filter((status) => status >= 300)).toEqual([])
    expect(await freeBelow(bed.db)).toEqual([])
    await many(40, (who, index) => create(`last-${index}`)(who))
    expect(await freeBelow(bed.db)).toEqual([])
  })

  test('a stream-only process reports the changes of the others', async () => {
    if (!here) return
    const url = await here.newDatabase()
    const blocks = memoryBlocks()
    const open = async (more: object) =>
      testControlPlane({ dialect: (await openDatabase({ url })).dialect, environment: { blocks }, ...more })
    const [main, streams] = [await open({}), await open({ streamsOnly: true })]
    const admin = await main.signIn('admin')
    const stream = await streams.follow(admin, { query: 'topic=silo' })
    await eventually(async () => stream.events.length, Boolean)
    await admin.post('/v1/projects', { name: 'told-elsewhere', description: '' })
    await eventually(
      async () => stream.received(),
      (received) => received.includes('create project told-elsewhere'),
    )
    expect((await admin.post('/v1/logout')).status).toBe(204)
    await eventually(async () => stream.ended(), Boolean)
    await Promise.all([main.stop(), streams.stop()])
  })

  test('numbers are assigned once and without a gap, whichever process publishes', async () => {
    await many(40, (who, index) =>
      who.post('/v1/me/ssh-keys', { name: `key-${index}`, description: '', public_key: 'k' }),
    )
    await eventually(
      () => rows<{ n: number }>(sql`SELECT count(*) AS n FROM change WHERE seq IS NULL`),
      ([row]) => row?.n === 0,
    )
    expect(
      await rows(
        sql`SELECT max(seq) - min(seq) + 1 - count(*) AS gap, count(*) - count(DISTINCT seq) AS twice FROM change`,
      ),
    ).toEqual([{ gap: 0, twice: 0 }])
  })

  test('addresses are allocated once, subnets never overlap, and a list of rules has one editor at a time', async () => {
    await people[0].post('/v1/projects', { name: 'net', description: '' })
    const here = (path: string) => at(path, 'net')
    const inVpc = (path: string) => `${here(path)}&vpc=default`
    const floating = await many(100, (who, index) =>
      who.post(here('floating-ips'), { name: `fip-${index}`, description: '' }),
    )
    expect(new Set(floating.map(({ body }) => body.ip)).size).toBe(100)
    const instances = await many(20, (who, index) => who.post(here('instances'), machine(`net-${index}`)))
    const id = instances[0]?.body.id
    const bound = await many(20, (who, index) =>
      who.post(here(`floating-ips/fip-${index}/attach`), { kind: 'instance', parent: id }),
    )
    expect(new Set(bound.map(({ status }) => status))).toEqual(new Set([202]))
    const moved = await many(40, (who, index) =>
      index % 4 < 2
        ? who.post(here(`floating-ips/fip-${index % 20}/detach`))
        : who.post(here(`instances/net-0/external-ips/ephemeral`), {}),
    )
    expect(new Set(moved.map(({ status }) => status))).toEqual(new Set([202]))
    expect(
      await rows(sql`SELECT ip_int, first_port FROM external_ip WHERE time_deleted IS NULL
        GROUP BY ip_pool_id, ip_int, first_port HAVING count(*) > 1`),
    ).toEqual([])

    const subnets = await many(20, (who, index) =>
      who.post(inVpc('vpc-subnets'), {
        name: `subnet-${index}`,
        description: '',
        ipv4_block: `10.0.${index % 5}.0/24`,
      }),
    )
    expect(subnets.filter(({ status }) => status === 201)).toHaveLength(5)
    const nic = { description: '', vpc_name: 'default' }
    const subnet = subnets.find(({ status }) => status === 201)?.body.name
    const added = await many(20, (who, index) =>
      who.post(`${here('network-interfaces')}&instance=net-${index}`, {
        ...nic,
        name: 'more',
        subnet_name: subnet,
      }),
    )
    expect(new Set(added.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(added.map(({ body }) => body.ip)).size).toBe(20)
    expect(new Set(added.map(({ body }) => body.mac)).size).toBe(20)

    const etag = (await people[0].get(inVpc('vpc-firewall-rules'))).headers.get('etag') ?? ''
    const edits = await many(10, (who) =>
      who.call('PUT', inVpc('vpc-firewall-rules'), { rules: [] }, { 'if-match': etag }),
    )
    expect(edits.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(edits.filter(({ status }) => status === 412)).toHaveLength(9)
  })

  test('of fifty creates of the same instance, one wins', async () => {
    const before = await used()
    const answers = await many(50, (who) =>
      who.post(
        at('instances'),
        machine('contested', { start: true, boot_disk: { type: 'create', ...newDisk('contested') } }),
      ),
    )
    expect(answers.map((answer) => String(answer.status)).sort()).toEqual([
      '201',
      ...Array.from({ length: 49 }, () => '400'),
    ])
    expect(await used()).toEqual({
      cpus: before.cpus + 1,
      memory: before.memory + GiB,
      storage: before.storage + GiB,
    })
  })

  test('forty concurrent creates of different instances succeed, each with its own addresses', async () => {
    const answers = await many(40, (who, index) =>
      who.post(
        at('instances'),
        machine(`crowd-${index}`, { start: true, external_ips: [{ type: 'ephemeral' }] }),
      ),
    )
    expect(
      answers.map((answer) => `${answer.status} ${answer.body.message ?? answer.body.run_state}`),
    ).toEqual(Array.from({ length: 40 }, () => '201 starting'))
    const twice =
      await rows(sql`SELECT ip FROM external_ip WHERE time_deleted IS NULL GROUP BY ip, first_port HAVING count(*) > 1
      UNION ALL SELECT ip FROM network_interface WHERE time_deleted IS NULL GROUP BY subnet_id, ip HAVING count(*) > 1`)
    expect(twice).toEqual([])
    const balance = await rows(sql`SELECT u.sled_id FROM sled_usage u LEFT JOIN (
        SELECT sled_id, sum(ncpus) AS threads, sum(memory) AS memory FROM vmm WHERE time_gone IS NULL GROUP BY sled_id) v
      ON v.sled_id = u.sled_id WHERE u.threads <> coalesce(v.threads, 0) OR u.memory <> coalesce(v.memory, 0)`)
    expect(balance).toEqual([])
    await eventually(
      () => people[0].get('/v1/instances?project=playground&limit=1000'),
      (answer) => answer.body.items.every((item: { run_state: string }) => item.run_state === 'running'),
      15_000,
    )
  })

  test('a quota is never exceeded', async () => {
    const { storage } = await used()
    const set = (storage: number) => beds[0].db.updateTable('silo_quotas').set({ storage }).execute()
    await set(storage + 5 * GiB)
    const answers = await many(20, (who, index) => who.post(at('disks'), newDisk(`filling-${index}`)))
    expect(answers.map((answer) => String(answer.status)).sort()).toEqual([
      ...Array.from({ length: 5 }, () => '201'),
      ...Array.from({ length: 15 }, () => '507'),
    ])
    expect((await used()).storage).toBe(storage + 5 * GiB)
    await set(1e14)
  })

  test('creations in several projects share one quota and one pool, and nothing is given out twice', async () => {
    const projects = ['shared-a', 'shared-b', 'shared-c']
    for (const name of projects) await people[0].post('/v1/projects', { name, description: '' })
    const { storage } = await used()
    const set = (storage: number) => beds[0].db.updateTable('silo_quotas').set({ storage }).execute()
    await set(storage + 12 * GiB)
    const create = (who: Caller, index: number) =>
      who.post(
        at('instances', projects[index % projects.length]),
        machine(`shared-${index}`, {
          external_ips: [{ type: 'ephemeral' }],
          disks: [{ type: 'create', ...newDisk(`shared-${index}`) }],
        }),
      )
    const answers = await many(30, create)
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      ...Array.from({ length: 12 }, () => 201),
      ...Array.from({ length: 18 }, () => 507),
    ])
    expect((await used()).storage).toBe(storage + 12 * GiB)
    const twice = await rows(sql`SELECT ip FROM external_ip a WHERE time_deleted IS NULL AND EXISTS (
      SELECT FROM external_ip b WHERE b.id <> a.id AND b.ip_pool_id = a.ip_pool_id AND b.ip = a.ip
        AND b.time_deleted IS NULL AND b.first_port <= a.last_port AND a.first_port <= b.last_port)`)
    expect(twice).toEqual([])
    expect(await freeBelow(beds[0].db)).toEqual([])
    const astray = await rows(sql`SELECT p.name FROM project p JOIN provisioning u ON u.id = p.id
      WHERE p.name LIKE 'shared-%' AND u.storage <> (SELECT coalesce(sum(size), 0) FROM disk d
        WHERE d.project_id = p.id AND d.time_deleted IS NULL)`)
    expect(astray).toEqual([])
    await set(1e14)
  })

  test('a disk is attached to one of two instances', async () => {
    for (let round = 0; round < 5; round++) {
      await people[0].post(at('disks'), newDisk(`wanted-${round}`))
      await many(2, (who, index) => who.post(at('instances'), machine(`side-${round}-${index}`)))
      const answers = await many(2, (who, index) =>
        who.post(at(`instances/side-${round}-${index}/disks/attach`), { disk: `wanted-${round}` }),
      )
      expect(answers.map((answer) => String(answer.status)).sort()).toEqual(['202', '400'])
    }
  })

  test('a project is deleted, or keeps what was created in it', async () => {
    for (let round = 0; round < 10; round++) {
      const project = `doomed-${round}`
      await people[0].post('/v1/projects', { name: project, description: '' })
      await people[0].call('DELETE', `/v1/vpc-subnets/default?project=${project}&vpc=default`)
      await people[0].call('DELETE', `/v1/vpcs/default?project=${project}`)
      const [removed, made] = await Promise.all([
        people[0].call('DELETE', `/v1/projects/${project}`),
        people[1].post(at('disks', project), newDisk('late')),
      ])
      expect([removed.status, made.status]).toEqual(removed.status === 204 ? [204, 404] : [400, 201])
    }
  })

  test('a silo is deleted, or gets the project created in it', async () => {
    const [here, there] = beds
    const operators = await Promise.all(beds.map((bed) => bed.signIn('admin')))
    for (let round = 0; round < 10; round++) {
      const siloId = await here.addSilo(`fought-${round}`)
      const boss = await there.addUser('boss', { siloId, roles: [{ at: 'silo', role: 'admin' }] })
      const [made, gone] = await Promise.all([
        boss.post('/v1/projects', { name: 'late', description: '' }),
        operators[round % 2]?.call('DELETE', `/v1/system/silos/fought-${round}`),
      ])
      expect([201, 401, 404]).toContain(made.status)
      expect(gone?.status).toBe(made.status === 201 ? 400 : 204)
    }
  })

  test('of two concurrent replacements of a policy, one gets a conflict', async () => {
    const operators = await Promise.all(beds.map((bed) => bed.signIn('admin')))
    const path = '/v1/projects/playground/policy'
    for (let round = 0; round < 10; round++) {
      const { body, headers } = await people[0].get(path)
      const both = await Promise.all(
        operators.map((who) => who.call('PUT', path, body, { 'if-match': headers.get('etag') ?? '' })),
      )
      expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 412]))
    }
  })

  test('effective roles and their sources are the same in both', async () => {
    const operators = await Promise.all(beds.map((bed) => bed.signIn('admin')))
    const answers = await Promise.all(
      operators.map((who) => who.get('/ext/v1/users?silo=demo&project=playground&limit=6&name=a')),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]?.body).toEqual(answers[1]?.body)
    expect(answers[0]?.body.items).toMatchObject([
      {
        display_name: 'admin',
        groups: [],
        roles: { fleet: { role_name: 'admin' }, silo: { role_name: 'admin' } },
      },
      { display_name: 'omar', groups: [{ display_name: 'auditors' }, { display_name: 'engineers' }] },
      { display_name: 'petra', groups: [{ display_name: 'auditors' }] },
    ])
    const groups = (await operators[0]?.get('/ext/v1/groups'))?.body.items
    expect(groups).toMatchObject([{ member_count: 2 }, { member_count: 2 }])
  })

  test('of many updates from the same state, one wins', async () => {
    const etag = (await people[0].get('/v1/projects/playground')).headers.get('etag') ?? ''
    const answers = await many(10, (who, index) =>
      who.call('PUT', '/v1/projects/playground', { description: `by ${index}` }, { 'if-match': etag }),
    )
    expect(answers.map((answer) => String(answer.status)).sort()).toEqual([
      '200',
      ...Array.from({ length: 9 }, () => '412'),
    ])
  })

  test('unused bytes are removed, and jobs run once', async () => {
    const disk = await people[0].post(at('disks'), newDisk('passing'))
    expect(disk.status).toBe(201)
    const snapshot = await people[1].post(at('snapshots'), {
      name: 'passing',
      description: '',
      disk: 'passing',
    })
    expect(snapshot.body.state).toBe('ready')
    const gone = (kind: string, id: string) => `/ext/v1/objects/${id}?kind=${kind}&for_good=true`
    expect((await people[1].call('DELETE', gone('disk', disk.body.id))).status).toBe(204)
    expect((await people[0].call('DELETE', gone('snapshot', snapshot.body.id))).status).toBe(204)
    await eventually(
      () => rows(sql`SELECT kind, attempts FROM job WHERE state = 'pending'`),
      (jobs) => jobs.length === 0,
    )
    expect(
      await rows(sql`SELECT kind, attempts, failure FROM job WHERE state = 'failed' OR attempts > 1`),
    ).toEqual([])
    for (const { body } of [disk, snapshot]) {
      const table = body === disk.body ? 'disk' : 'snapshot'
      const row = await beds[0].db
        .selectFrom(table)
        .select('content_id')
        .where('id', '=', body.id)
        .executeTakeFirstOrThrow()
      expect(await beds[0].blocks.size(row.content_id)).toBe(undefined)
    }
  })

  test('group members started concurrently by both processes are separated', async () => {
    const group = { name: 'apart', description: '', policy: 'fail', failure_domain: 'sled' }
    expect((await people[0].post(at('anti-affinity-groups'), group)).status).toBe(201)
    const made = await many(8, (who, index) =>
      who.post(at('instances'), machine(`apart-${index}`, { anti_affinity_groups: ['apart'] })),
    )
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
    const started = await many(8, (who, index) => who.post(at(`instances/apart-${index}/start`)))
    expect(started.map(({ status }) => status)).toEqual(started.map(() => 202))
    expect(
      await rows(sql`SELECT count(*) AS machines, count(DISTINCT v.sled_id) AS sleds FROM vmm v
        JOIN instance i ON i.vmm_id = v.id WHERE i.name LIKE 'apart-%'`),
    ).toEqual([{ machines: 8, sleds: 8 }])
  })

  test('of many who want the last places of a group, only as many get one', async () => {
    const group = { name: 'nearly-full', description: '', policy: 'allow', failure_domain: 'sled' }
    const { id } = (await people[0].post(at('affinity-groups'), group)).body
    await sql`INSERT INTO affinity_member (group_id, instance_id)
      SELECT ${id}::uuid, gen_random_uuid() FROM generate_series(1, 29)`.execute(beds[0].db)
    await many(8, (who, index) => who.post(at('instances'), machine(`rival-${index}`)))
    const answers = await many(8, (who, index) =>
      who.post(at(`affinity-groups/nearly-full/members/instance/rival-${index}`)),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(await rows(sql`SELECT count(*) AS n FROM affinity_member WHERE group_id = ${id}`)).toEqual([
      { n: 32 },
    ])
  })

  test('a bulk action that both claim runs once', async () => {
    const instances = Array.from({ length: 40 }, (_, index) => `bulk-${index}`)
    await many(40, (who, index) => who.post(at('instances'), machine(`bulk-${index}`)))
    const asked = await people[0].post('/ext/v1/instance-actions?project=playground', {
      action: 'delete',
      instances,
    })
    for (let round = 0; round < 5; round++) {
      await sql`UPDATE job SET lease_until = NULL, run_at = to_timestamp(0)
        WHERE kind = 'instance-action' AND state = 'pending'`.execute(beds[0].db)
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    const { body } = await eventually(
      () => people[0].get(`/ext/v1/instance-actions/${asked.body.id}`),
      (answer) => answer.body.state === 'done',
      20_000,
    )
    expect(body.items.filter((item: { state: string }) => item.state !== 'done')).toEqual([])
    expect(
      await rows(sql`SELECT count(*) AS n FROM audit WHERE operation_id = 'instance_delete'
        AND request_id LIKE ${`${asked.headers.get('x-request-id')}/%`}`),
    ).toEqual([{ n: 40 }])
  })

  test('sorted lists are paged as in the embedded database', async () => {
    // One whose state changes meanwhile may be on no page of a list by state.
    await eventually(
      () => people[0].get('/ext/v1/instances?project=playground&state=starting,stopping,rebooting&limit=1'),
      ({ body }) => body.items.length === 0,
    )
    for (const sort of ['time_created_descending', 'state_ascending', 'name_descending']) {
      const query = `sort_by=${sort}&name=A&state=stopped,starting,running&created_after=2020-01-01T00:00:00Z`
      const list = `/ext/v1/instances?project=playground&${query}`
      const whole = (await people[0].get(`${list}&limit=1000`)).body.items
      expect(whole.length).toBeGreaterThan(10)
      const seen: unknown[] = []
      let { body } = await people[1].get(`${list}&limit=5`)
      while (body.items.length > 0) {
        seen.push(...body.items)
        ;({ body } = await people[1].get(`/ext/v1/instances?limit=5&page_token=${body.next_page}`))
      }
      expect(seen.map((item) => (item as { id: string }).id)).toEqual(
        whole.map((item: { id: string }) => item.id),
      )
    }
  })

  test('failed attempts are counted together, and successful ones are not counted', async () => {
    const guess = (_: Caller, index: number, username = 'viewer', password = 'wrong') =>
      (index % 2 ? beds[1] : beds[0]).anonymous.post('/v1/login/demo/local', { username, password })
    const answers = await many(40, guess)
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    expect([count(401), count(429)]).toEqual([10, 30])
    for (let n = 0; n < 12; n++) {
      const good = await many(5, (who, index) => guess(who, index, 'member', 'correct horse'))
      expect(good.map((answer) => answer.status)).toEqual(Array(5).fill(204))
    }
  })

  test('of two users who approve one device, one succeeds, and either process accepts its token', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const client_id = crypto.randomUUID()
    const post = (index: 0 | 1, path: string, body: Record<string, string>) =>
      beds[index].anonymous.call('POST', path, new URLSearchParams(body).toString(), form)
    const { device_code, user_code } = (await post(0, '/device/auth', { client_id })).body
    const answers = await many(6, (who) => who.post('/device/confirm', { user_code }))
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([
      204, 404, 404, 404, 404, 404,
    ])
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    const { access_token } = (await post(1, '/device/token', { grant_type, device_code, client_id })).body
    for (const bed of beds) {
      const authorization = `Bearer ${access_token}`
      expect((await bed.anonymous.call('GET', '/v1/me', undefined, { authorization })).status).toBe(200)
    }
  })

  test('a sign-in concurrent with ending all sessions is ended, or follows it', async () => {
    const { id } = (await people[0].get('/v1/me')).body
    const admin = await beds[0].signIn('admin')
    const [ended, ...signedIn] = await Promise.all([
      admin.post(`/v1/users/${id}/logout`),
      ...Array.from({ length: 8 }, (_, index) => beds[index % 2 ? 1 : 0].signIn('member')),
    ])
    expect(ended.status).toBe(204)
    const living = (await Promise.all(signedIn.map((who) => who.get('/v1/me')))).filter(
      (answer) => answer.status === 200,
    )
    const left = await rows(sql`SELECT id FROM console_session WHERE silo_user_id = ${id}`)
    expect(left).toHaveLength(living.length)
  })

  test('sessions and tokens of a user never exceed their limits', async () => {
    const { sessions_per_person, tokens_per_person } = defaultSettings.limits
    const [bed] = beds
    const { id, ...person } = await bed.addUser('many-places')
    const filler = sql`gen_random_uuid(), gen_random_uuid()::text, ${id}::uuid, now() - interval '1 minute'`
    await sql`INSERT INTO console_session (id, token_hash, silo_user_id, time_created, time_last_used)
      SELECT ${filler}, now() - interval '1 minute' FROM generate_series(1, ${sessions_per_person - 3})`.execute(
      bed.db,
    )
    await sql`INSERT INTO device_access_token
        (id, token_hash, silo_user_id, time_created, device_code_hash, client_id, time_expires)
      SELECT ${filler}, gen_random_uuid()::text, gen_random_uuid(), now() + interval '1 day'
      FROM generate_series(1, ${tokens_per_person - 2})`.execute(bed.db)
    const signedIn = await many(12, (_, index) => beds[index % 2 ? 1 : 0].signIn('many-places'))
    const alive = await Promise.all(
      [person, ...signedIn].map(async (who) => (await who.get('/v1/me')).status),
    )
    expect(alive).toEqual(Array(13).fill(200))

    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = `client_id=${crypto.randomUUID()}`
    const codes = await many(6, () => bed.anonymous.call('POST', '/device/auth', body, headers))
    const answers = await Promise.all(
      codes.map(({ body: { user_code } }, index) => {
        const who = beds[index % 2 ? 1 : 0].anonymous
        const { cookie } = signedIn[index] ?? person
        return who.call('POST', '/device/confirm', { user_code }, { cookie })
      }),
    )
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([
      204, 204, 507, 507, 507, 507,
    ])
    const kept = (table: string) => rows(sql`SELECT id FROM ${sql.table(table)} WHERE silo_user_id = ${id}`)
    expect(await kept('console_session')).toHaveLength(sessions_per_person)
    expect(await kept('device_access_token')).toHaveLength(tokens_per_person)
  })
})
