import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GiB } from '../../testing/case-values.ts'
import {
  type Caller,
  eventually,
  said,
  settledJobs,
  testControlPlane,
  type TestBed,
} from '../../testing/control-plane.ts'
import { made } from '../../testing/hidden-things.ts'
import { failingBlocks } from '../storage/storage.fixtures.ts'

const { blocks, failing } = failingBlocks()
let bed: TestBed
let me: Caller
beforeAll(async () => {
  bed = await testControlPlane({ environment: { blocks } })
  me = await bed.signIn('member')
  await made(me, '/v1/projects', { name: 'shop', description: '' })
})
afterAll(() => bed.stop())

const at = 'project=shop'
const path = '/ext/v1/instance-snapshots'
const blank = { type: 'blank', block_size: 512 }
const disk = (name: string) => ({ type: 'create', name, description: '', size: GiB, disk_source: blank })

async function makeInstance(name: string, more: object = {}): Promise<string> {
  const id = await made(me, `/v1/instances?${at}`, {
    name,
    description: `about ${name}`,
    hostname: name,
    ncpus: 2,
    memory: 2 * GiB,
    start: false,
    boot_disk: disk(`${name}-boot`),
    disks: [disk(`${name}-data`)],
    ...more,
  })
  await settledJobs(bed)
  return id
}
const take = (instance: string, name: string) => me.post(`${path}?${at}`, { name, description: '', instance })
const view = async (name: string) => (await me.get(`${path}/${name}?${at}`)).body
const contentOf = async (name: string): Promise<string> =>
  (
    await bed.db
      .selectFrom('disk')
      .select('content_id')
      .where('name', '=', name)
      .where('time_deleted', 'is', null)
      .executeTakeFirstOrThrow()
  ).content_id
const write = async (name: string, byte: number): Promise<void> =>
  blocks.write(await contentOf(name), 0, Uint8Array.of(byte))
const byteOf = async (name: string): Promise<number | undefined> =>
  (await blocks.read(await contentOf(name), 0, 1))[0]
const used = async (): Promise<number> => (await me.get('/v1/utilization')).body.provisioned.storage
const items = async (where: string) => (await me.get(`${where}?${at}`)).body.items
const runs = async (instance: string): Promise<void> => {
  await me.post(`/v1/instances/${instance}/start?${at}`)
  await eventually(
    async () => {
      bed.pass(500)
      return (await me.get(`/v1/instances/${instance}?${at}`)).body.run_state
    },
    (state) => state === 'running',
  )
}
/** The latest task of a kind, once it is over. */
async function taskOf(kind: string) {
  await settledJobs(bed)
  return eventually(
    async () => {
      bed.pass(500)
      await settledJobs(bed)
      return (await me.get(`/ext/v1/tasks?kind=${kind}`)).body.items[0]
    },
    (task) => task !== undefined && task.state !== 'running',
  )
}
const restore = (name: string, body: object = {}) => me.post(`${path}/${name}/restore?${at}`, body)

test('holds all disks and settings of a stopped instance, counts towards the quota, and is a task', async () => {
  await made(me, '/v1/me/ssh-keys', { name: 'laptop', description: '', public_key: 'ssh-ed25519 AAAA' })
  const id = await makeInstance('web', { user_data: 'c2VjcmV0' })
  await write('web-boot', 1)
  const before = await used()
  const answer = await take('web', 'first')
  expect(answer.status).toBe(201)
  expect(answer.body).toMatchObject({
    state: 'ready',
    consistency: 'stopped',
    instance_id: id,
    instance_name: 'web',
    size: 2 * GiB,
    disks: [
      { name: 'web-boot', is_boot: true },
      { name: 'web-data', is_boot: false },
    ],
    settings: {
      ncpus: 2,
      memory: 2 * GiB,
      hostname: 'web',
      has_user_data: true,
      ssh_keys: 1,
      network_interfaces: [{ vpc: { name: 'default' }, subnet: { name: 'default' } }],
    },
  })
  expect(JSON.stringify(answer.body)).not.toContain('c2VjcmV0')
  expect((await used()) - before).toBe(2 * GiB)
  const members = (await items('/v1/snapshots')) as { state: string; instance_snapshot_id: string }[]
  expect(members.map((one) => [one.state, one.instance_snapshot_id])).toEqual([
    ['ready', answer.body.id],
    ['ready', answer.body.id],
  ])
  expect(await taskOf('instance-snapshot')).toMatchObject({
    verb: 'take',
    state: 'finished',
    object: { kind: 'instance-snapshot', name: 'first' },
  })
  const [entry] = (await me.get(`/ext/v1/activity?${at}&kind=instance-snapshot`)).body.items
  expect(entry.changes[0]).toMatchObject({ action: 'took', name: 'first' })
})

test('of a running instance is consistent with a guest agent, else as after a power cut, and refused where there is nothing to copy', async () => {
  await makeInstance('busy')
  await runs('busy')
  expect((await take('busy', 'while-running')).body).toMatchObject({
    state: 'ready',
    consistency: 'consistent',
  })
  await sql`UPDATE guest SET facts = facts || '{"has_agent": false}'`.execute(bed.db)
  expect((await take('busy', 'without-agent')).body).toMatchObject({ consistency: 'power_cut' })
  await made(me, `/v1/instances?${at}`, {
    name: 'bare',
    description: '',
    hostname: 'bare',
    ncpus: 1,
    memory: GiB,
    start: false,
  })
  expect(said(await take('bare', 'nothing'))).toBe('400 the instance has no disks')
  expect(said(await take('busy', 'while-running'))).toMatch(/^400 already exists/)
  expect(said(await take('nobody', 'x'))).toMatch(/^404 /)
})

test('a snapshot of a disk in it is not deleted alone, and all of it comes back from the recycle bin', async () => {
  await makeInstance('kept')
  await write('kept-data', 7)
  const { id, disks } = (await take('kept', 'bundle')).body
  const [{ snapshot_id }] = disks
  const alone = await me.call('DELETE', `/v1/snapshots/${snapshot_id}`)
  expect(said(alone)).toBe('400 the snapshot belongs to instance snapshot bundle')
  const before = await used()
  expect((await me.call('DELETE', `${path}/${id}`)).status).toBe(204)
  expect((await used()) - before).toBe(-2 * GiB)
  await settledJobs(bed)
  expect((await me.get(`/v1/snapshots/${snapshot_id}`)).status).toBe(404)
  const bin = (await items('/ext/v1/recycle-bin')) as { id: string; object_id: string; parts: object }[]
  const item = bin.find(({ object_id }) => object_id === id)
  expect(item).toMatchObject({ kind: 'instance-snapshot', storage: 2 * GiB, parts: { snapshot: 2 } })
  // Another one has taken its name, and the bytes are still there.
  await take('kept', 'bundle')
  const back = await me.post(`/ext/v1/recycle-bin/${item?.id}/restore`, {
    name: 'bundle-again',
    together: [],
  })
  expect(back.status).toBe(201)
  expect((await me.get(`/v1/snapshots/${snapshot_id}`)).body.state).toBe('ready')
  expect((await me.post(`${path}/bundle-again/instances?${at}`, { name: 'revived' })).status).toBe(201)
  await settledJobs(bed)
  const revived = (await items('/v1/disks')).find(({ name }: { name: string }) =>
    name.startsWith('revived-kept-data'),
  )
  expect(await byteOf(revived.name)).toBe(7)
  // For good, its bytes go too.
  const { content_id } = await bed.db
    .selectFrom('snapshot')
    .select('content_id')
    .where('id', '=', snapshot_id)
    .executeTakeFirstOrThrow()
  await me.call('DELETE', `/ext/v1/objects/${id}?kind=instance-snapshot&for_good=true`)
  await settledJobs(bed)
  expect(await blocks.size(content_id)).toBeUndefined()
})

test('gets another name, which keeps it and is undone', async () => {
  await makeInstance('named')
  const { id, disks } = (await take('named', 'before')).body
  const rename = (name: string) => me.call('PUT', `${path}/${id}`, { name })
  const renamed = await rename('after')
  expect(renamed.body).toMatchObject({ id, name: 'after', description: '', state: 'ready', disks })
  expect((await me.get(`${path}/before?${at}`)).status).toBe(404)
  await take('named', 'other')
  expect(said(await rename('other'))).toMatch(/^400 already exists: instance-snapshot "other"/)
  expect((await rename('Not a name')).status).toBe(400)
  const entries = (await me.get(`/ext/v1/activity?${at}&object=${id}`)).body.items as {
    id: string
    is_revertible: boolean
  }[]
  const entry = entries.find(({ is_revertible }) => is_revertible)
  const revert = (await me.get(`/ext/v1/activity/${entry?.id}/revert`)).body
  const undone = await me.post(`/ext/v1/activity/${entry?.id}/revert`, { hash: revert.hash, keep: [] })
  expect(undone.status, JSON.stringify([revert, undone.body])).toBeLessThan(300)
  expect((await view('before')).id).toBe(id)
})

test('becomes a new instance with the settings that still exist, also once the instance is gone', async () => {
  await made(me, `/v1/affinity-groups?${at}`, {
    name: 'near',
    description: '',
    policy: 'allow',
    failure_domain: 'sled',
  })
  const id = await makeInstance('source')
  await me.post(`/v1/affinity-groups/near/members/instance/source?${at}`)
  await write('source-boot', 5)
  await take('source', 'of-source')
  await me.call('DELETE', `/v1/instances/source?${at}`)
  const list = await me.get(`${path}?${at}&instance_id=${id}`)
  expect(list.body.items).toMatchObject([{ name: 'of-source', instance_name: 'source' }])
  const plan = (await me.get(`${path}/of-source/restore-plan?${at}`)).body
  expect(plan.in_place.why_not).toBe(
    'Instance source no longer exists. Create a new instance from the snapshot.',
  )
  expect(plan.as_new).toMatchObject({ why_not: null, missing: [] })
  const created = await me.post(`${path}/of-source/instances?${at}`, { name: 'second', hostname: 'two' })
  expect(created.body).toMatchObject({
    name: 'second',
    hostname: 'two',
    description: 'about source',
    ncpus: 2,
    run_state: 'stopped',
  })
  await settledJobs(bed)
  const disks = (await me.get(`/v1/instances/second/disks?${at}`)).body.items as {
    id: string
    name: string
  }[]
  const boot = disks.find((one) => one.id === created.body.boot_disk_id)
  expect(boot?.name).toMatch(/^second-source-boot-/)
  expect(await byteOf(boot?.name ?? '')).toBe(5)
  expect((await me.get(`/v1/instances/second/affinity-groups?${at}`)).body.items).toMatchObject([
    { name: 'near' },
  ])
  await me.call('DELETE', `/v1/affinity-groups/near?${at}`)
  expect((await me.get(`${path}/of-source/restore-plan?${at}`)).body.as_new.missing).toEqual([
    { kind: 'affinity-group', name: 'near' },
  ])
})

test('returns the disks of a stopped instance in place, makes lost ones again, and keeps the present state', async () => {
  const id = await makeInstance('place')
  await write('place-boot', 1)
  await write('place-data', 2)
  await take('place', 'earlier')
  await write('place-boot', 8)
  // One has been added since, and one is gone.
  await me.post(`/v1/instances/place/disks/detach?${at}`, { disk: 'place-data' })
  await me.call('DELETE', `/v1/disks/place-data?${at}`)
  await me.post(`/v1/disks?${at}`, { name: 'place-new', description: '', size: GiB, disk_source: blank })
  await me.post(`/v1/instances/place/disks/attach?${at}`, { disk: 'place-new' })
  await settledJobs(bed)
  await write('place-new', 9)
  await runs('place')
  expect(said(await restore('earlier'))).toBe('400 instance place is running')
  await me.post(`/ext/v1/instances/place/force-off?${at}`)
  await eventually(
    async () => {
      bed.pass(500)
      return (await me.get(`/v1/instances/place?${at}`)).body.run_state
    },
    (state) => state === 'stopped',
  )
  expect((await me.get(`${path}/earlier/restore-plan?${at}`)).body.in_place).toMatchObject({
    why_not: null,
    disks: [
      { name: 'place-boot', fate: 'replaced' },
      { name: 'place-data', fate: 'created' },
      { name: 'place-new', fate: 'kept' },
    ],
  })
  const old = await contentOf('place-boot')
  const answer = await restore('earlier', { present_name: 'just-before' })
  expect(answer.status).toBe(202)
  expect(answer.body).toMatchObject({ instance_id: id, kept: { name: 'just-before' } })
  expect(said(await restore('earlier', { present_name: 'again' }))).toMatch(/^(409|202)/)
  expect(await taskOf('instance-restore')).toMatchObject({
    verb: 'restore',
    state: 'finished',
    object: { kind: 'instance', name: 'place' },
    progress: { done: 2, total: 2 },
  })
  expect([await byteOf('place-boot'), await byteOf('place-data'), await byteOf('place-new')]).toEqual([
    1, 2, 9,
  ])
  await settledJobs(bed)
  expect(await blocks.size(old)).toBeUndefined()
  const kept = await view('just-before')
  expect(kept).toMatchObject({ state: 'ready', consistency: 'stopped' })
  expect(kept.disks.map(({ name }: { name: string }) => name).toSorted()).toEqual(['place-boot', 'place-new'])
  // The way back.
  await restore('just-before', { keep_present: false })
  expect(await taskOf('instance-restore')).toMatchObject({ state: 'finished' })
  expect(await byteOf('place-boot')).toBe(8)
  const [entry] = (await me.get(`/ext/v1/activity?${at}&kind=instance&action=restored`)).body.items
  expect(entry.actor).toMatchObject({ kind: 'user' })
  expect(entry.changes[0]).toMatchObject({ action: 'restored', kind: 'instance', name: 'place' })
  await runs('place')
})

test('a failed copy faults the whole, and a failed restore changes nothing', async () => {
  await makeInstance('fragile')
  await write('fragile-boot', 1)
  await take('fragile', 'whole')
  failing.create = 1
  failing.refused = 0
  const retried = await take('fragile', 'retried')
  await settledJobs(bed)
  expect((await view(retried.body.name)).state).toBe('ready')
  failing.refused = 1
  const faulted = (await take('fragile', 'broken')).body
  await settledJobs(bed)
  expect(await view(faulted.name)).toMatchObject({ state: 'faulted', failure: { message: 'create refused' } })
  const members = (await items('/v1/snapshots')) as { instance_snapshot_id: string; state: string }[]
  expect(members.filter((one) => one.instance_snapshot_id === faulted.id).map(({ state }) => state)).toEqual([
    'faulted',
    'faulted',
  ])
  expect(said(await restore('broken'))).toBe('400 the instance snapshot is faulted')
  await write('fragile-boot', 6)
  const content = await contentOf('fragile-boot')
  failing.refused = 1
  await restore('whole', { keep_present: false })
  expect(await taskOf('instance-restore')).toMatchObject({
    state: 'failed',
    failure: { message: 'create refused' },
  })
  expect([await contentOf('fragile-boot'), await byteOf('fragile-boot')]).toEqual([content, 6])
  const { disks } = await bed.db
    .selectFrom('instance_restore')
    .select('disks')
    .where('state', '=', 'failed')
    .executeTakeFirstOrThrow()
  await settledJobs(bed)
  for (const { content_id } of disks) expect(await blocks.size(content_id)).toBeUndefined()
})

test('a restore replaces nothing if the instance or a disk changes meanwhile', async () => {
  const instance = await makeInstance('moving')
  await write('moving-boot', 1)
  await take('moving', 'still')
  await write('moving-boot', 2)
  // The first attempt fails, and the next one comes later.
  failing.create = 1
  await restore('still', { keep_present: false })
  await eventually(
    async () => failing.create,
    (left) => left === 0,
  )
  // As if someone had started and stopped it in between.
  await bed.db
    .updateTable('instance')
    .set({ time_run_state_updated: new Date() })
    .where('id', '=', instance)
    .execute()
  const task = await taskOf('instance-restore')
  expect(task).toMatchObject({ state: 'failed' })
  expect(task.failure.message).toContain('was started meanwhile')
  expect(await byteOf('moving-boot')).toBe(2)
})

test('of 16 taken at once all end, and those that the quota has no room for leave nothing', async () => {
  await makeInstance('many')
  const answers = await Promise.all(Array.from({ length: 16 }, (_, n) => take('many', `at-once-${n}`)))
  await settledJobs(bed)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  const mine = (await items(path)).filter(({ name }: { name: string }) => name.startsWith('at-once'))
  expect(mine).toHaveLength(16)
  expect(new Set(mine.map(({ state }: { state: string }) => state))).toEqual(new Set(['ready']))
  const quota = (await me.get('/v1/utilization')).body
  await bed.db
    .updateTable('silo_quotas')
    .set({ storage: quota.provisioned.storage + GiB })
    .execute()
  expect(said(await take('many', 'one-too-many'))).toMatch(/Storage Limit Exceeded/)
  expect(
    (await items('/v1/snapshots')).some(({ name }: { name: string }) => name.startsWith('one-too')),
  ).toBe(false)
  await bed.db
    .updateTable('silo_quotas')
    .set({ storage: 2 ** 50 })
    .execute()
})

test('a project with one is not empty, and its deletion as a whole takes it along', async () => {
  await made(me, '/v1/projects', { name: 'other', description: '' })
  const there = 'project=other'
  await made(me, `/v1/instances?${there}`, {
    name: 'only',
    description: '',
    hostname: 'only',
    ncpus: 1,
    memory: GiB,
    start: false,
    disks: [disk('only-disk')],
  })
  await settledJobs(bed)
  await made(me, `${path}?${there}`, { name: 'last', description: '', instance: 'only' })
  await me.call('DELETE', `/v1/instances/only?${there}`)
  await me.call('DELETE', `/v1/disks/only-disk?${there}`)
  for (const { name } of (await me.get(`/v1/vpcs?${there}`)).body.items) {
    await me.call('DELETE', `/v1/vpc-subnets/default?${there}&vpc=${name}`)
    await me.call('DELETE', `/v1/vpcs/${name}?${there}`)
  }
  expect(said(await me.call('DELETE', '/v1/projects/other'))).toMatch(/instance snapshot|a snapshot/)
})
