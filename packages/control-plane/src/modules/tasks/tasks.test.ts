import type { Task } from '@gantry/api/history/task'
import { taskKinds } from '@gantry/api/history/task-kinds.rules'
import { taskSentence } from '@gantry/api/history/task.rules'
import { sha256 } from '@noble/hashes/sha2.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raiseRolesEpoch } from '../../authz/held-roles.ts'
import { type Caller, eventually, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { made } from '../../testing/hidden-things.ts'
import { testServices } from '../../testing/services.ts'
import { updateUploadUpkeep } from '../update/upload-background.ts'

const GiB = 2 ** 30
const MiB = 2 ** 20
const day = 24 * 3_600_000
const at = 'project=atlas'

import { taskSources } from '../tasks.gen.ts'

let bed: TestBed
let member: Caller
let viewer: Caller
let operator: Caller
let project: string
beforeAll(async () => {
  bed = await testControlPlane()
  member = await bed.signIn('member')
  viewer = await bed.signIn('viewer')
  operator = await bed.signIn('admin')
  project = await made(member, '/v1/projects', { name: 'atlas', description: '' })
})
afterAll(() => bed.stop())

const list = async (query: string, by = member, path = '/ext/v1/tasks'): Promise<Task[]> => {
  const { status, body } = await by.get(`${path}?${query}`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.items
}
const sentences = async (query: string, by?: Caller, path?: string): Promise<string[]> =>
  (await list(query, by, path)).map(taskSentence)
const newest = async (query: string, by?: Caller, path?: string): Promise<Task> => {
  const [task] = await list(`limit=1&${query}`, by, path)
  if (!task) throw new Error(`no task for ${query}`)
  return task
}
const machine = (name: string, start = false) =>
  made(member, `/v1/instances?${at}`, {
    name,
    description: '',
    ncpus: 1,
    memory: GiB,
    hostname: name,
    start,
    disks: [
      {
        type: 'create',
        name: `${name}-root`,
        description: '',
        size: GiB,
        disk_source: { type: 'blank', block_size: 512 },
      },
    ],
  })
const act = (name: string, action: string) => member.post(`/v1/instances/${name}/${action}?${at}`)
const reaches = (name: string, state: string) =>
  eventually(
    async () => {
      bed.pass(500)
      return (await member.get(`/v1/instances/${name}?${at}`)).body
    },
    (instance) => instance.run_state === state,
  )
const bulk = (action: string, instances: string[]) =>
  member.post(`/ext/v1/instance-actions?${at}`, { action, instances })
const ended = (id: string, by = member) =>
  eventually(
    async () => {
      bed.pass(500)
      return (await by.get(`/ext/v1/tasks/${id}`)).body
    },
    ({ state }) => state !== 'running',
    20_000,
  )

test('what a user began is a task until it is done, with what belongs to it in one', async () => {
  const id = await machine('web', true)
  const { id: me } = (await member.get('/v1/me')).body
  expect(await newest(`${at}&mine=true`)).toMatchObject({
    kind: 'instance',
    verb: 'create',
    object: { kind: 'instance', id, name: 'web' },
    project: { id: project, name: 'atlas' },
    by: { kind: 'user', id: me, name: 'member' },
    is_mine: true,
  })
  await reaches('web', 'running')
  // The disk was part of it.
  expect(await sentences(at)).toEqual(['Created instance web'])
  await act('web', 'stop')
  await reaches('web', 'stopped')
  const [stopped] = await list(`${at}&state=ended`)
  expect(taskSentence(stopped as Task)).toBe('Stopped instance web')
  expect(stopped).toMatchObject({ state: 'finished', failure: null, time_ended: expect.any(String) })
  expect(await list(`${at}&state=open`)).toEqual([])
})

test("everybody's tasks are seen by those who may see their objects, and mine are mine", async () => {
  expect(await sentences(at, viewer)).toEqual(await sentences(at))
  expect(await newest(at, viewer)).toMatchObject({ is_mine: false, by: { name: 'member' } })
  expect(await list('mine=true', viewer)).toEqual([])
  const outsider = await bed.addUser('outsider')
  expect((await outsider.get(`/ext/v1/tasks?${at}`)).status).toBe(404)
  expect(await list('', outsider)).toEqual([])
  const [task] = await list(at)
  expect((await outsider.get(`/ext/v1/tasks/${task?.id}`)).status).toBe(404)
})

test('a task is gone from the list of a user who may not see its object any more', async () => {
  const guest = await bed.addUser('guest', { roles: [{ at: { project }, role: 'collaborator' }] })
  await guest.post(`/v1/instances/web/start?${at}`)
  expect(await sentences('mine=true', guest)).toHaveLength(1)
  await reaches('web', 'running')
  await bed.db.deleteFrom('role_assignment').where('identity_id', '=', guest.id).execute()
  await raiseRolesEpoch(bed.db)
  expect(await list('mine=true', guest)).toEqual([])
})

test('an action on many instances is one task, which says which failed and is repeated for those', async () => {
  for (const name of ['a', 'b', 'c']) await machine(name)
  const { id: object_id } = (await bulk('start', ['a', 'b', 'c', 'nobody'])).body
  const task = await newest(`${at}&mine=true`)
  expect(task).toMatchObject({ kind: 'instance-action', verb: 'start', count: 4 })
  expect(taskSentence(task)).toBe('Starting 4 instances')
  expect(await ended(task.id)).toMatchObject({
    state: 'failed',
    progress: { unit: 'objects', done: 3, running: 0, failed: 1, total: 4 },
    failure: { message: '1 of 4 failed.' },
    failures: [{ id: null, name: 'nobody', message: expect.stringContaining('nobody') }],
    actions: [{ action: 'retry', operation: 'instance_action_retry', target: object_id }],
  })
  // Its calls are none of their own.
  expect(await sentences(`${at}&limit=1`)).toEqual(['Started 3 of 4 instances'])
  const none = await member.post(`/ext/v1/instance-actions/${object_id}/retry`)
  expect(none.body.message).toContain('no instance of the action failed')

  // Running ones are not deleted.
  const deletion = (await bulk('delete', ['a', 'b'])).body
  await ended((await newest(at)).id)
  for (const name of ['a', 'b']) await act(name, 'stop')
  for (const name of ['a', 'b']) await reaches(name, 'stopped')
  expect((await member.post(`/ext/v1/instance-actions/${deletion.id}/retry`)).status).toBe(202)
  expect(await ended((await newest(at)).id)).toMatchObject({
    state: 'finished',
    progress: { done: 2, failed: 0 },
  })
  expect((await viewer.post(`/ext/v1/instance-actions/${deletion.id}/retry`)).status).toBe(404)
})

test('a cancelled action keeps what is done, and begins no more', async () => {
  for (const name of ['d', 'e', 'f']) await machine(name)
  const { id } = (await bulk('start', ['d', 'e', 'f'])).body
  const { id: task } = await newest(`${at}&mine=true`)
  await ended(task)
  for (const name of ['e', 'f']) await act(name, 'stop')
  for (const name of ['e', 'f']) await reaches(name, 'stopped')
  // As while the first is done and the turn of the others has not come.
  await bed.db
    .updateTable('instance_action_item')
    .set({ state: 'pending' })
    .where('action_id', '=', id)
    .where('name', '!=', 'd')
    .execute()
  const open = { time_completed: null, done_count: 1 }
  await bed.db.updateTable('instance_action').set(open).where('id', '=', id).execute()
  expect((await viewer.post(`/ext/v1/instance-actions/${id}/cancel`)).status).toBe(404)
  expect((await member.post(`/ext/v1/instance-actions/${id}/cancel`)).status).toBe(200)
  expect(await ended(task)).toMatchObject({
    state: 'cancelled',
    progress: { done: 1, failed: 0, total: 3 },
    actions: [],
  })
  for (const name of ['e', 'f'])
    expect((await member.get(`/v1/instances/${name}?${at}`)).body.run_state).toBe('stopped')
})

test('what is over cannot be cancelled', async () => {
  const { id } = (await bulk('start', ['c'])).body
  await ended((await newest(at)).id)
  const refused = await member.post(`/ext/v1/instance-actions/${id}/cancel`)
  expect(refused.body.message).toBe('the action is over or already cancelled')
})

test('an upload says how much has arrived, and is cancelled by its operation', async () => {
  const upload = await member.post(`/ext/v1/image-uploads?${at}`, {
    name: 'debian',
    description: '',
    os: 'debian',
    version: '13',
    block_size: 512,
    size: 2 * MiB,
  })
  expect(upload.status, JSON.stringify(upload.body)).toBe(201)
  const target = upload.body.id
  const task = await newest(`${at}&state=open`)
  expect(taskSentence(task)).toBe('Uploading image debian')
  expect(task).toMatchObject({
    progress: { unit: 'bytes', done: 0, total: 2 * MiB },
    actions: [{ action: 'cancel', operation: 'image_upload_delete', target }],
  })
  await member.call('DELETE', `/ext/v1/image-uploads/${target}`)
  expect(await newest(at)).toMatchObject({ id: task.id, state: 'cancelled' })
})

test('an import of a disk is a task while blocks can be written', async () => {
  const disk = { name: 'blocks', description: '', size: GiB }
  await made(member, `/v1/disks?${at}`, {
    ...disk,
    disk_source: { type: 'importing_blocks', block_size: 512 },
  })
  const act = (action: string, body?: object) => member.post(`/v1/disks/blocks/${action}?${at}`, body)
  const before = await newest(at)
  expect((await act('bulk-write-start')).status).toBe(204)
  const task = await newest(`${at}&state=open`)
  expect([taskSentence(task), before.id === task.id]).toEqual(['Importing disk blocks', false])
  expect((await act('bulk-write-stop')).status).toBe(204)
  expect(await newest(at)).toMatchObject({ id: task.id, state: 'finished', failure: null })
})

test('an upload of a repository is a task of the fleet, also once it was abandoned or refused', async () => {
  const uploads = '/ext/v1/system/update/uploads'
  const path = '/ext/v1/system/tasks'
  const begin = (): Promise<string> => made(operator, uploads, { file_name: 'gantry-2.0.0.zip', size: 9 })
  const id = await begin()
  const task = await newest('state=open', operator, path)
  expect(taskSentence(task)).toBe('Uploading repository gantry-2.0.0.zip')
  expect(task).toMatchObject({
    progress: { unit: 'bytes', done: 0, total: 9 },
    actions: [{ action: 'cancel', operation: 'update_upload_delete', target: id }],
  })
  const services = testServices({ db: bed.db, clock: () => new Date(Date.now() + 2 * day) })
  await updateUploadUpkeep.run(services)
  expect((await operator.get(`/ext/v1/tasks/${task.id}`)).body).toMatchObject({
    state: 'failed',
    failure: { next_step: 'Upload the repository again.' },
  })

  const bytes = new TextEncoder().encode('no zip!!!')
  const refused = await begin()
  await bed.plane.fetch(
    new Request(`http://localhost${uploads}/${refused}/content?offset=0`, {
      method: 'PUT',
      headers: {
        cookie: operator.cookie,
        'content-type': 'application/octet-stream',
        'content-digest': `sha-256=:${btoa(String.fromCharCode(...sha256(bytes)))}:`,
      },
      body: bytes,
    }),
    { address: '127.0.0.1' },
  )
  expect((await operator.post(`${uploads}/${refused}/complete`)).status).toBe(202)
  const [newer] = await list('limit=1', operator, path)
  expect((await ended(newer?.id ?? '', operator)).state).toBe('failed')
  expect(await list('state=open', operator, path)).toEqual([])
  const cancelled = await begin()
  await operator.call('DELETE', `${uploads}/${cancelled}`)
  expect(await newest('', operator, path)).toMatchObject({ state: 'cancelled' })
})

test('the fleet has tasks of its own, which only operators see', async () => {
  const [sled] = (await operator.get('/v1/system/hardware/sleds')).body.items
  const drain = await operator.post(`/ext/v1/system/sleds/${sled.id}/drains`, { mode: 'move' })
  expect(drain.status, JSON.stringify(drain.body)).toBe(201)
  const task = await newest('', operator, '/ext/v1/system/tasks')
  expect(task).toMatchObject({ kind: 'sled-drain', verb: 'drain', object: { id: sled.id }, is_mine: true })
  expect(await newest('mine=true', operator)).toMatchObject({ id: task.id })
  expect((await viewer.get('/ext/v1/system/tasks')).status).toBe(403)
  expect((await viewer.get(`/ext/v1/tasks/${task.id}`)).status).toBe(404)
  await operator.post(`/ext/v1/system/drains/${drain.body.id}/cancel`)
  expect(await list('state=open', operator, '/ext/v1/system/tasks')).toEqual([])
})

test('the pending work of one object is found alone, as one of many, and as part of a run', async () => {
  for (const name of ['one', 'two', 'alone']) await machine(name)
  const of = (name: string, kind = 'instance') =>
    sentences(`${at}&state=open&object_kind=${kind}&object=${name}`)
  expect(await of('one')).toEqual([])
  const { id } = (await bulk('start', ['one', 'two'])).body
  // As while its turn has not come; the other is done.
  const pend = (state: 'pending' | 'done', name: string) =>
    bed.db
      .updateTable('instance_action_item')
      .set({ state })
      .where('action_id', '=', id)
      .where('name', '=', name)
      .execute()
  for (const name of ['one', 'two']) await reaches(name, 'running')
  await ended((await newest(at)).id)
  await pend('pending', 'one')
  await bed.db
    .updateTable('instance_action')
    .set({ time_completed: null, done_count: null })
    .where('id', '=', id)
    .execute()
  expect(await of('one')).toEqual(['Starting 2 instances'])
  expect(await of('two')).toEqual([])
  expect(await of('alone')).toEqual([])
  await pend('done', 'one')
  await ended((await newest(at)).id)
  await act('alone', 'start')
  await reaches('alone', 'running')
  await member.post(`/v1/instances/alone/stop?${at}`)
  expect(await of('alone')).toEqual(['Stopping instance alone'])
  await reaches('alone', 'stopped')
  const outsider = await bed.addUser('tasks-outsider')
  const query = `${at}&state=open&object_kind=instance&object=one`
  expect((await outsider.get(`/ext/v1/tasks?${query}`)).status).toBe(404)
  const refused = await member.get(`/ext/v1/tasks?${at}&object=one`)
  expect([refused.status, refused.body.message]).toEqual([
    400,
    expect.stringContaining('found by its project, kind and name'),
  ])
  expect((await member.get(`/ext/v1/tasks?${at}&state=open&object_kind=instance&object=none`)).status).toBe(
    404,
  )
})

test('pages follow each other, and tasks are kept for a month', async () => {
  const whole = await list(at)
  const first = (await member.get(`/ext/v1/tasks?${at}&limit=2`)).body
  const second = (await member.get(`/ext/v1/tasks?limit=2&page_token=${first.next_page}`)).body
  expect([...first.items, ...second.items].map(({ id }: Task) => id)).toEqual(
    whole.slice(0, 4).map(({ id }) => id),
  )
  bed.pass(31 * day)
  const later = await bed.signIn('member')
  expect(await list(at, later)).toEqual([])
})

test('every source of tasks is a kind that lists are narrowed to, and a list of one kind has no other', async () => {
  expect(taskSources.map(({ kind }) => kind).toSorted()).toEqual(taskKinds.toSorted())
  const who = await bed.signIn('admin')
  const read = async (query: string) =>
    (await who.get(`/ext/v1/tasks?limit=100${query}`)).body.items.map(({ kind }: { kind: string }) => kind)
  const every = await read('')
  const first = every[0] ?? 'instance'
  expect(await read(`&kind=${first}`)).toEqual(every.filter((kind: string) => kind === first))
  expect((await who.get('/ext/v1/tasks?mine=true&kind=other')).status).toBe(400)
})
