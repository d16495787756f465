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
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
  await made(me, '/v1/projects', { name: 'web', description: '' })
})
afterAll(() => bed.stop())

const at = 'project=web'
const set = (instance: string, body: object, by = me, headers = {}) =>
  by.call('PUT', `/ext/v1/instances/${instance}/pending?${at}`, body, headers)
const view = async (instance: string) => (await me.get(`/v1/instances/${instance}?${at}`)).body
const becomes = (instance: string, wanted: string) =>
  eventually(
    () => view(instance),
    ({ run_state }) => run_state === wanted,
  )
const running = async (name: string) => {
  const boot_disk = { type: 'create', ...newDisk(`${name}-boot`) }
  const disks = [{ type: 'create', ...newDisk(`${name}-data`) }]
  await made(me, `/v1/instances?${at}`, { ...machine(name), boot_disk, disks, start: true })
  return becomes(name, 'running')
}
const again = async (name: string) => {
  await me.post(`/v1/instances/${name}/stop?${at}`)
  await becomes(name, 'stopped')
  const started = await me.post(`/v1/instances/${name}/start?${at}`)
  await becomes(name, 'running')
  return started
}
const used = async () => (await me.get('/v1/utilization')).body.provisioned

test('a size and a boot disk wait for the next start, which has them, with its quota and its machine', async () => {
  const was = await running('vm')
  const { id: data } = (await me.get(`/v1/disks/vm-data?${at}`)).body
  const body = { ncpus: was.ncpus + 2, memory: was.memory + GiB, boot_disk: 'vm-data' }
  const waiting = await set('vm', body)
  expect(waiting.status, JSON.stringify(waiting.body)).toBe(200)
  const pending = { ncpus: was.ncpus + 2, memory: was.memory + GiB, boot_disk_id: data }
  expect(waiting.body).toMatchObject({ ncpus: was.ncpus, boot_disk_id: was.boot_disk_id, pending })
  const [listed] = (await me.get(`/v1/instances?${at}`)).body.items
  expect(listed.pending).toEqual(pending)
  // A reboot is no start.
  await me.post(`/v1/instances/vm/reboot?${at}`)
  await becomes('vm', 'rebooting')
  expect((await becomes('vm', 'running')).pending).toEqual(pending)

  const before = await used()
  await again('vm')
  expect(await view('vm')).toMatchObject({
    ncpus: pending.ncpus,
    memory: pending.memory,
    boot_disk_id: data,
    pending: null,
  })
  const after = await used()
  expect([after.cpus - before.cpus, after.memory - before.memory]).toEqual([2, GiB])
  const vmm = await bed.db.selectFrom('vmm').select('ncpus').where('time_gone', 'is', null).executeTakeFirst()
  expect(vmm?.ncpus).toBe(pending.ncpus)
})

test('each can be taken back, and what is as it was needs no change', async () => {
  const was = await running('back')
  await set('back', { ncpus: was.ncpus + 1, memory: was.memory + GiB })
  expect((await set('back', { memory: was.memory + GiB })).body.pending).toEqual({ memory: was.memory + GiB })
  expect((await set('back', { ncpus: was.ncpus, memory: was.memory })).body.pending).toBeNull()
  const seen = await me.get(`/v1/instances/back?${at}`)
  await set('back', { ncpus: was.ncpus + 1 })
  const late = await set('back', {}, me, { 'if-match': seen.headers.get('etag') ?? '' })
  expect(late.status).toBe(412)
  await me.post(`/v1/instances/back/stop?${at}`)
  await becomes('back', 'stopped')
  // It still can be taken back, and nothing new waits.
  const refused = await set('back', { ncpus: was.ncpus + 3 })
  expect([refused.status, refused.body.help]).toEqual([409, 'Change its settings.'])
  expect((await set('back', {})).body.pending).toBeNull()
})

test('what a stopped instance is set to replaces what was to be, and only that', async () => {
  const was = await running('set')
  await set('set', { ncpus: was.ncpus + 1, memory: was.memory + GiB })
  await me.post(`/v1/instances/set/stop?${at}`)
  await becomes('set', 'stopped')
  const { boot_disk_id, memory, auto_restart_policy } = was
  const settings = { ncpus: was.ncpus + 3, memory, boot_disk: boot_disk_id, auto_restart_policy }
  const changed = await me.call('PUT', `/v1/instances/set?${at}`, settings)
  expect(changed.body).toMatchObject({ ncpus: was.ncpus + 3, pending: { memory: was.memory + GiB } })
})

test('a boot disk that was detached meanwhile is not booted, and a start that does not fit is refused with nothing changed', async () => {
  const was = await running('gone')
  await set('gone', { boot_disk: 'gone-data' })
  await me.post(`/ext/v1/instances/gone/disks/detach?${at}`, { disk: 'gone-data' })
  await eventually(
    () => me.get(`/v1/disks/gone-data?${at}`),
    ({ body }) => body.state.state === 'detached',
  )
  await again('gone')
  expect(await view('gone')).toMatchObject({ boot_disk_id: was.boot_disk_id, pending: null })

  await set('gone', { memory: 1536 * GiB })
  await me.post(`/v1/instances/gone/stop?${at}`)
  await becomes('gone', 'stopped')
  const refused = await me.post(`/v1/instances/gone/start?${at}`)
  expect(refused.body.error_code).toBe('InsufficientCapacity')
  expect(await view('gone')).toMatchObject({ memory: was.memory, pending: { memory: 1536 * GiB } })
})

test.each([
  ['too many vCPUs', { ncpus: 65 }, 400],
  ['half a GiB', { memory: GiB / 2 }, 400],
  ['an unknown disk', { boot_disk: 'nobody' }, 404],
])('%s is refused', async (_, body, status) => {
  await made(me, `/v1/instances?${at}`, machine(`bad-${status}-${Object.keys(body)[0]?.replace('_', '-')}`))
  expect((await set(`bad-${status}-${Object.keys(body)[0]?.replace('_', '-')}`, body)).status).toBe(status)
})
