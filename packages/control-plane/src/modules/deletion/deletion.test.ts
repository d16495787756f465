import type { Deletion, DeletionPlan } from '@gantry/api/history/deletion'
import { isSimpleDeletion } from '@gantry/api/history/deletion.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raiseRolesEpoch } from '../../authz/held-roles.ts'
import { systemCx } from '../../context/cx.ts'
import { type Caller, eventually, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { addProbe, called, furnishProject, made } from '../../testing/hidden-things.ts'
import { testServices } from '../../testing/services.ts'
import { deletionTask } from './job.ts'

let bed: TestBed
let member: Caller
let admin: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  member = await bed.signIn('member')
  admin = await bed.signIn('admin')
})
afterAll(() => bed.stop())

const planOf = async (id: string, kind = 'project', who = member): Promise<DeletionPlan> => {
  const { status, body } = await who.get(`/ext/v1/deletion-plans/${id}?kind=${kind}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const begin = (object_id: string, hash: string, kind = 'project', who = member) =>
  who.post('/ext/v1/deletions', { kind, object_id, hash })
const view = async (id: string, who = member): Promise<Deletion> =>
  (await who.get(`/ext/v1/deletions/${id}`)).body
const ended = (id: string, who = member): Promise<Deletion> =>
  eventually(
    () => {
      bed.pass(500)
      return view(id, who)
    },
    ({ state }) => state !== 'running',
    20_000,
  )
async function deleted(id: string, kind = 'project', who = member): Promise<Deletion> {
  const { status, body } = await begin(id, (await planOf(id, kind, who)).hash, kind, who)
  expect(status, JSON.stringify(body)).toBe(202)
  return ended(body.id, who)
}

const project = (name: string) => made(member, '/v1/projects', { name, description: '' })
const machine = (at: string, name: string, more: object = {}) =>
  made(member, `/v1/instances?project=${at}`, {
    name,
    description: '',
    ncpus: 1,
    memory: 2 ** 30,
    hostname: name,
    network_interfaces: { type: 'none' },
    ...more,
  })
const disk = (at: string, name: string) =>
  made(member, `/v1/disks?project=${at}`, {
    name,
    description: '',
    size: 2 ** 30,
    disk_source: { type: 'blank', block_size: 512 },
  })
const reaches = (id: string, state: string) =>
  eventually(
    async () => (await member.get(`/v1/instances/${id}`)).body,
    ({ run_state }) => run_state === state,
  )
const count = (plan: DeletionPlan, kind: string): number =>
  plan.goes.find((branch) => branch.kind === kind)?.count ?? 0

test('a project goes with all that it contains, running instances stopped first, as one task', async () => {
  const ids = await furnishProject(member, 'whole')
  const id = ids.project ?? ''
  const running = await machine('whole', 'runs')
  await reaches(running, 'running')
  const plan = await planOf(id)
  const stuck = plan.blockers.map(({ message }) => message)
  expect(stuck, JSON.stringify(plan.blockers)).toEqual([])
  expect(plan.object).toEqual({ kind: 'project', id, name: 'whole' })
  expect(plan.goes.find(({ kind }) => kind === 'instance')).toMatchObject({
    count: 4,
    concerned: 1,
    fate: 'stopped_and_deleted',
    memory: 4 * 2 ** 30,
  })
  for (const kind of [
    'disk',
    'snapshot',
    'instance-snapshot',
    'instance-backup',
    'image',
    'floating-ip',
    'vpc',
    'vpc-subnet',
    'affinity-group',
  ])
    expect(count(plan, kind), kind).toBeGreaterThan(0)
  expect(isSimpleDeletion(plan)).toBe(false)
  const quota = async () => (await member.get('/v1/utilization')).body.provisioned
  const task = await deleted(id)
  expect(task).toMatchObject({ state: 'done', done: plan.steps, total: plan.steps, refusal: null, now: null })
  expect((await member.get('/v1/projects/whole')).status).toBe(404)
  for (const table of [
    'instance',
    'disk',
    'snapshot',
    'image',
    'external_ip',
    'vpc',
    'affinity_group',
  ] as const) {
    const left = await bed.db
      .selectFrom(table as 'disk')
      .select('name')
      .where('project_id', '=', id)
      .where('time_deleted', 'is', null)
      .execute()
    expect(left, table).toEqual([])
  }
  expect((await quota()).storage).toBe(0)
  // Each deletion is told of as the user's, by the operation that it was.
  const { items } = (await member.get('/ext/v1/activity?limit=100')).body
  expect(items[0]).toMatchObject({ operation: 'project_delete', actor: { kind: 'user' } })
})

test('what is in the way is said all at once, each with its way out', async () => {
  const id = await project('kept')
  const instance = await machine('kept', 'db-keep', { start: false })
  const importing = await made(member, '/v1/disks?project=kept', {
    name: 'half-imported',
    description: '',
    size: 2 ** 30,
    disk_source: { type: 'importing_blocks', block_size: 512 },
  })
  await member.call('PUT', `/ext/v1/protections/${instance}?kind=instance`, {
    no_delete: true,
    no_stop: false,
    reason: 'figures of the third quarter',
  })
  const plan = await planOf(id)
  expect(plan.blockers).toEqual([
    {
      cause: 'protected',
      kind: 'instance',
      count: 1,
      first: [{ id: instance, name: 'db-keep' }],
      message: 'Instance db-keep is protected by member: figures of the third quarter',
      help: 'Take the protection off first.',
    },
    {
      cause: 'state',
      kind: 'disk',
      count: 1,
      first: [{ id: importing, name: 'half-imported' }],
      message: 'Disk half-imported is in state import_ready, in which it cannot be deleted',
      help: 'Wait until its work is done, or finish its import.',
    },
  ])
  const refused = await begin(id, plan.hash)
  expect(refused.status).toBe(400)
  expect(refused.body.message).toBe(plan.blockers[0]?.message)
  expect((await member.get('/v1/instances/db-keep?project=kept')).status).toBe(200)
})

test('a plan whose object has changed is refused with the new one', async () => {
  const id = await project('moving')
  const old = await planOf(id)
  expect(isSimpleDeletion(old)).toBe(true)
  expect(await planOf(id)).toEqual({ ...old, time_made: expect.any(String) })
  await disk('moving', 'late')
  const refused = await begin(id, old.hash)
  expect([refused.status, refused.body.message]).toEqual([409, 'what would be deleted has changed'])
  const now = await planOf(id)
  expect(refused.body.details.plan.hash).toBe(now.hash)
  expect(count(now, 'disk')).toBe(1)
  // An edit of the object that does not matter to its deletion leaves the plan as it was.
  await member.call('PUT', '/v1/projects/moving', { description: 'another' })
  expect((await begin(id, now.hash)).status).toBe(202)
})

/** Begins the deletion with no job loop that could take it. */
async function begun(id: string, kind = 'project', who = member) {
  const task = await begin(id, (await planOf(id, kind, who)).hash, kind, who)
  expect(task.status, JSON.stringify(task.body)).toBe(202)
  return task.body as Deletion
}

test('only one deletion of an object runs, and two that begin at the same time are one', async () => {
  const id = await project('twice')
  for (let index = 0; index < 20; index++) await disk('twice', `d-${index}`)
  const { hash } = await planOf(id)
  const both = await Promise.all([begin(id, hash), begin(id, hash)])
  const [first, second] = both.toSorted((one, other) => one.status - other.status)
  expect(first?.status).toBe(202)
  // The second found the first running, or its first steps done.
  expect([400, 404, 409]).toContain(second?.status)
  expect((await ended(first?.body.id)).state).toBe('done')
})

test('what is created after the plan stays, and stops the task where it is', async () => {
  const id = await project('growing')
  await disk('growing', 'seen')
  const running = await machine('growing', 'slow')
  await reaches(running, 'running')
  const task = await begun(id)
  // The task waits for the instance to stop, so the project still accepts this.
  const late = await member.post('/v1/disks?project=growing', {
    name: 'unseen',
    description: '',
    size: 2 ** 30,
    disk_source: { type: 'blank', block_size: 512 },
  })
  expect(late.status).toBe(201)
  const shown = async () =>
    (await member.get('/ext/v1/tasks?mine=true&limit=20')).body.items.find(
      ({ object }: { object: { name: string } }) => object.name === 'growing',
    )
  expect(await shown()).toMatchObject({ kind: 'deletion', verb: 'delete', state: 'running' })
  const result = await ended(task.id)
  expect(await shown()).toMatchObject({ state: 'failed', failure: { code: 'InvalidRequest' } })
  expect(result).toMatchObject({
    state: 'stopped',
    refusal: {
      kind: 'project',
      name: 'growing',
      error: { code: 'InvalidRequest', message: 'project to be deleted contains a disk: unseen' },
    },
  })
  expect((await member.get('/v1/disks/unseen?project=growing')).status).toBe(200)
  expect((await member.get('/v1/disks/seen?project=growing')).status).toBe(404)
  // The rest goes with a plan that shows it.
  expect((await deleted(id)).state).toBe('done')
})

test('what is restored after the confirmation stays, and stops the task where it is', async () => {
  const id = await project('undone')
  const wanted = await disk('undone', 'wanted')
  await eventually(
    async () => (await member.get(`/v1/disks/${wanted}`)).body,
    ({ state }) => state.state === 'detached',
  )
  const running = await machine('undone', 'slow')
  await reaches(running, 'running')
  expect((await member.call('DELETE', `/v1/disks/${wanted}`)).status).toBe(204)
  const task = await begun(id)
  const [item] = (await member.get('/ext/v1/recycle-bin?project=undone')).body.items
  expect((await member.post(`/ext/v1/recycle-bin/${item.id}/restore`, {})).status).toBe(201)
  expect(await ended(task.id)).toMatchObject({
    state: 'stopped',
    refusal: { error: { message: 'project to be deleted contains a disk: wanted' } },
  })
  expect((await member.get(`/v1/disks/${wanted}`)).status).toBe(200)
})

test('a right that ends in the middle stops the task there', async () => {
  const id = await project('lost')
  for (let index = 0; index < 5; index++) await disk('lost', `d-${index}`)
  const helper = await bed.addUser('lost-helper', { roles: [{ at: { project: id }, role: 'admin' }] })
  const running = await machine('lost', 'slow')
  await reaches(running, 'running')
  const task = await begun(id, 'project', helper)
  await bed.db.deleteFrom('role_assignment').where('identity_id', '=', helper.id).execute()
  await raiseRolesEpoch(bed.db)
  const result = await ended(task.id, helper)
  expect(result.state).toBe('stopped')
  expect(result.refusal?.error).toMatchObject({
    code: 'Forbidden',
    message: 'The user who began this may not delete it any more',
  })
  expect((await member.get('/v1/projects/lost')).status).toBe(200)
})

test('nobody else sees or cancels a deletion, and its owner cancels it between two steps', async () => {
  const id = await project('cancelled')
  const running = await machine('cancelled', 'slow')
  await reaches(running, 'running')
  const task = await begun(id)
  const other = await bed.signIn('viewer')
  expect((await other.get(`/ext/v1/deletions/${task.id}`)).status).toBe(404)
  expect((await other.post(`/ext/v1/deletions/${task.id}/cancel`)).status).toBe(404)
  expect((await other.get('/ext/v1/deletions')).body.items).toEqual([])
  const cancelled = await member.post(`/ext/v1/deletions/${task.id}/cancel`)
  expect([cancelled.status, cancelled.body.state]).toEqual([200, 'cancelled'])
  expect((await member.post(`/ext/v1/deletions/${task.id}/cancel`)).status).toBe(409)
  await reaches(running, 'stopped')
  bed.pass(5000)
  expect((await member.get('/v1/projects/cancelled')).status).toBe(200)
  expect((await member.get('/ext/v1/deletions')).body.items).toContainEqual(cancelled.body)
})

test('a task that several processes run, again and again, deletes everything once', async () => {
  const id = await project('crashed')
  for (let index = 0; index < 12; index++) await disk('crashed', `d-${index}`)
  const plan = await planOf(id)
  const task = await begun(id)
  const services = testServices({ db: bed.db })
  const again = () =>
    deletionTask.run(systemCx(services, 'job:deletion'), { deletion_id: task.id }).catch(() => undefined)
  await Promise.all([again(), again(), again()])
  const result = await ended(task.id)
  expect(result).toMatchObject({ state: 'done', done: plan.steps })
  const rows = await bed.db
    .selectFrom('change')
    .select('object_id')
    .where('project_id', '=', id)
    .where('op', '=', 'delete')
    .execute()
  expect(new Set(rows.map(({ object_id }) => object_id)).size).toBe(rows.length)
})

test('a VPC that instances use is not deleted, and goes with its subnets once they are gone', async () => {
  await project('wired')
  const instance = await machine('wired', 'uses-it', {
    start: false,
    network_interfaces: { type: 'default' },
  })
  const { id } = (await member.get('/v1/vpcs/default?project=wired')).body
  const plan = await planOf(id, 'vpc')
  expect(plan.blockers).toMatchObject([
    { cause: 'in_use', kind: 'instance', count: 1, message: 'Instance uses-it has an interface in it' },
  ])
  expect((await member.call('DELETE', `/v1/instances/${instance}`)).status).toBe(204)
  expect((await planOf(id, 'vpc')).blockers).toEqual([])
  expect((await deleted(id, 'vpc')).state).toBe('done')
  expect((await member.get(`/v1/vpcs/${id}`)).status).toBe(404)
})

test('a probe is in the way of those who do not see it, and goes with the project of those who do', async () => {
  const id = await project('probed')
  await addProbe(bed, admin, 'probed')
  const [blocker] = (await planOf(id)).blockers
  expect(blocker).toMatchObject({ cause: 'in_use', kind: 'vpc-subnet' })
  expect(JSON.stringify(await planOf(id))).not.toContain(called('probe'))
  expect((await planOf(id, 'project', admin)).blockers).toEqual([])
  expect((await deleted(id, 'project', admin)).state).toBe('done')
})

test('a pool is kept while addresses of it are in use, and goes with its ranges and links', async () => {
  const pool = await made(admin, '/v1/system/ip-pools', { name: 'spare', description: '' })
  const range = { first: '203.0.113.200', last: '203.0.113.210' }
  expect((await admin.post('/v1/system/ip-pools/spare/ranges/add', range)).status).toBe(201)
  const silo = (await admin.get('/v1/me')).body.silo_id
  await admin.post('/v1/system/ip-pools/spare/silos', { silo, is_default: false })
  const plan = await planOf(pool, 'ip-pool', admin)
  expect(plan.goes.map(({ kind, count: many, fate }) => [kind, many, fate])).toEqual([
    ['ip-pool-range', 1, 'deleted'],
    ['silo', 1, 'unlinked'],
  ])
  await project('addressed')
  await made(member, '/v1/floating-ips?project=addressed', {
    name: 'front',
    description: '',
    pool: 'spare',
  })
  expect((await planOf(pool, 'ip-pool', admin)).blockers).toMatchObject([
    { cause: 'in_use', message: '1 address of the pool is in use' },
  ])
  await member.call('DELETE', '/v1/floating-ips/front?project=addressed')
  expect((await deleted(pool, 'ip-pool', admin)).state).toBe('done')
})

test('projects are in the way of an operator of another silo, and go with the silo of its own administrator', async () => {
  const siloId = await bed.addSilo('tenant')
  const owner = await bed.addUser('tenant-admin', { siloId, roles: [{ at: 'silo', role: 'admin' }] })
  await made(owner, '/v1/projects', { name: 'theirs', description: '' })
  const seen = await planOf(siloId, 'silo', admin)
  expect(seen.blockers).toMatchObject([{ cause: 'contains', kind: 'project', count: 1 }])
  expect(seen.goes.map(({ kind }) => kind)).not.toContain('vpc')
  const plan = await planOf(siloId, 'silo', owner)
  expect(plan.blockers).toEqual([])
  expect(plan.goes.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['project', 'vpc', 'silo-user']))
  const task = await begun(siloId, 'silo', owner)
  await eventually(
    () => {
      bed.pass(500)
      return bed.db.selectFrom('deletion').select('state').where('id', '=', task.id).executeTakeFirst()
    },
    (row) => row?.state === 'done',
  )
  expect((await admin.get(`/v1/system/silos/${siloId}`)).status).toBe(404)
})

test('an image goes whatever was made of it, which the plan says', async () => {
  const ids = await furnishProject(member, 'pictured')
  const plan = await planOf(ids.image ?? '', 'image')
  expect(plan.blockers).toEqual([])
  expect(plan.goes.every(({ fate }) => fate === 'kept')).toBe(true)
  expect((await deleted(ids.image ?? '', 'image')).state).toBe('done')
})

test('a plan stays small and counts all, however much there is', async () => {
  const id = await project('many')
  for (let index = 0; index < 25; index++) await disk('many', `disk-${String(index).padStart(2, '0')}`)
  const plan = await planOf(id)
  const disks = plan.goes.find(({ kind }) => kind === 'disk')
  expect(disks).toMatchObject({ count: 25, storage: 25 * 2 ** 30 })
  expect(disks?.first.map(({ name }) => name).slice(0, 2)).toEqual(['disk-00', 'disk-01'])
  expect(disks?.first).toHaveLength(20)
})
