import { afterAll, beforeAll, expect, test } from 'vitest'
import { GiB, machine, newDisk } from '@gantry/control-plane/testing/case-values'
import {
  type Caller,
  eventually,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { made } from '@gantry/control-plane/testing/hidden-things'

let bed: TestBed
let me: Caller
let viewer: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
  viewer = await bed.signIn('viewer')
  await made(me, '/v1/projects', { name: 'web', description: '' })
})
afterAll(() => bed.stop())

const at = 'project=web'
const grow = (disk: string, gib: number, by = me, headers = {}) =>
  by.call('POST', `/ext/v1/disks/${disk}/grow?${at}`, { size: gib * GiB }, headers)
const view = async (disk: string) => (await me.get(`/v1/disks/${disk}?${at}`)).body
const bytesOf = async (id: string) => {
  const { content_id } = await bed.db
    .selectFrom('disk')
    .select('content_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return bed.blocks.size(content_id)
}
const used = async () => (await me.get('/v1/utilization')).body.provisioned.storage

test('a detached disk grows with its bytes, its quota and its activity, and takes a snapshot of the new size', async () => {
  const id = await made(me, `/v1/disks?${at}`, newDisk('data'))
  const before = await used()
  const grown = await grow('data', 3)
  expect([grown.status, grown.body.size]).toEqual([200, 3 * GiB])
  expect(await bytesOf(id)).toBe(3 * GiB)
  expect((await used()) - before).toBe(2 * GiB)
  const [entry] = (await me.get(`/ext/v1/activity?${at}&kind=disk&action=edited`)).body.items
  expect(entry.changes[0].differences).toEqual([{ field: 'size', before: GiB, after: 3 * GiB }])
  await made(me, `/v1/snapshots?${at}`, { name: 'after', description: '', disk: 'data' })
  expect((await me.get(`/v1/snapshots/after?${at}`)).body.size).toBe(3 * GiB)
})

test.each([
  [1, 'a disk only grows, and has 1 GiB already'],
  [0, 'a disk only grows'],
  [1.5, 'must be a multiple of 1 GiB'],
  [1024, 'must be less than 1023 GiB'],
])('to %d GiB it does not grow', async (gib, reason) => {
  const name = `small-${String(gib).replace('.', '-')}`
  await made(me, `/v1/disks?${at}`, newDisk(name))
  const refused = await grow(name, gib)
  expect(refused.status).toBe(400)
  expect(refused.body.message).toContain(reason)
  expect((await view(name)).size).toBe(GiB)
})

test('the disk of an instance grows while it runs and while it is stopped, and not in between', async () => {
  const boot = { type: 'create', ...newDisk('boot') }
  await made(me, `/v1/instances?${at}`, { ...machine('vm'), boot_disk: boot, start: true })
  const becomes = (wanted: string) =>
    eventually(
      async () => (await me.get(`/v1/instances/vm?${at}`)).body.run_state,
      (state) => state === wanted,
    )
  await becomes('running')
  const { id } = await view('boot')
  expect((await grow('boot', 2)).status).toBe(200)
  await eventually(
    () => bytesOf(id),
    (bytes) => bytes === 2 * GiB,
  )
  await bed.db.updateTable('instance').set({ run_state: 'rebooting' }).where('name', '=', 'vm').execute()
  const refused = await grow('boot', 3)
  expect([refused.status, refused.body.message]).toEqual([
    400,
    'disk cannot grow while instance vm is rebooting',
  ])
  expect(refused.body.help).toContain('Wait until it runs or is stopped')
  await bed.db.updateTable('instance').set({ run_state: 'running' }).where('name', '=', 'vm').execute()
  await me.post(`/v1/instances/vm/stop?${at}`)
  await becomes('stopped')
  expect((await grow('boot', 3)).status).toBe(200)
})

test('a start grows the bytes of a disk whose job has not run', async () => {
  const boot = { type: 'create', ...newDisk('late') }
  await made(me, `/v1/instances?${at}`, { ...machine('later'), boot_disk: boot })
  const { id } = await view('late')
  await eventually(
    () => bytesOf(id),
    (size) => size === GiB,
  )
  await bed.db
    .updateTable('disk')
    .set({ size: 4 * GiB })
    .where('id', '=', id)
    .execute()
  await me.post(`/v1/instances/later/start?${at}`)
  const grown = await eventually(
    () => bytesOf(id),
    (size) => size !== GiB,
  )
  expect(grown).toBe(4 * GiB)
})

test('of many at once each is charged, the last size is the largest, and the quota holds', async () => {
  const id = await made(me, `/v1/disks?${at}`, newDisk('busy'))
  const before = await used()
  const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => grow('busy', index + 2)))
  expect(answers.filter(({ status }) => status >= 500 && status !== 503)).toEqual([])
  const { size } = await view('busy')
  expect((await used()) - before).toBe(size - GiB)
  await eventually(
    () => bytesOf(id),
    (bytes) => bytes === size,
  )
  const admin = await bed.signIn('admin')
  const silo = (await me.get('/v1/me')).body.silo_name
  const quota = (await admin.get(`/v1/system/silos/${silo}/quotas`)).body
  await admin.call('PUT', `/v1/system/silos/${silo}/quotas`, { storage: await used() })
  const refused = await grow('busy', 900)
  expect(refused.body.error_code).toBe('InsufficientCapacity')
  expect((await view('busy')).size).toBe(size)
  await admin.call('PUT', `/v1/system/silos/${silo}/quotas`, { storage: quota.storage })
})

test('viewers and strangers do not grow it, and a plan changes nothing', async () => {
  await made(me, `/v1/disks?${at}`, newDisk('kept'))
  expect((await grow('kept', 5, viewer)).status).toBe(403)
  expect((await grow('kept', 5, await bed.addUser('stranger'))).status).toBe(404)
  const plan = await me.post(`/ext/v1/plans/ext/v1/disks/kept/grow?${at}`, { size: 5 * GiB })
  expect([plan.status, plan.body.change_count]).toEqual([200, 1])
  expect((await view('kept')).size).toBe(GiB)
  expect((await grow('kept', 5, me, { 'if-plan': plan.body.hash })).status).toBe(200)
})
