import { type RecycledKind, recycledKinds } from '@gantry/api/history/recycle-bin.rules'
import { describe, expect } from 'vitest'
import { GiB } from '../../testing/case-values.ts'
import { memoryBlocks } from '../../blocks/memory.ts'
import { type Caller, eventually, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { furnishProject, made } from '../../testing/hidden-things.ts'
import { test as withBed } from '../../testing/bed.ts'
import { isReferenced } from '../storage/content-references.ts'

const blocks = memoryBlocks()
const test = withBed
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads the parameter's shape
  .override('bed', { scope: 'file' }, async ({}, { onCleanup }) => {
    const bed = await testControlPlane({ environment: { blocks } })
    onCleanup(bed.stop)
    return bed
  })

const paths: Readonly<Record<RecycledKind, string>> = {
  instance: 'instances',
  disk: 'disks',
  snapshot: 'snapshots',
  'instance-snapshot': 'instance-snapshots',
  image: 'images',
  'floating-ip': 'floating-ips',
  'external-subnet': 'external-subnets',
  vpc: 'vpcs',
  'vpc-subnet': 'vpc-subnets',
  project: 'projects',
}
const addressOf = (kind: RecycledKind, id: string) =>
  `${kind === 'instance-snapshot' ? '/ext' : ''}/v1/${paths[kind]}/${id}`

interface Item {
  id: string
  object_id: string
  kind: string
  name: string
  parts: Record<string, number>
  storage: number
  ip: string | null
}
interface Step {
  kind: string
  name: string
  outcome: string
  detail: string | null
}
const listed = async (who: Caller, project?: string): Promise<Item[]> =>
  (await who.get(`/ext/v1/recycle-bin${project ? `?project=${project}` : ''}`)).body.items
async function itemOf(who: Caller, objectId: string, project?: string): Promise<Item> {
  const item = (await listed(who, project)).find((each) => each.object_id === objectId)
  if (!item) throw new Error(`nothing of ${objectId} is in the bin`)
  return item
}
const restore = (who: Caller, { id }: Item, body: object = {}) =>
  who.post(`/ext/v1/recycle-bin/${id}/restore`, body)
const planOf = async (who: Caller, { id }: Item) =>
  (await who.post(`/ext/v1/recycle-bin/${id}/restore-plan`)).body
const remove = (who: Caller, kind: RecycledKind, id: string) => who.call('DELETE', addressOf(kind, id))

const disk = (who: Caller, project: string, name: string, size = GiB) =>
  made(who, `/v1/disks?project=${project}`, {
    name,
    description: '',
    size,
    disk_source: { type: 'blank', block_size: 512 },
  })
const detached = (who: Caller, id: string) =>
  eventually(
    async () => (await who.get(`/v1/disks/${id}`)).body,
    (body) => body.state.state === 'detached',
  )
const newProject = (who: Caller, name: string) => made(who, '/v1/projects', { name, description: '' })
const floating = (who: Caller, project: string, name: string, more: object = {}) =>
  made(who, `/v1/floating-ips?project=${project}`, { name, description: '', ...more })
const instance = (who: Caller, project: string, name: string, more: object = {}) =>
  made(who, `/v1/instances?project=${project}`, {
    name,
    description: '',
    ncpus: 1,
    memory: GiB,
    hostname: name,
    start: false,
    ...more,
  })
const bytesOf = async ({ db }: TestBed, table: 'disk' | 'snapshot' | 'image', id: string): Promise<string> =>
  (await db.selectFrom(table).select('content_id').where('id', '=', id).executeTakeFirstOrThrow()).content_id

describe.each(['disk', 'snapshot', 'image', 'floating-ip'] as const)('a deleted %s', (kind) => {
  test('is gone for clients, with its name free, and comes back as it was', async ({ member }) => {
    const project = `of-${kind}`
    const ids = await furnishProject(member, project)
    const id = ids[kind.replace('-', '_')] ?? ''
    if (kind === 'disk') await detached(member, id)
    const before = (await member.get(addressOf(kind, id))).body
    expect((await remove(member, kind, id)).status).toBe(204)
    expect((await member.get(addressOf(kind, id))).status).toBe(404)
    const item = await itemOf(member, id, project)
    expect(item).toMatchObject({ kind, name: before.name, deleted_by: { name: 'member' } })
    const plan = await planOf(member, item)
    expect(plan).toMatchObject({ name: before.name, why_not: null })
    // Looking changes nothing.
    expect((await member.get(addressOf(kind, id))).status).toBe(404)
    const restored = await restore(member, item)
    expect([restored.status, restored.body.name]).toEqual([201, before.name])
    const after = (await member.get(addressOf(kind, id))).body
    expect(after).toEqual({ ...before, time_modified: after.time_modified })
    expect(await listed(member, project)).toEqual([])
    expect((await restore(member, item)).status).toBe(404)
  })
})

test('an instance comes back stopped with its disks, interfaces, addresses, group and keys', async ({
  bed,
  member,
}) => {
  await newProject(member, 'whole')
  const boot = await disk(member, 'whole', 'boot')
  const data = await disk(member, 'whole', 'data')
  await floating(member, 'whole', 'public')
  await made(member, '/v1/anti-affinity-groups?project=whole', {
    name: 'apart',
    description: '',
    policy: 'allow',
    failure_domain: 'sled',
  })
  const key = await made(member, '/v1/me/ssh-keys', {
    name: 'laptop',
    description: '',
    public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ1nMIYC2GcE6GBUrv6yWpRJhp0HMtfKTYJfiaqSAxKE a@b',
  })
  await detached(member, boot)
  await detached(member, data)
  const id = await instance(member, 'whole', 'db', {
    boot_disk: { type: 'attach', name: 'boot' },
    disks: [{ type: 'attach', name: 'data' }],
    external_ips: [{ type: 'ephemeral' }, { type: 'floating', floating_ip: 'public' }],
    anti_affinity_groups: ['apart'],
    ssh_public_keys: ['laptop'],
  })
  const seen = async () => ({
    instance: (await member.get(`/v1/instances/${id}`)).body,
    disks: (await member.get(`/v1/instances/${id}/disks`)).body.items.map((each: Item) => each.name),
    interfaces: (await member.get(`/v1/network-interfaces?instance=${id}`)).body.items.map(
      ({ ip, mac, name }: { ip: string; mac: string; name: string }) => [name, ip, mac],
    ),
    ips: (await member.get(`/v1/instances/${id}/external-ips`)).body.items.map(({ ip }: Item) => ip),
    groups: (await member.get(`/v1/instances/${id}/anti-affinity-groups`)).body.items.length,
    keys: (await member.get(`/v1/instances/${id}/ssh-public-keys`)).body.items.map((each: Item) => each.name),
  })
  const before = await seen()
  expect(before).toMatchObject({ disks: ['boot', 'data'], groups: 1, keys: ['laptop'] })
  expect((await remove(member, 'instance', id)).status).toBe(204)
  for (const each of [data, boot]) expect((await remove(member, 'disk', each)).status).toBe(204)
  const item = await itemOf(member, id, 'whole')
  expect(item.parts).toEqual({ disk: 2, 'instance-network-interface': 1 })
  // Its disks are in the bin too, and belong to it.
  const plan = await planOf(member, item)
  expect(plan.together.map(({ name }: Item) => name)).toEqual(['boot', 'data'])
  const restored = await restore(member, item, { together: plan.together.map((each: Item) => each.id) })
  expect(restored.body.steps).toEqual(plan.steps)
  const after = await seen()
  expect({ ...after, instance: null }).toEqual({ ...before, instance: null })
  expect(after.instance).toMatchObject({ run_state: 'stopped', boot_disk_id: boot, name: 'db' })
  expect(await listed(member, 'whole')).toEqual([])
  // It starts as any other.
  await member.post(`/v1/instances/${id}/start`)
  await eventually(
    async () => (await member.get(`/v1/instances/${id}`)).body,
    ({ run_state }) => run_state === 'running',
  )
  await bed.db.deleteFrom('ssh_key').where('id', '=', key).execute()
})

test('what was taken meanwhile is said before, and the rest comes back', async ({ member }) => {
  await newProject(member, 'taken')
  const data = await disk(member, 'taken', 'data')
  await detached(member, data)
  const id = await instance(member, 'taken', 'db', {
    disks: [{ type: 'attach', name: 'data' }],
    network_interfaces: {
      type: 'create',
      params: [
        { name: 'net0', description: '', vpc_name: 'default', subnet_name: 'default', ip: '172.30.0.9' },
      ],
    },
  })
  await remove(member, 'instance', id)
  const other = await instance(member, 'taken', 'db', {
    disks: [{ type: 'attach', name: 'data' }],
    network_interfaces: {
      type: 'create',
      params: [
        { name: 'net0', description: '', vpc_name: 'default', subnet_name: 'default', ip: '172.30.0.9' },
      ],
    },
  })
  const item = await itemOf(member, id, 'taken')
  const plan = await planOf(member, item)
  expect(plan.name).toBe('db-restored')
  const outcomes = Object.fromEntries(plan.steps.map((step: Step) => [step.kind, step.outcome]))
  expect(outcomes).toMatchObject({ disk: 'lost', 'instance-network-interface': 'changed' })
  const refused = await restore(member, item)
  expect([refused.status, refused.body.error_code]).toEqual([400, 'ObjectAlreadyExists'])
  expect(JSON.stringify(refused.body)).toContain('db-restored')
  expect((await restore(member, item, { name: 'db' })).status).toBe(400)
  expect((await restore(member, item, { name: plan.name })).status).toBe(201)
  expect((await member.get(`/v1/disks/${data}`)).body.state).toEqual({ state: 'attached', instance: other })
  expect((await member.get(`/v1/instances/${id}`)).body.name).toBe('db-restored')
})

test('a VPC comes back whole, with the subnets that belong to it', async ({ member }) => {
  await newProject(member, 'nets')
  const vpc = await made(member, '/v1/vpcs?project=nets', {
    name: 'staging',
    description: '',
    dns_name: 'staging',
  })
  await made(member, `/v1/vpc-subnets?vpc=${vpc}`, { name: 'db', description: '', ipv4_block: '10.9.0.0/24' })
  await member.post(`/v1/vpc-routers?vpc=${vpc}`, { name: 'own', description: '' })
  const seen = async () => ({
    rules: (await member.get(`/v1/vpc-firewall-rules?vpc=${vpc}`)).body,
    subnets: (await member.get(`/v1/vpc-subnets?vpc=${vpc}`)).body.items.map((each: Item) => each.name),
    routers: (await member.get(`/v1/vpc-routers?vpc=${vpc}`)).body.items.map((each: Item) => each.name),
    gateways: (await member.get(`/v1/internet-gateways?vpc=${vpc}`)).body.items.map(
      (each: Item) => each.name,
    ),
  })
  const routes = async () => {
    const { body } = await member.get(`/v1/vpc-routers?vpc=${vpc}`)
    const system = body.items.find((each: Item) => each.kind === 'system')
    const found = await member.get(`/v1/vpc-router-routes?router=${system.id}`)
    return found.body.items.map((each: Item) => each.name).sort()
  }
  const before = { ...(await seen()), routes: await routes() }
  expect(before.subnets).toEqual(['db', 'default'])
  for (const { id } of (await member.get(`/v1/vpc-subnets?vpc=${vpc}`)).body.items)
    expect((await remove(member, 'vpc-subnet', id)).status).toBe(204)
  expect((await remove(member, 'vpc', vpc)).status).toBe(204)
  const item = await itemOf(member, vpc, 'nets')
  const subnet = (await listed(member, 'nets')).find(({ kind }) => kind === 'vpc-subnet')
  // A subnet alone has nowhere to go.
  const alone = await restore(member, subnet as Item)
  expect([alone.status, alone.body.message]).toEqual([400, 'its VPC staging was deleted'])
  const together = (await planOf(member, item)).together.map((each: Item) => each.id)
  expect(together).toHaveLength(2)
  const restored = await restore(member, item, { together })
  expect(restored.status).toBe(201)
  expect({ ...(await seen()), routes: await routes() }).toEqual({
    ...before,
    rules: {
      rules: before.rules.rules.map((rule: object) => ({
        ...rule,
        time_modified: expect.any(String),
      })),
    },
  })
})

test('a project comes back with its access, and then what was in it', async ({ member, operator }) => {
  const project = await newProject(member, 'gone')
  const kept = await disk(member, 'gone', 'kept')
  await detached(member, kept)
  const viewer = (await operator.get('/v1/users')).body.items.find(
    (each: { display_name: string }) => each.display_name === 'viewer',
  )
  const roles = [{ identity_type: 'silo_user', identity_id: viewer.id, role_name: 'viewer' }]
  await member.call('PUT', `/v1/projects/${project}/policy`, { role_assignments: roles })
  expect((await remove(member, 'disk', kept)).status).toBe(204)
  const subnets = (await member.get('/v1/vpc-subnets?project=gone&vpc=default')).body.items
  for (const { id } of subnets) await remove(member, 'vpc-subnet', id)
  const vpcs = (await member.get('/v1/vpcs?project=gone')).body.items
  for (const { id } of vpcs) await remove(member, 'vpc', id)
  expect((await remove(member, 'project', project)).status).toBe(204)
  const item = await itemOf(member, project)
  const plan = await planOf(member, item)
  expect(plan.together.map(({ kind }: Item) => kind).sort()).toEqual(['disk', 'vpc', 'vpc-subnet'])
  const restored = await restore(member, item, { together: plan.together.map((each: Item) => each.id) })
  expect(restored.status).toBe(201)
  expect((await member.get(`/v1/projects/${project}/policy`)).body.role_assignments).toEqual(roles)
  expect((await member.get(`/v1/disks/${kept}`)).status).toBe(200)
  expect((await member.get('/v1/vpc-subnets?project=gone&vpc=default')).body.items).toHaveLength(1)
})

describe('what the bin holds', () => {
  const use = async (who: Caller, project: string) =>
    (await who.get(`/ext/v1/recycle-bin-use?project=${project}`)).body

  test('is no part of what a client sees as used, and has a line of its own', async ({ member }) => {
    await newProject(member, 'held')
    const before = (await member.get('/v1/utilization')).body.provisioned.storage
    const id = await disk(member, 'held', 'big', 4 * GiB)
    await detached(member, id)
    await remove(member, 'disk', id)
    expect((await member.get('/v1/utilization')).body.provisioned.storage).toBe(before)
    expect(await use(member, 'held')).toMatchObject({
      hours: 24,
      items: 1,
      storage: { here: 4 * GiB, used: before },
    })
    await restore(member, await itemOf(member, id, 'held'))
    expect((await use(member, 'held')).storage.here).toBe(0)
    expect((await member.get('/v1/utilization')).body.provisioned.storage).toBe(before + 4 * GiB)
  })

  test('gives way to what is created, the oldest first', async ({ bed, member, operator }) => {
    await newProject(member, 'room')
    const silo = (await member.get('/v1/me')).body.silo_id
    const quotas = (storage: number) => operator.call('PUT', `/v1/system/silos/${silo}/quotas`, { storage })
    const before = (await member.get('/v1/utilization')).body
    const held = (await use(member, 'room')).storage.recycled
    await quotas(before.provisioned.storage + held + 3 * GiB)
    const [first, second] = [await disk(member, 'room', 'first'), await disk(member, 'room', 'second')]
    for (const id of [first, second]) {
      await detached(member, id)
      await remove(member, 'disk', id)
      bed.pass(1000)
    }
    // As if nothing were held: the whole quota can be used.
    const other = await disk(member, 'room', 'other', 2 * GiB)
    expect((await use(member, 'room')).storage).toMatchObject({ used: before.provisioned.storage + 2 * GiB })
    const left = await listed(member, 'room')
    expect(left.map(({ name }) => name)).toEqual(['second'])
    const told = (await member.get(`/ext/v1/activity?object=${first}`)).body.items[0]
    expect(told.changes).toContainEqual(expect.objectContaining({ name: 'first', action: 'purged' }))
    await quotas(before.capacity.storage)
    await detached(member, other)
    await remove(member, 'disk', other)
  })

  test('reserves an address until it is asked for, or the pool has no other', async ({
    member,
    operator,
  }) => {
    const silo = (await member.get('/v1/me')).body.silo_id
    await operator.post('/v1/system/ip-pools', { name: 'small', description: '' })
    await operator.post('/v1/system/ip-pools/small/ranges/add', { first: '203.0.113.1', last: '203.0.113.2' })
    await operator.post('/v1/system/ip-pools/small/silos', { silo, is_default: false })
    await newProject(member, 'ips')
    const from = { pool: 'small' }
    const ipOf = async (id: string) => (await member.get(`/v1/floating-ips/${id}`)).body.ip
    const one = await floating(member, 'ips', 'one', from)
    expect(await ipOf(one)).toBe('203.0.113.1')
    await remove(member, 'floating-ip', one)
    const pool = (await operator.get('/v1/system/ip-pools/small/utilization')).body
    expect(pool.ipv4.allocated).toBe(0)
    expect((await operator.get('/ext/v1/system/ip-pools/small/addresses')).body.items).toMatchObject([
      { ip: '203.0.113.1', floating_ip: null, instance: null },
    ])
    // Another one gets another address while there is one.
    expect(await ipOf(await floating(member, 'ips', 'two', from))).toBe('203.0.113.2')
    expect(await ipOf(await floating(member, 'ips', 'three', from))).toBe('203.0.113.1')
    expect(await listed(member, 'ips')).toEqual([])
    // One that is asked for is free.
    const two = (await member.get('/v1/floating-ips?project=ips')).body.items.find(
      ({ name }: Item) => name === 'two',
    )
    await remove(member, 'floating-ip', two.id)
    expect(await ipOf(await floating(member, 'ips', 'again', { ip: '203.0.113.2', ...from }))).toBe(
      '203.0.113.2',
    )
    expect(await listed(member, 'ips')).toEqual([])
  })

  test('does not keep a range from being removed', async ({ member, operator }) => {
    await operator.post('/v1/system/ip-pools', { name: 'leaving', description: '' })
    const range = { first: '203.0.113.9', last: '203.0.113.9' }
    await operator.post('/v1/system/ip-pools/leaving/ranges/add', range)
    const silo = (await member.get('/v1/me')).body.silo_id
    await operator.post('/v1/system/ip-pools/leaving/silos', { silo, is_default: false })
    await newProject(member, 'range')
    const id = await floating(member, 'range', 'one', { pool: 'leaving' })
    await remove(member, 'floating-ip', id)
    expect((await operator.post('/v1/system/ip-pools/leaving/ranges/remove', range)).status).toBe(204)
    expect(await listed(member, 'range')).toEqual([])
  })
})

describe('an object is gone for good', () => {
  test('once its time is over, with its bytes', async ({ bed, member }) => {
    await newProject(member, 'over')
    const id = await disk(member, 'over', 'old')
    await detached(member, id)
    const content = await bytesOf(bed, 'disk', id)
    await remove(member, 'disk', id)
    const item = await itemOf(member, id, 'over')
    expect(await blocks.size(content)).toBe(GiB)
    await bed.db
      .updateTable('recycled')
      .set({ time_expires: new Date(0) })
      .where('id', '=', item.id)
      .execute()
    expect(await listed(member, 'over')).toEqual([])
    expect((await restore(member, item)).status).toBe(404)
    await eventually(
      () => blocks.size(content),
      (size) => size === undefined,
    )
    expect(await bed.db.selectFrom('recycled').select('id').where('id', '=', item.id).execute()).toEqual([])
  })

  test('where the caller says so, or the silo keeps nothing', async ({ member, operator }) => {
    await newProject(member, 'now')
    const id = await disk(member, 'now', 'one')
    await detached(member, id)
    expect((await member.call('DELETE', `/ext/v1/objects/${id}?kind=disk&for_good=true`)).status).toBe(204)
    expect((await member.get(addressOf('disk', id))).status).toBe(404)
    expect(await listed(member, 'now')).toEqual([])
    const kept = await disk(member, 'now', 'two')
    await detached(member, kept)
    expect((await member.call('DELETE', `/ext/v1/objects/${kept}?kind=disk`)).status).toBe(204)
    expect(await listed(member, 'now')).toHaveLength(1)
    const settings = '/ext/v1/recycle-bin-settings'
    expect((await operator.call('PUT', settings, { hours: 0 })).body).toEqual({ hours: 0 })
    const last = await disk(member, 'now', 'three')
    await detached(member, last)
    await remove(member, 'disk', last)
    // What is in the bin already keeps its time.
    expect((await listed(member, 'now')).map(({ name }) => name)).toEqual(['two'])
    for (const hours of [-1, 721, 1.5])
      expect((await operator.call('PUT', settings, { hours })).status).toBe(400)
    await operator.call('PUT', settings, { hours: 24 })
  })

  test('item by item, or all at once', async ({ bed, member }) => {
    await newProject(member, 'emptied')
    const ids = await Promise.all(['one', 'two', 'three'].map((name) => disk(member, 'emptied', name)))
    for (const id of ids) {
      await detached(member, id)
      await remove(member, 'disk', id)
    }
    const [first] = await listed(member, 'emptied')
    expect((await member.call('DELETE', `/ext/v1/recycle-bin/${first?.id}`)).status).toBe(204)
    expect((await member.call('DELETE', `/ext/v1/recycle-bin/${first?.id}`)).status).toBe(404)
    expect(await listed(member, 'emptied')).toHaveLength(2)
    // Its address goes too, which is a change of its own.
    const address = await floating(member, 'emptied', 'address')
    await remove(member, 'floating-ip', address)
    const kept = await itemOf(member, address, 'emptied')
    expect((await member.call('DELETE', `/ext/v1/recycle-bin/${kept.id}`)).status).toBe(204)
    expect((await member.call('DELETE', '/ext/v1/recycle-bin?project=emptied')).status).toBe(204)
    expect(await listed(member, 'emptied')).toEqual([])
    await eventually(
      () => bed.db.selectFrom('recycled').select('id').where('object_id', 'in', ids).execute(),
      (rows) => rows.length === 0,
    )
  })
})

describe('rights', () => {
  test('those of the project: viewers look, collaborators restore, others know nothing', async ({
    bed,
    member,
    viewer,
  }) => {
    await newProject(member, 'rights')
    const id = await disk(member, 'rights', 'one')
    await detached(member, id)
    await remove(member, 'disk', id)
    const item = await itemOf(viewer, id, 'rights')
    // Looking at a restore locks what it would change.
    expect((await viewer.post(`/ext/v1/recycle-bin/${item.id}/restore-plan`)).status).toBe(403)
    expect((await restore(viewer, item)).status).toBe(403)
    expect((await viewer.call('DELETE', `/ext/v1/recycle-bin/${item.id}`)).status).toBe(403)
    expect((await viewer.call('DELETE', '/ext/v1/recycle-bin?project=rights')).status).toBe(403)
    const none = await bed.addUser('nobody')
    expect((await none.post(`/ext/v1/recycle-bin/${item.id}/restore-plan`)).status).toBe(404)
    expect((await restore(none, item)).status).toBe(404)
    const elsewhere = await bed.addUser('stranger', { siloId: await bed.addSilo('other-one') })
    expect((await elsewhere.post(`/ext/v1/recycle-bin/${item.id}/restore-plan`)).status).toBe(404)
    expect(await listed(member, 'rights')).toHaveLength(1)
  })
})

test('of two who restore the same, or restore and purge it, one does', async ({ bed, member }) => {
  await newProject(member, 'race')
  for (let round = 0; round < 4; round++) {
    const id = await disk(member, 'race', `disk-${round}`)
    await detached(member, id)
    const content = await bytesOf(bed, 'disk', id)
    await remove(member, 'disk', id)
    const item = await itemOf(member, id, 'race')
    const answers = await Promise.all([
      restore(member, item),
      restore(member, item),
      member.call('DELETE', `/ext/v1/recycle-bin/${item.id}`),
    ])
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
    const isBack = (await member.get(addressOf('disk', id))).status === 200
    if (isBack) expect(await blocks.size(content)).toBe(GiB)
    expect(await listed(member, 'race')).toEqual([])
  }
})

/** A database, or a query of it, that runs something after each statement. */
function afterEach<Of extends object>(of: Of, run: () => Promise<void>): Of {
  const watched = (value: unknown): unknown => {
    if (value instanceof Promise)
      return value.then(async (rows) => {
        await run()
        return rows as unknown
      })
    return typeof value === 'object' && value !== null ? afterEach(value, run) : value
  }
  return new Proxy(of, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      return typeof member === 'function'
        ? (...args: unknown[]) => watched(member.apply(target, args) as unknown)
        : member
    },
  })
}

test('bytes count as referenced while their disk leaves the bin', async ({ bed, member }) => {
  await newProject(member, 'moving')
  const id = await disk(member, 'moving', 'one')
  await detached(member, id)
  const content = await bytesOf(bed, 'disk', id)
  // It is restored after each of the statements, as a request between two of them would.
  for (let after = 1; after <= 3; after++) {
    await remove(member, 'disk', id)
    const item = await itemOf(member, id, 'moving')
    let statements = 0
    const db = afterEach(bed.db, async () => {
      if (++statements === after) expect((await restore(member, item)).status).toBe(201)
    })
    expect(await isReferenced({ db }, content)).toBe(true)
    if (statements < after) break
  }
})

test('looking and restoring 16 at once, with all that belongs to a project, leaves it whole and once', async ({
  member,
}) => {
  const project = await newProject(member, 'many')
  const ids = await Promise.all(Array.from({ length: 12 }, (_, n) => disk(member, 'many', `disk-${n}`, GiB)))
  for (const id of ids) {
    await detached(member, id)
    await remove(member, 'disk', id)
  }
  for (const { id } of (await member.get('/v1/vpc-subnets?project=many&vpc=default')).body.items)
    await remove(member, 'vpc-subnet', id)
  for (const { id } of (await member.get('/v1/vpcs?project=many')).body.items) await remove(member, 'vpc', id)
  await remove(member, 'project', project)
  const item = await itemOf(member, project)
  const together = (await planOf(member, item)).together.map((each: Item) => each.id)
  expect(together).toHaveLength(14)
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, n) =>
      n % 2 === 0 ? restore(member, item, { together }) : planOf(member, item),
    ),
  )
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1)
  expect((await member.get('/v1/disks?project=many&limit=100')).body.items).toHaveLength(12)
  expect(await listed(member, 'many')).toEqual([])
  // An item that does not belong to it, and more than one restore takes.
  const other = await disk(member, 'many', 'other')
  await detached(member, other)
  await remove(member, 'disk', other)
  const [alone] = await listed(member, 'many')
  expect((await restore(member, alone as Item, { together: [crypto.randomUUID()] })).status).toBe(400)
  const tooMany = Array.from({ length: 51 }, () => crypto.randomUUID())
  expect((await restore(member, alone as Item, { together: tooMany })).status).toBe(400)
})

test('a right that ends between the look and the press ends the restore', async ({
  bed,
  member,
  operator,
}) => {
  const project = await newProject(member, 'ending')
  const id = await disk(member, 'ending', 'one')
  await detached(member, id)
  await remove(member, 'disk', id)
  const helper = await bed.addUser('helper', { roles: [{ at: { project }, role: 'collaborator' }] })
  const item = await itemOf(helper, id, 'ending')
  expect((await planOf(helper, item)).why_not).toBe(null)
  await operator.call('PUT', `/v1/projects/${project}/policy`, { role_assignments: [] })
  expect((await restore(helper, item)).status).toBe(404)
  expect(await listed(member, 'ending')).toHaveLength(1)
})

test('every kind that goes into the bin has its words', () => {
  expect(Object.keys(paths).sort()).toEqual([...recycledKinds].sort())
})
