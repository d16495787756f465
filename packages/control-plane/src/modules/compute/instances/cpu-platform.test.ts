import { newestVersionText, versionHeader } from '@gantry/api/versions/newest.rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GiB } from '@gantry/control-plane/testing/case-values'
import {
  type Caller,
  eventually,
  said,
  settledJobs,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { made } from '@gantry/control-plane/testing/hidden-things'

let bed: TestBed
let me: Caller
let admin: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
  admin = await bed.signIn('admin')
  await made(me, '/v1/projects', { name: 'web', description: '' })
})
afterAll(() => bed.stop())

const at = 'project=web'
const newest = (method: string, path: string, body?: object) =>
  me.call(method, path, body, { [versionHeader]: newestVersionText })
const sized = { ncpus: 1, memory: GiB }
const create = (name: string, more: object = {}) =>
  newest('POST', `/v1/instances?${at}`, { name, description: '', hostname: name, ...sized, ...more })
const view = async (name: string) => (await newest('GET', `/v1/instances/${name}?${at}`)).body
const update = (name: string, more: object) =>
  newest('PUT', `/v1/instances/${name}?${at}`, {
    ...sized,
    boot_disk: null,
    auto_restart_policy: null,
    enable_jumbo_frames: false,
    ...more,
  })
const stateOf = (name: string, wanted: string) =>
  eventually(
    async () => {
      bed.pass(500)
      await settledJobs(bed)
      return (await view(name)).run_state
    },
    (state) => state === wanted,
  )
const familyOf = async (name: string): Promise<string | undefined> => {
  const { rows } = await sql<{ cpu_family: string }>`SELECT s.cpu_family FROM vmm v
    JOIN sled s ON s.id = v.sled_id JOIN instance i ON i.id = v.instance_id
    WHERE i.name = ${name} AND v.time_gone IS NULL`.execute(bed.db)
  return rows[0]?.cpu_family
}
const turins = () =>
  bed.db.selectFrom('sled').select('id').where('cpu_family', '=', 'amd_turin').orderBy('serial').execute()

test('an instance runs on a sled that has its platform, and moves only to such a one', async () => {
  expect((await create('fast', { cpu_platform: 'amd_turin' })).body.cpu_platform).toBe('amd_turin')
  await stateOf('fast', 'running')
  expect(await familyOf('fast')).toBe('amd_turin')
  const { rows } = await sql<{ id: string }>`SELECT v.sled_id AS id FROM vmm v JOIN instance i
    ON i.id = v.instance_id WHERE i.name = 'fast' AND v.time_gone IS NULL`.execute(bed.db)
  const from = rows[0]?.id ?? ''
  expect((await admin.post(`/ext/v1/system/sleds/${from}/drains`, { mode: 'move' })).status).toBe(201)
  const moved = await eventually(
    async () => {
      bed.pass(500)
      await settledJobs(bed)
      const now = await sql<{ id: string }>`SELECT v.sled_id AS id FROM vmm v JOIN instance i
        ON i.id = v.instance_id WHERE i.name = 'fast' AND v.time_gone IS NULL`.execute(bed.db)
      return now.rows[0]?.id
    },
    (id) => id !== from,
  )
  expect((await turins()).map(({ id }) => id)).toContain(moved)
})

test('it changes while the instance is stopped, and older clients keep it', async () => {
  await create('changed', { cpu_platform: 'amd_milan' })
  await stateOf('changed', 'running')
  expect(said(await update('changed', { cpu_platform: null }))).toBe(
    '409 instance must be stopped to change its CPU platform',
  )
  expect((await update('changed', { cpu_platform: 'amd_milan' })).status).toBe(200)
  await me.post(`/v1/instances/changed/stop?${at}`)
  await stateOf('changed', 'stopped')
  expect((await update('changed', { cpu_platform: 'amd_turin' })).body.cpu_platform).toBe('amd_turin')
  expect((await me.call('PUT', `/v1/instances/changed?${at}`, sized)).status).toBe(200)
  expect((await view('changed')).cpu_platform).toBe('amd_turin')
})

test('an instance snapshot and a template keep it', async () => {
  const disk_source = { type: 'blank', block_size: 512 }
  const boot_disk = { type: 'create', name: 'kept-boot', description: '', size: GiB }
  await create('kept', {
    cpu_platform: 'amd_turin_v2',
    start: false,
    boot_disk: { ...boot_disk, disk_backend: { type: 'distributed', disk_source } },
  })
  await settledJobs(bed)
  const kept = { name: 'then', description: '', instance: 'kept' }
  expect((await newest('POST', `/ext/v1/instance-snapshots?${at}`, kept)).status).toBe(201)
  await settledJobs(bed)
  expect((await newest('GET', `/ext/v1/instance-snapshots/then?${at}`)).body.settings.cpu_platform).toBe(
    'amd_turin_v2',
  )
  await newest('POST', `/ext/v1/instance-snapshots/then/instances?${at}`, { name: 'again' })
  expect((await view('again')).cpu_platform).toBe('amd_turin_v2')
  const settings = { hardware: sized, start: false, cpu_platform: 'amd_milan' }
  const template = { name: 'usual', description: '', settings, fixed: ['cpu_platform'] }
  await made(me, `/ext/v1/instance-templates?${at}`, template)
  const use = (name: string, more: object = {}) =>
    newest('POST', `/ext/v1/instance-templates/usual/instances?${at}`, { name, ...more })
  expect((await use('of-it')).body.cpu_platform).toBe('amd_milan')
  expect(said(await use('other', { cpu_platform: null }))).toBe(
    '400 template "usual" does not let this be changed: cpu platform',
  )
})

test('without a sled of the family nothing starts, and the check before says so', async () => {
  for (const { id } of await turins())
    await bed.db.updateTable('sled').set({ is_provisionable: false }).where('id', '=', id).execute()
  const answer = await create('nowhere', { cpu_platform: 'amd_turin' })
  expect([answer.body.run_state, answer.body.failure.message]).toEqual([
    'failed',
    expect.stringMatching(/^Insufficient capacity: Failed to place instance/),
  ])
  const check = { ...sized, cpu_platform: 'amd_turin' }
  const { body } = await me.post(`/ext/v1/placement-checks?${at}`, check)
  expect([body.fits, body.candidates, body.reasons[0].reason]).toEqual([false, 0, 'other_cpu'])
})
