import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, said, type TestBed, testControlPlane } from '../../testing/control-plane.ts'
import { freeBelow } from '../../testing/free-below.ts'

const GiB = 1024 ** 3
const probes = '/experimental/v1/probes'
let bed: TestBed
/** Admin of the silo and of the fleet. */
let admin: Caller
let member: Caller
let sled: { id: string; serial: string }
beforeAll(async () => {
  bed = await testControlPlane()
  admin = await bed.signIn('admin')
  member = await bed.signIn('member')
  sled = await bed.db
    .selectFrom('sled')
    .select(['id', 'serial'])
    .where('policy', '=', 'in_service')
    .executeTakeFirstOrThrow()
  for (const name of ['atlas', 'other']) await member.post('/v1/projects', { name, description: '' })
})
afterAll(() => bed.stop())

const create = (name: string, more: object = {}, project = 'atlas', who = admin) =>
  who.post(`${probes}?project=${project}`, { name, description: 'reachability', sled: sled.id, ...more })
const remove = (name: string, project = 'atlas', who = admin) =>
  who.call('DELETE', `${probes}/${name}?project=${project}`)
const statuses = async () => (await admin.get('/ext/v1/probes?project=atlas')).body.items
const machine = (name: string) => ({
  name,
  description: '',
  ncpus: 1,
  memory: GiB,
  hostname: name,
  start: false,
  external_ips: [{ type: 'ephemeral' }],
})

describe('a probe', () => {
  test('runs on the chosen sled with an address inside and one outside', async () => {
    const made = await create('first')
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'first',
        description: 'reachability',
        sled: sled.id,
        time_created: expect.any(String),
        time_modified: expect.any(String),
      },
    ])
    const { id } = made.body
    const vpc = (await member.get('/v1/vpcs/default?project=atlas')).body
    const { vni } = await bed.db
      .selectFrom('vpc')
      .select('vni')
      .where('id', '=', vpc.id)
      .executeTakeFirstOrThrow()
    const info = {
      id,
      name: 'first',
      sled: sled.id,
      external_ips: [{ ip: expect.any(String), first_port: 0, last_port: 65_535, kind: 'ephemeral' }],
      interface: {
        id: expect.any(String),
        ip: '172.30.0.5',
        kind: { type: 'probe', id },
        mac: expect.stringMatching(/^A8:40:25:F/),
        name: 'first',
        primary: true,
        slot: 0,
        subnet: '172.30.0.0/22',
        transit_ips: [],
        vni,
      },
    }
    for (const selector of ['first', id])
      expect((await admin.get(`${probes}/${selector}?project=atlas`)).body).toEqual(info)
    expect((await admin.get(`${probes}?project=atlas`)).body.items).toEqual([info])
    expect(await statuses()).toEqual([
      {
        ...info,
        description: 'reachability',
        sled_serial: sled.serial,
        state: 'running',
        time_created: made.body.time_created,
      },
    ])
    const [run] = await bed.db.selectFrom('simulated_probe').selectAll().execute()
    const { external_ips } = (await admin.get(`${probes}/first?project=atlas`)).body
    expect(run).toMatchObject({ id, sled_id: sled.id, ip: '172.30.0.5', external_ip: external_ips[0].ip })
  })

  test('shares no address with an instance, and costs no quota', async () => {
    const usage = async () => (await member.get('/v1/utilization')).body.provisioned
    const before = await usage()
    expect(said(await create('second'))).toBe('201')
    expect(await usage()).toEqual(before)
    expect(said(await member.post('/v1/instances?project=atlas', machine('web')))).toBe('201')
    expect(said(await create('third'))).toBe('201')
    const used = await bed.db
      .selectFrom('network_interface')
      .innerJoin('vpc', 'vpc.id', 'network_interface.vpc_id')
      .innerJoin('project', 'project.id', 'vpc.project_id')
      .select(['network_interface.ip', 'mac_int'])
      .where('project.name', '=', 'atlas')
      .where('network_interface.time_deleted', 'is', null)
      .execute()
    expect(used.map(({ ip }) => String(ip)).sort()).toEqual([
      '172.30.0.5',
      '172.30.0.6',
      '172.30.0.7',
      '172.30.0.8',
    ])
    expect(new Set(used.map(({ mac_int }) => mac_int)).size).toBe(4)
    const own = (await admin.get(`${probes}?project=atlas`)).body.items.map(
      (one: { external_ips: { ip: string }[] }) => one.external_ips[0]?.ip,
    )
    const [ephemeral] = (await member.get('/v1/instances/web/external-ips?project=atlas')).body.items
    expect(new Set([...own, ephemeral.ip]).size).toBe(4)
  })

  test('is unreachable while its sled is', async () => {
    const fault = await admin.post('/ext/v1/faults', { kind: 'sled_lost', sled_id: sled.id })
    expect((await statuses()).map(({ state }: { state: string }) => state)).toEqual(
      Array.from({ length: 3 }, () => 'unreachable'),
    )
    await admin.call('DELETE', `/ext/v1/faults/${fault.body.id}`)
    expect((await statuses())[0].state).toBe('running')
  })

  test('ends when it is deleted, and its addresses are free at once', async () => {
    const before = (await admin.get(`${probes}/first?project=atlas`)).body
    const stale = await admin.call('DELETE', `${probes}/first?project=atlas`, undefined, {
      'if-match': '"7"',
    })
    expect(stale.status).toBe(412)
    expect(said(await remove('first'))).toBe('204')
    expect(said(await remove('first'))).toBe('404 not found: probe with name "first"')
    const left = bed.db.selectFrom('simulated_probe').select('id').where('id', '=', before.id)
    expect(await left.execute()).toEqual([])
    expect(await freeBelow(bed.db)).toEqual([])
    await create('again')
    const after = (await admin.get(`${probes}/again?project=atlas`)).body
    expect([after.interface.ip, after.external_ips[0].ip]).toEqual([
      before.interface.ip,
      before.external_ips[0].ip,
    ])
  })

  test('shows as the holder of its address, and not among the interfaces of instances', async () => {
    const { items } = (await admin.get('/ext/v1/system/ip-pools/external/addresses?limit=1000')).body
    const held = items.filter(({ probe }: { probe: object | null }) => probe)
    expect(held.map((one: object) => one)).toContainEqual(
      expect.objectContaining({
        probe: { id: expect.any(String), name: 'again' },
        instance: null,
        project_name: 'atlas',
      }),
    )
    const inSubnet = '/v1/vpc-subnets/default/network-interfaces?project=atlas&vpc=default'
    const names = (await member.get(inSubnet)).body.items.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['net0'])
  })
})

test('one that is deleted while it is read is left out of lists, and has no view', async () => {
  const read = async () => (await admin.get(`${probes}?project=atlas`)).body.items
  const [gone, ...others] = await read()
  const rows = await statuses()
  // As the second statement of a read sees it, when the deletion is committed after the first.
  const nicDeleted = (time_deleted: Date | null) =>
    bed.db.updateTable('network_interface').set({ time_deleted }).where('probe_id', '=', gone.id).execute()
  await nicDeleted(new Date())
  expect(await read()).toEqual(others)
  expect(await statuses()).toEqual(rows.slice(1))
  expect(said(await admin.get(`${probes}/${gone.name}?project=atlas`))).toBe(
    `404 not found: probe with name "${gone.name}"`,
  )
  await nicDeleted(null)
})

test('names are unique across projects', async () => {
  expect(said(await create('again', {}, 'other'))).toBe('400 already exists: probe "again"')
})

test('what a request names must exist and be in service', async () => {
  const nowhere = crypto.randomUUID()
  expect(said(await create('lost', { sled: nowhere }))).toBe(`404 not found: sled with id "${nowhere}"`)
  expect(said(await create('lost', { ip_pool: 'nowhere' }))).toBe(
    '404 not found: ip-pool with name "nowhere"',
  )
  const other = await bed.db
    .selectFrom('sled')
    .select('id')
    .where('id', '!=', sled.id)
    .where('policy', '=', 'in_service')
    .executeTakeFirstOrThrow()
  const policyOf = (policy: 'expunged' | 'in_service') =>
    bed.db.updateTable('sled').set({ policy }).where('id', '=', other.id).execute()
  await policyOf('expunged')
  expect(said(await create('lost', { sled: other.id }))).toBe('400 a probe can run only on a sled in service')
  await policyOf('in_service')
  await member.post('/v1/projects', { name: 'bare', description: '' })
  await member.call('DELETE', '/v1/vpc-subnets/default?project=bare&vpc=default')
  expect(said(await create('lost', {}, 'bare'))).toBe('404 not found: vpc-subnet with name "default"')
  await member.call('DELETE', '/v1/vpcs/default?project=bare')
  expect(said(await create('lost', {}, 'bare'))).toBe('404 not found: vpc with name "default"')
  const rows = bed.db.selectFrom('probe').select('id').where('name', '=', 'lost')
  expect(await rows.execute()).toEqual([])
})

test('a project is named also with an id, and must be the right one', async () => {
  const { id } = (await admin.get(`${probes}/again?project=atlas`)).body
  expect((await admin.get(`${probes}/${id}`)).status).toBe(400)
  for (const method of ['GET', 'DELETE'])
    expect(said(await admin.call(method, `${probes}/${id}?project=other`))).toBe(
      `404 not found: probe with id "${id}"`,
    )
})

test('a role on the fleet and one in the project are necessary, and each alone is not enough', async () => {
  const project = (await member.get('/v1/projects/atlas')).body.id
  const outcomes = async (fleet: 'viewer' | 'admin' | undefined, inProject: 'viewer' | 'collaborator') => {
    const name = `${fleet ?? 'no'}-${inProject}`
    const who = await bed.addUser(name, {
      roles: [
        ...(fleet ? [{ at: 'fleet' as const, role: fleet }] : []),
        { at: { project }, role: inProject },
      ],
    })
    const made = await create(name, {}, 'atlas', who)
    return [
      (await who.get(`${probes}?project=atlas`)).status,
      (await who.get('/ext/v1/probes?project=atlas')).status,
      made.status,
      (await who.get(`${probes}/again?project=atlas`)).status,
      (await remove(made.status === 201 ? name : 'again', 'atlas', who)).status,
    ]
  }
  //                                                 list status create view delete
  expect(await outcomes(undefined, 'collaborator')).toEqual([403, 403, 403, 404, 404])
  expect(await outcomes('viewer', 'viewer')).toEqual([200, 200, 403, 403, 403])
  expect(await outcomes('viewer', 'collaborator')).toEqual([200, 200, 403, 200, 403])
  expect(await outcomes('admin', 'viewer')).toEqual([200, 200, 403, 403, 403])
  expect(await outcomes('admin', 'collaborator')).toEqual([200, 200, 201, 200, 204])
  const outside = await bed.addUser('outside', { roles: [{ at: 'fleet', role: 'admin' }] })
  expect(said(await create('mine', {}, 'atlas', outside))).toBe('404 not found: project with name "atlas"')
})

test('each creation and deletion leaves change records and an audit record', async () => {
  const { id } = (await create('noted')).body
  await remove('noted')
  const changes = await bed.db
    .selectFrom('change')
    .select(['kind', 'object_id', 'request_id'])
    .where('object_id', '=', id)
    .execute()
  expect(changes.map(({ kind }) => kind)).toEqual(['probe', 'probe'])
  const audits = await bed.db
    .selectFrom('audit')
    .select(['operation_id', 'http_status_code'])
    .where('operation_id', 'in', ['probe_create', 'probe_delete'])
    .where(
      'request_id',
      'in',
      changes.map(({ request_id }) => request_id ?? ''),
    )
    .execute()
  expect(audits.map(({ operation_id }) => operation_id).sort()).toEqual(['probe_create', 'probe_delete'])
})

test('a probe blocks the deletion of its subnet, and thereby of its VPC and project', async () => {
  expect(said(await create('blocks', {}, 'other'))).toBe('201')
  expect(said(await member.call('DELETE', '/v1/projects/other'))).toBe(
    '400 project to be deleted contains a vpc: default',
  )
  const subnet = '/v1/vpc-subnets/default?project=other&vpc=default'
  expect(said(await member.call('DELETE', subnet))).toBe(
    '400 VPC Subnet cannot be deleted while network interfaces in the subnet exist',
  )
  const { silo_id } = (await admin.get('/v1/me')).body
  const unlink = await admin.call('DELETE', `/v1/system/ip-pools/external/silos/${silo_id}`)
  expect(unlink.status).toBe(400)
  expect(said(await remove('blocks', 'other'))).toBe('204')
  for (const path of [subnet, '/v1/vpcs/default?project=other', '/v1/projects/other'])
    expect(said(await member.call('DELETE', path))).toBe('204')
})
