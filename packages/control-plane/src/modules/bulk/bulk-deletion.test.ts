import type { BulkDeletion } from '@gantry/api/history/bulk-deletion'
import { deletableOf, heldOf } from '@gantry/api/history/bulk-deletion.rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemCx } from '@gantry/control-plane/context/cx'
import {
  type Caller,
  eventually,
  said,
  settledJobs,
  type TestBed,
  testControlPlane,
} from '@gantry/control-plane/testing/control-plane'
import { testServices } from '@gantry/control-plane/testing/services'
import { instanceAction } from './job.ts'

const GiB = 1024 ** 3
const url = '/ext/v1/bulk-deletions'
let bed: TestBed
let me: Caller

beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('admin')
  for (const name of ['many', 'other']) await made('/v1/projects', { name, description: '' })
})
afterAll(() => bed.stop())

async function made(path: string, body: object): Promise<{ id: string }> {
  const answer = await me.post(path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const disk = (name: string, project = 'many') =>
  made(`/v1/disks?project=${project}`, {
    name,
    description: '',
    size: GiB,
    disk_source: { type: 'blank', block_size: 512 },
  })
const begin = (body: object, query = '?project=many', who = me) => who.post(`${url}${query}`, body)

async function ended(id: string, who = me): Promise<BulkDeletion> {
  const { body } = await eventually(
    () => who.get(`${url}/${id}`),
    (answer) => answer.body.state === 'done',
  )
  return body
}
const results = ({ items }: BulkDeletion): string[] =>
  items.map(({ object, state, error }) => `${object.name} ${state}${error ? `: ${error.message}` : ''}`)
const namesOf = async (list: string): Promise<string> =>
  (await me.get(list)).body.items.map(({ name }: { name: string }) => name).join(' ')

test('chosen disks are deleted as one task; what cannot be deleted keeps its reason, and is repeated', async () => {
  const [one, held, safe] = [await disk('one'), await disk('held'), await disk('safe')]
  await sql`UPDATE disk SET state = 'attached' WHERE id = ${held.id}`.execute(bed.db)
  const shield = { no_delete: true, no_stop: false, reason: 'the demo' }
  expect((await me.call('PUT', `/ext/v1/protections/${safe.id}?kind=disk`, shield)).status).toBeLessThan(300)
  const nobody = crypto.randomUUID()
  const { id: elsewhere } = await disk('elsewhere', 'other')
  const objects = [one.id.toUpperCase(), held.id, safe.id, nobody, elsewhere, one.id]
  const asked = await begin({ kind: 'disk', objects })
  expect(asked.status).toBe(202)
  const done = await ended(asked.body.id)
  expect(results(done)).toEqual([
    'one done',
    expect.stringMatching(/^held failed: .*attached/),
    expect.stringMatching(/^safe failed: .*the demo/),
    expect.stringMatching(/^null failed: not found: disk/),
    // What is in another project is none of this request's.
    expect.stringMatching(/^null failed: not found: disk/),
  ])
  // It goes into the recycle bin, as by its own operation.
  expect(await namesOf('/ext/v1/recycle-bin?project=many')).toBe('one')
  const { items } = (await me.get('/ext/v1/tasks?mine=true&limit=1')).body
  expect(items[0]).toMatchObject({
    verb: 'delete',
    object: { kind: 'disk' },
    count: 5,
    state: 'failed',
    progress: { done: 1, failed: 4, total: 5 },
    actions: [{ action: 'retry', operation: 'bulk_deletion_retry', target: asked.body.id }],
  })
  await sql`UPDATE disk SET state = 'detached' WHERE id = ${held.id}`.execute(bed.db)
  const again = await me.post(`${url}/${asked.body.id}/retry`)
  expect(again.status, JSON.stringify(again.body)).toBe(202)
  expect(results(await ended(again.body.id))[0]).toBe('held done')
  expect(said(await me.post(`${url}/${again.body.id}/cancel`))).toContain('already cancelled')
})

test('all that match a filter and can be deleted, in a project or in all of them, and no more than was seen', async () => {
  await disk('old-1')
  await disk('old-2', 'other')
  const busy = await disk('old-3', 'other')
  await sql`UPDATE disk SET state = 'attached' WHERE id = ${busy.id}`.execute(bed.db)
  const asked = { kind: 'disk', filter: 'name:old-1 or name:old*', for_good: true }
  expect(said(await begin({ ...asked, at_most: 1 }, ''))).toBe('409 2 disks match by now')
  expect(said(await begin({ ...asked, filter: 'colour:red' }))).toContain('There is no field colour here')
  expect(said(await begin({ kind: 'disk' }))).toContain('either objects or a filter')
  const done = await ended((await begin({ ...asked, at_most: 2 }, '')).body.id)
  expect(results(done)).toEqual(['old-1 done', 'old-2 done'])
  expect(done.project_id).toBeNull()
  expect(await namesOf('/ext/v1/recycle-bin?project=many')).not.toContain('old-1')
  expect(said(await begin(asked, ''))).toBe('409 no disk that matches can be deleted now')
})

test('each is deleted with the rights of the caller, and nobody else sees the result', async () => {
  const { id } = await disk('kept')
  const { id: project } = (await me.get('/v1/projects/many')).body
  const viewer = await bed.addUser('looks', { roles: [{ at: { project }, role: 'viewer' }] })
  expect(said(await begin({ kind: 'disk', objects: [id] }, '?project=many', viewer))).toBe('403 Forbidden')
  const { body } = await begin({ kind: 'disk', objects: [id] }, '', viewer)
  expect(results(await ended(body.id, viewer))).toEqual(['kept failed: Forbidden'])
  expect((await me.get(`${url}/${body.id}`)).status).toBe(404)
  // Instances have actions of their own.
  expect((await viewer.get(`/ext/v1/instance-actions/${body.id}`)).status).toBe(404)
  const stranger = await bed.addUser('stranger')
  const unseen = await begin({ kind: 'disk', objects: [id] }, '', stranger)
  expect(results(await ended(unseen.body.id, stranger))[0]).toContain('not found')
})

test('a VPC goes with its subnets, unless something is in the way: then both stay', async () => {
  for (const name of ['empty', 'used'])
    await made('/v1/vpcs?project=many', { name, description: '', dns_name: name })
  await made('/v1/instances?project=many', {
    name: 'holder',
    description: '',
    ncpus: 1,
    memory: GiB,
    hostname: 'holder',
    start: false,
    network_interfaces: {
      type: 'create',
      params: [{ name: 'net0', description: '', vpc_name: 'used', subnet_name: 'default' }],
    },
  })
  const { body } = await begin({ kind: 'vpc', filter: 'name:empty,used' })
  expect(results(await ended(body.id))).toEqual(['empty done', expect.stringMatching(/^used failed: /)])
  expect(await namesOf('/v1/vpcs?project=many')).toBe('default used')
  expect(await namesOf('/v1/vpc-subnets?project=many&vpc=used')).toBe('default')
  const recycled = (await me.get('/ext/v1/recycle-bin?project=many')).body.items
  expect(recycled.map(({ kind }: { kind: string }) => kind)).toContain('vpc')
})

test('snapshots, floating IPs and images of a project or of the silo', async () => {
  await disk('source')
  await made('/v1/snapshots?project=many', { name: 'monday', description: '', disk: 'source' })
  await eventually(
    () => me.get('/v1/snapshots/monday?project=many'),
    ({ body }) => body.state === 'ready',
  )
  await made('/v1/floating-ips?project=many', { name: 'free', description: '' })
  await sql`INSERT INTO image (id, time_created, time_modified, name, description, silo_id, project_id, os, version,
      block_size, size, content_id)
    SELECT gen_random_uuid(), now(), now(), x.name, '', p.silo_id, CASE WHEN x.name = 'ours' THEN p.id END, 'os', '1', 512,
      ${GiB}, 'x' FROM project p, (VALUES ('ours'), ('of-silo')) x(name) WHERE p.name = 'many'`.execute(
    bed.db,
  )
  for (const [kind, query, name] of [
    ['snapshot', '?project=many', 'monday'],
    ['floating-ip', '?project=many', 'free'],
    ['image', '?project=many', 'ours'],
    ['image', '?silo_only=true', 'of-silo'],
  ] as const) {
    const { body } = await begin({ kind, filter: kind === 'image' ? 'os:os' : '' }, query)
    expect(results(await ended(body.id))).toEqual([`${name} done`])
  }
})

test('members of instance snapshots are counted and deleted with them, and never alone', async () => {
  const at = 'project=whole'
  await made('/v1/projects', { name: 'whole', description: '' })
  const size = GiB
  const create = (name: string) => ({
    type: 'create',
    name,
    description: '',
    size,
    disk_source: { type: 'blank', block_size: 512 },
  })
  const { id: instance } = await made(`/v1/instances?${at}`, {
    name: 'web',
    description: '',
    hostname: 'web',
    ncpus: 1,
    memory: GiB,
    start: false,
    boot_disk: create('boot'),
    disks: [create('data')],
  })
  await settledJobs(bed)
  await made(`/v1/snapshots?${at}`, { name: 'alone', description: '', disk: 'data' })
  const whole = await made(`/ext/v1/instance-snapshots?${at}`, { name: 'nightly', description: '', instance })
  await settledJobs(bed)
  const count = async (filter: string): Promise<number> =>
    (await me.get(`/ext/v1/list-totals?kind=snapshot&${at}&filter=${encodeURIComponent(filter)}`)).body.count
  expect([await count(''), await count(deletableOf('snapshot', ''))]).toEqual([3, 1])
  const held = heldOf('snapshot', '')?.filter ?? ''
  expect(await count(held)).toBe(2)
  const wholes = `/ext/v1/list-values?kind=snapshot&field=partof&${at}&filter=${encodeURIComponent(held)}`
  expect((await me.get(wholes)).body.items).toEqual([{ value: 'nightly', count: 2 }])

  const done = await ended((await begin({ kind: 'snapshot', filter: '', at_most: 1 }, `?${at}`)).body.id)
  expect(results(done)).toEqual(['alone done'])
  const ids = (await me.get(`/ext/v1/snapshots?${at}`)).body.items.map(({ id }: { id: string }) => id)
  const named = await ended((await begin({ kind: 'snapshot', objects: ids }, `?${at}`)).body.id)
  expect(results(named)).toEqual(
    Array.from({ length: 2 }, () => expect.stringContaining('belongs to instance snapshot nightly')),
  )
  const tag = { set: [{ key: 'keep', value: 'no' }] }
  const tagging = await me.post(`/ext/v1/bulk-taggings?${at}`, {
    kind: 'instance-snapshot',
    objects: [whole.id],
    ...tag,
  })
  await eventually(
    () => me.get(`/ext/v1/bulk-taggings/${tagging.body.id}`),
    (answer) => answer.body.state === 'done',
  )
  const asked = { kind: 'instance-snapshot', filter: 'tag:keep=no size>1GiB instance:web', at_most: 1 }
  expect(results(await ended((await begin(asked, `?${at}`)).body.id))).toEqual(['nightly done'])
  expect(await namesOf(`/ext/v1/snapshots?${at}`)).toBe('')
  expect(said(await begin(asked, `?${at}`))).toBe('409 no instance snapshot that matches can be deleted now')
})

test('a silo that demands a second person for deletions gets none of many at once, nor the rest of what began before', async () => {
  const [{ id }, begun] = [await disk('guarded'), await disk('begun')]
  await sql`UPDATE disk SET state = 'attached' WHERE id = ${begun.id}`.execute(bed.db)
  const { id: action } = await ended((await begin({ kind: 'disk', objects: [begun.id] })).body.id)
  expect((await me.call('PUT', '/ext/v1/four-eyes-settings', { kinds: ['deletions'] })).status).toBeLessThan(
    300,
  )
  expect(said(await begin({ kind: 'disk', objects: [id] }))).toContain('deletions need a second person')
  const again = await me.post(`${url}/${action}/retry`)
  expect([again.status, again.body.details]).toEqual([400, { four_eyes: 'deletions', is_savable: false }])

  await sql`UPDATE disk SET state = 'detached' WHERE id = ${begun.id}`.execute(bed.db)
  await sql`UPDATE instance_action_item SET state = 'pending', error = NULL WHERE action_id = ${action}`.execute(
    bed.db,
  )
  await sql`UPDATE instance_action SET time_completed = NULL WHERE id = ${action}`.execute(bed.db)
  await instanceAction.run(systemCx(testServices({ db: bed.db }), 'job:test'), { action_id: action })
  expect(results(await ended(action))).toEqual(['begun failed: deletions need a second person in this silo'])
  expect((await me.get(`/v1/disks/${begun.id}`)).status).toBe(200)
})
