import type { RecycledItem } from '@gantry/api/history/recycle-bin'
import type { Restoration, RestorationPlan } from '@gantry/api/history/restoration'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemCx } from '@gantry/control-plane/context/cx'
import { defaultSettings } from '@gantry/control-plane/settings'
import { GiB } from '@gantry/control-plane/testing/case-values'
import {
  type Caller,
  eventually,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { furnishProject, made } from '@gantry/control-plane/testing/hidden-things'
import { addRestoration } from '@gantry/control-plane/testing/restorations'
import { testServices } from '@gantry/control-plane/testing/services'
import { restorationTask } from './job.ts'
import { restorationTasks } from './restoration-task.ts'
import type { Begun } from '../../tasks/source.ts'

let bed: TestBed
let member: Caller
let admin: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  member = await bed.signIn('member')
  admin = await bed.signIn('admin')
})
afterAll(() => bed.stop())

const project = (name: string) => made(member, '/v1/projects', { name, description: '' })
const disk = (at: string, name: string) =>
  made(member, `/v1/disks?project=${at}`, {
    name,
    description: '',
    size: GiB,
    disk_source: { type: 'blank', block_size: 512 },
  })
const passed = <Answer>(read: () => Promise<Answer>, isOver: (answer: Answer) => boolean) =>
  eventually(
    () => {
      bed.pass(500)
      return read()
    },
    isOver,
    20_000,
  )
const ready = (ids: readonly string[]) =>
  passed(
    async () => (await Promise.all(ids.map((id) => member.get(`/v1/disks/${id}`)))).map(({ body }) => body),
    (disks) => disks.every(({ state }) => state.state === 'detached'),
  )

/** Deletes an object with all that it holds, and answers with the deletion. */
async function deleted(id: string, kind = 'project', who = member): Promise<string> {
  const { hash } = (await who.get(`/ext/v1/deletion-plans/${id}?kind=${kind}`)).body
  const begun = await who.post('/ext/v1/deletions', { kind, object_id: id, hash })
  expect(begun.status, JSON.stringify(begun.body)).toBe(202)
  const ended = await passed(
    async () => (await who.get(`/ext/v1/deletions/${begun.body.id}`)).body,
    ({ state }) => state !== 'running',
  )
  expect(ended, JSON.stringify(ended.refusal)).toMatchObject({ state: 'done' })
  return begun.body.id
}
const binOf = async (query = '', who = member): Promise<RecycledItem[]> =>
  (await who.get(`/ext/v1/recycle-bin?limit=1000${query}`)).body.items
const planOf = async (deletion: string, who = member): Promise<RestorationPlan> => {
  const { status, body } = await who.post(`/ext/v1/deletions/${deletion}/restoration-plan`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const begin = (deletion_id: string, more: object = {}, who = member) =>
  who.post('/ext/v1/restorations', { deletion_id, ...more })
const ended = (id: string, who = member): Promise<Restoration> =>
  passed(
    async () => (await who.get(`/ext/v1/restorations/${id}`)).body,
    ({ state }) => state !== 'running',
  )
async function restored(deletion: string, more: object = {}): Promise<Restoration> {
  const { status, body } = await begin(deletion, more)
  expect(status, JSON.stringify(body)).toBe(202)
  return ended(body.id)
}

const lists = ['instances', 'disks', 'snapshots', 'images', 'floating-ips', 'vpcs'] as const
const contents = async (at: string) =>
  Object.fromEntries(
    await Promise.all(
      lists.map(async (list) => [
        list,
        (await member.get(`/v1/${list}?project=${at}&limit=1000`)).body.items.map(
          ({ id, name }: { id: string; name: string }) => [id, name],
        ),
      ]),
    ),
  )

test('a project that a deletion took comes back whole, as one row, one look and one task', async () => {
  const { project: id = '' } = await furnishProject(member, 'whole')
  const names = Array.from({ length: 60 }, (_, index) => `data-${index}`)
  await ready(await Promise.all(names.map((name) => disk('whole', name))))
  const gone = await disk('whole', 'deleted-before')
  await ready([gone])
  expect((await member.call('DELETE', `/v1/disks/${gone}`)).status).toBe(204)
  const before = await contents('whole')
  const deletion = await deleted(id)
  // One row in the silo's bin, which opens to all of it.
  const rows = (await binOf()).filter((item) => item.deletion?.id === deletion)
  expect(rows).toHaveLength(1)
  const all = await binOf(`&deletion=${deletion}`)
  expect(rows[0]).toMatchObject({
    object_id: id,
    deletion: { kind: 'project', name: 'whole', items: all.length },
  })
  expect(all.length).toBeGreaterThan(65)
  expect((await binOf(`&object=${before.disks[0][0]}`)).map(({ name }) => name)).toEqual([before.disks[0][1]])
  const plan = await planOf(deletion)
  expect(plan, plan.why_not ?? '').toMatchObject({
    object: { kind: 'project', id, name: 'whole' },
    name: 'whole',
    items: all.length,
    tried: all.length,
    refused: [],
    why_not: null,
  })
  expect(plan.kinds.find(({ kind }) => kind === 'disk')?.count).toBe(before.disks.length)
  expect(plan.steps.every(({ outcome }) => outcome === 'changed')).toBe(true)
  // Looking changes nothing.
  expect((await member.get('/v1/projects/whole')).status).toBe(404)
  const task = await restored(deletion)
  expect(task, JSON.stringify(task.refusals)).toMatchObject({
    state: 'done',
    done: all.length,
    failed: 0,
    total: all.length,
  })
  expect(await contents('whole')).toEqual(before)
  expect(await binOf(`&deletion=${deletion}`)).toEqual([])
  // What was deleted alone before is in the project's own bin again.
  expect((await binOf('&project=whole')).map(({ name }) => name)).toEqual(['deleted-before'])
  const { items } = (await member.get('/ext/v1/tasks?mine=true&limit=100')).body
  expect(items.find(({ kind }: { kind: string }) => kind === 'restoration')).toMatchObject({
    verb: 'restore',
    state: 'finished',
    progress: { done: all.length, total: all.length },
  })
})

test('a VPC that a deletion took comes back with its subnets, and of two who ask the second is told', async () => {
  await project('nets')
  const vpc = await made(member, '/v1/vpcs?project=nets', {
    name: 'staging',
    description: '',
    dns_name: 'st',
  })
  await made(member, '/v1/vpc-subnets?project=nets&vpc=staging', {
    name: 'db',
    description: '',
    ipv4_block: '172.30.8.0/24',
  })
  const deletion = await deleted(vpc, 'vpc')
  expect((await binOf('&project=nets')).map(({ name, deletion: of }) => [name, of?.items])).toEqual([
    ['staging', 3],
  ])
  const answers = await Promise.all([begin(deletion), begin(deletion)])
  const first = answers.find(({ status }) => status === 202)
  expect(first).toBeDefined()
  // The second is told that it is being restored, or that nothing of it is in the bin any more.
  expect([404, 409]).toContain(answers.find((answer) => answer !== first)?.status)
  expect(await ended(first?.body.id)).toMatchObject({ state: 'done', done: 3 })
  const subnets = (await member.get('/v1/vpc-subnets?project=nets&vpc=staging')).body.items
  expect(subnets.map(({ name }: { name: string }) => name).toSorted()).toEqual(['db', 'default'])
})

test('what is taken meanwhile is said before, and nothing comes back where the whole has no name', async () => {
  const id = await project('taken')
  await ready([await disk('taken', 'data')])
  const deletion = await deleted(id)
  await project('taken')
  expect((await planOf(deletion)).name).toBe('taken-restored')
  const stopped = await restored(deletion)
  expect(stopped).toMatchObject({
    state: 'stopped',
    done: 0,
    refusal: { name: 'taken', error: { code: 'ObjectAlreadyExists' } },
  })
  expect(stopped.refusal?.error.help).toContain('taken-restored')
  expect(await restored(deletion, { name: 'taken-again' })).toMatchObject({ state: 'done', failed: 0 })
  expect((await contents('taken-again')).disks).toHaveLength(1)
})

test('what has no room stays in the bin and is told of, and comes back once there is', async () => {
  const id = await project('tight')
  await ready([await disk('tight', 'one'), await disk('tight', 'two')])
  const deletion = await deleted(id)
  const { silo_id } = (await member.get('/v1/me')).body
  const { provisioned, capacity } = (await member.get('/v1/utilization')).body
  const quota = (storage: number) =>
    admin.call('PUT', `/v1/system/silos/${silo_id}/quotas`, { ...capacity, storage })
  expect((await quota(provisioned.storage + GiB)).status).toBe(200)
  const plan = await planOf(deletion)
  expect(plan).toMatchObject({ why_not: null, refused: [{ kind: 'disk' }] })
  const task = await restored(deletion)
  expect(task).toMatchObject({ state: 'done', failed: 1, refusals: [{ kind: 'disk' }] })
  expect(task.refusals[0]?.error.help).toBeTruthy()
  const tasks = (await member.get('/ext/v1/tasks?mine=true&limit=1')).body.items
  expect(tasks[0]).toMatchObject({ kind: 'restoration', state: 'failed', progress: { failed: 1 } })
  const { failures } = (await member.get(`/ext/v1/tasks/${tasks[0].id}`)).body
  expect(failures).toHaveLength(1)
  // It is in the bin of the project that is there again.
  const [left] = await binOf('&project=tight')
  expect(left).toMatchObject({ kind: 'disk', deletion: null })
  expect((await quota(capacity.storage)).status).toBe(200)
  expect(await restored(deletion)).toMatchObject({ state: 'done', done: 1, failed: 0 })
  expect((await contents('tight')).disks).toHaveLength(2)
})

test('a right that has ended stops it, and several processes that run it restore everything once', async () => {
  const id = await project('rights')
  await ready(await Promise.all(['a', 'b', 'c'].map((name) => disk('rights', name))))
  const deletion = await deleted(id)
  const all = await binOf(`&deletion=${deletion}`)
  const { id: me, silo_id } = (await member.get('/v1/me')).body
  const object = { id, name: 'rights' }
  const begunBy = (silo_user_id: string) =>
    addRestoration(bed.db, { deletion_id: deletion, object, silo_id, silo_user_id, total: all.length })
  const stateOf = (task: string) =>
    bed.db.selectFrom('restoration').selectAll().where('id', '=', task).executeTakeFirstOrThrow()
  const cx = systemCx(testServices({ db: bed.db, settings: defaultSettings }), 'job:restoration')
  // An outsider has no right any more, and the second user has lost only the right to create.
  for (const [name, roles] of [
    ['left', []],
    ['moved', [{ at: 'silo', role: 'viewer' }]],
  ] as const) {
    const lost = await begunBy((await bed.addUser(name, { roles })).id)
    await restorationTask.run(cx, { restoration_id: lost })
    expect(await stateOf(lost)).toMatchObject({
      state: 'stopped',
      done: 0,
      refusal: {
        error: { code: 'Forbidden', message: 'The user who began this may not restore it any more' },
      },
    })
  }
  expect(await binOf(`&deletion=${deletion}`)).toHaveLength(all.length)
  const again = await begunBy(me)
  const run = () => restorationTask.run(cx, { restoration_id: again }).catch(() => undefined)
  await Promise.all([run(), run(), run()])
  await run()
  expect(await stateOf(again)).toMatchObject({ state: 'done', done: all.length, failed: 0 })
  const made = await bed.db
    .selectFrom('change')
    .select('object_id')
    .where('operation', '=', 'recycled_item_restore')
    .where('kind', 'in', ['disk', 'vpc', 'vpc-subnet', 'project'])
    .where('project_id', '=', id)
    .where('op', '=', 'create')
    .execute()
  expect(made.map(({ object_id }) => object_id).toSorted()).toEqual(
    all.map(({ object_id }) => object_id).toSorted(),
  )
})

test('what expired while no server ran comes back, and what was deleted for good meanwhile is told of', async () => {
  const id = await project('late')
  await ready(await Promise.all(['a', 'b'].map((name) => disk('late', name))))
  const deletion = await deleted(id)
  const all = await binOf(`&deletion=${deletion}`)
  const { id: silo_user_id, silo_id } = (await member.get('/v1/me')).body
  const given = { deletion_id: deletion, object: { id, name: 'late' }, silo_id, silo_user_id }
  const task = await addRestoration(bed.db, { ...given, total: all.length })
  const ofDeletion = bed.db.updateTable('recycled').where('deletion_id', '=', deletion)
  await ofDeletion.set({ time_expires: new Date(Date.now() - 1000) }).execute()
  const lost = all.find(({ name }) => name === 'b')
  await bed.db
    .deleteFrom('recycled')
    .where('id', '=', lost?.id ?? '')
    .execute()
  const cx = systemCx(testServices({ db: bed.db, settings: defaultSettings }), 'job:restoration')
  const run = () => restorationTask.run(cx, { restoration_id: task })
  await run()
  await run()
  const row = await bed.db
    .selectFrom('restoration')
    .selectAll()
    .where('id', '=', task)
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({ state: 'done', done: all.length - 1, failed: 0 })
  expect((await contents('late')).disks).toHaveLength(1)
  const told = await restorationTasks.read(cx, [{ id: task, object_id: task } as Begun])
  expect(told.get(task)).toMatchObject({
    state: 'failed',
    failure: { message: expect.stringMatching(/^1 of \d+ were in the recycle bin no longer/) },
  })
})

test('nobody restores, or learns of, what they may not see', async () => {
  const id = await project('secret')
  await ready([await disk('secret', 'data')])
  const deletion = await deleted(id)
  const nobody = await bed.addUser('outsider')
  for (const answer of [
    await nobody.post(`/ext/v1/deletions/${deletion}/restoration-plan`),
    await begin(deletion, {}, nobody),
  ])
    expect(answer.status).toBe(404)
  const viewer = await bed.addUser('looks', { roles: [{ at: 'silo', role: 'viewer' }] })
  expect((await begin(deletion, {}, viewer)).status).toBe(403)
  expect((await binOf(`&deletion=${deletion}`, viewer)).length).toBeGreaterThan(1)
  const { status, body } = await begin(deletion)
  expect(status).toBe(202)
  expect((await admin.get(`/ext/v1/restorations/${body.id}`)).status).toBe(404)
  await ended(body.id)
  expect((await member.post(`/ext/v1/restorations/${body.id}/cancel`)).body).toMatchObject({
    error_code: 'Conflict',
  })
})
