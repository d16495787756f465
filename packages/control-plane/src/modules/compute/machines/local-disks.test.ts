import { newestVersionText, versionHeader } from '@gantry/api/versions/newest.rules'
import { bytesOnPhysicalDisk } from '@gantry/api/storage/disk.rules'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { GiB } from '@gantry/control-plane/testing/case-values'
import {
  type Answer,
  type Caller,
  eventually,
  said,
  settledJobs,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { made } from '@gantry/control-plane/testing/hidden-things'
import { dataDiskSize } from '../../hardware/parts.ts'

let bed: TestBed
let me: Caller
let operator: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
  operator = await bed.signIn('admin')
  await bed.db
    .updateTable('silo_quotas')
    .set({ storage: 1e6 * GiB, cpus: 1000, memory: 1e3 * GiB })
    .execute()
})
afterAll(() => bed.stop())
let count = 0
let at: string
beforeEach(async () => {
  // Each test has a project of its own.
  const name = `web-${++count}`
  await made(me, '/v1/projects', { name, description: '' })
  at = `project=${name}`
})

const newest = (method: string, path: string, body?: object, who = me) =>
  who.call(method, path, body, { [versionHeader]: newestVersionText })
async function create(what: 'disks' | 'instances', body: object): Promise<void> {
  expect(said(await newest('POST', `/v1/${what}?${at}`, body))).toBe('201')
}
const local = (name: string, gib = 1) => ({
  name,
  description: '',
  size: gib * GiB,
  disk_backend: { type: 'local' },
})
const machine = (name: string, more: object = {}) => ({
  name,
  description: '',
  hostname: name,
  ncpus: 1,
  memory: GiB,
  start: false,
  ...more,
})
/** As large as fits on a physical disk, and as such alone on it. */
const whole = Math.floor(dataDiskSize / bytesOnPhysicalDisk(GiB))
/** Where the local disks of an instance are, the largest first. */
const places = (instance: string) =>
  bed.db
    .selectFrom('local_volume')
    .innerJoin('disk', 'disk.content_id', 'local_volume.content_id')
    .innerJoin('instance', 'instance.id', 'disk.instance_id')
    .select(['local_volume.sled_id', 'local_volume.size', 'local_volume.physical_disk_id'])
    .where('instance.name', '=', instance)
    .orderBy('local_volume.size', 'desc')
    .execute()
const reached = (name: string, state: string) =>
  eventually(
    async () => {
      bed.pass(1000)
      return (await me.get(`/v1/instances/${name}?${at}`)).body.run_state
    },
    (now) => now === state,
  )
const sledOf = async (name: string): Promise<string> =>
  (
    await bed.db
      .selectFrom('vmm')
      .innerJoin('instance', 'instance.vmm_id', 'vmm.id')
      .select('vmm.sled_id')
      .where('instance.name', '=', name)
      .executeTakeFirstOrThrow()
  ).sled_id

test('a local disk has no source, blocks of 4096 bytes, and the size of a physical disk at most', async () => {
  const { status, body } = await newest('POST', `/v1/disks?${at}`, local('scratch'))
  expect([status, body.disk_type, body.block_size, body.image_id]).toEqual([201, 'local', 4096, null])
  for (const [size, problem] of [
    [GiB / 2, 'total size must be at least 1 GiB'],
    [1.5 * GiB, 'total size must be a multiple of 1 GiB'],
    [(whole + 1) * GiB, 'total size must fit on one physical disk'],
  ] as const)
    expect(said(await newest('POST', `/v1/disks?${at}`, { ...local('odd'), size }))).toBe(
      `400 unsupported value for "size": ${problem}`,
    )
})

test('it is neither snapshotted, copied, grown nor attached to a running machine', async () => {
  await create('disks', local('scratch'))
  await settledJobs(bed)
  const named = { name: 'copy', description: '' }
  const image = { ...named, os: 'Linux', version: '1' }
  const instance = machine('runs', { start: true, disks: [{ type: 'attach', name: 'own' }] })
  await create('disks', local('own'))
  await create('instances', instance)
  await reached('runs', 'running')
  const refused = [
    await me.post(`/v1/snapshots?${at}`, { ...named, disk: 'scratch' }),
    await me.post(`/ext/v1/disks/scratch/images?${at}`, image),
    await me.post(`/ext/v1/disks/scratch/grow?${at}`, { size: 2 * GiB }),
    await me.post(`/ext/v1/instances/runs/disks/attach?${at}`, { disk: 'scratch' }),
    await me.post(`/ext/v1/instance-snapshots?${at}`, { ...named, instance: 'runs' }),
  ]
  expect(refused.map(said)).toEqual([
    '400 cannot take a snapshot of a local disk',
    '400 cannot take a snapshot of a local disk',
    '400 a local disk cannot grow',
    '400 local disk "scratch" cannot be attached while the instance runs',
    '400 local disk own cannot be snapshotted',
  ])
})

const policy = (id: string, state: string) =>
  operator.call('PUT', `/v1/system/hardware/sleds/${id}/provision-policy`, { state })
const sleds = async (): Promise<string[]> =>
  (await operator.get('/v1/system/hardware/sleds')).body.items.map(({ id }: { id: string }) => id)
/** Lets only one sled take instances until the end of the test. */
async function onlyOn(sled: string): Promise<void> {
  const others = (await sleds()).filter((id) => id !== sled)
  for (const id of others) await policy(id, 'non_provisionable')
  onTestFinished(async () => {
    for (const id of others) await policy(id, 'provisionable')
  })
}
const start = (name: string) => me.post(`/v1/instances/${name}/start?${at}`)
async function stop(name: string): Promise<void> {
  await me.post(`/v1/instances/${name}/stop?${at}`)
  await reached(name, 'stopped')
}
const withLocal = (name: string, ...gib: number[]) =>
  machine(name, {
    disks: gib.map((size, index) => ({ type: 'create', ...local(`${name}-${index}`, size) })),
  })
const elsewhere = 'its local disks are on another sled'
const full = 'not enough free space for its local disks'
const reasons = ({ body }: Answer): string[] =>
  body.details.sleds.map(({ reason }: { reason: string }) => reason)

test('a start places it on the sled of its instance, which it stays on', async () => {
  await create('instances', withLocal('kept', 1, 2))
  expect(await places('kept')).toEqual([])
  expect(said(await start('kept'))).toBe('202')
  await reached('kept', 'running')
  const sled = await sledOf('kept')
  const placed = await places('kept')
  expect(placed.map(({ sled_id, size }) => [sled_id, size])).toEqual([
    [sled, bytesOnPhysicalDisk(2 * GiB)],
    [sled, bytesOnPhysicalDisk(GiB)],
  ])
  expect(placed[0]?.physical_disk_id).not.toBe(placed[1]?.physical_disk_id)
  await stop('kept')
  await policy(sled, 'non_provisionable')
  const refused = await start('kept')
  expect(said(refused)).toMatch(/^507 Insufficient capacity/)
  expect(reasons(refused)).toContain(elsewhere)
  await policy(sled, 'provisionable')
  expect(said(await start('kept'))).toBe('202')
  await reached('kept', 'running')
  expect(await sledOf('kept')).toBe(sled)
})

test('disks on two sleds keep an instance from starting', async () => {
  const [one = '', two = ''] = await sleds()
  for (const [name, sled] of [
    ['first', one],
    ['second', two],
  ] as const) {
    await create('instances', withLocal(name, 1))
    const others = (await sleds()).filter((id) => id !== sled)
    for (const id of others) await policy(id, 'non_provisionable')
    expect(said(await start(name))).toBe('202')
    for (const id of others) await policy(id, 'provisionable')
    await reached(name, 'running')
    await stop(name)
  }
  expect(said(await me.post(`/v1/instances/second/disks/detach?${at}`, { disk: 'second-0' }))).toBe('202')
  expect(said(await me.post(`/v1/instances/first/disks/attach?${at}`, { disk: 'second-0' }))).toBe('202')
  const refused = await start('first')
  expect([refused.status, ...reasons(refused)]).toEqual([507, elsewhere])
})

test('a full sled takes none, two starts never share the last place, and the recycle bin gives way', async () => {
  const [, , sled = ''] = await sleds()
  await onlyOn(sled)
  await create('instances', withLocal('large', ...Array.from({ length: 8 }, () => whole)))
  await create('instances', withLocal('nearly', whole))
  for (const name of ['one', 'two']) await create('instances', withLocal(name, whole))
  expect((await Promise.all(['large', 'nearly'].map(start))).map(said)).toEqual(['202', '202'])
  const raced = await Promise.all(['one', 'two'].map(start))
  expect(raced.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 507])
  const [winner = '', loser = ''] = raced[0]?.status === 202 ? ['one', 'two'] : ['two', 'one']
  const refused = await start(loser)
  expect(reasons(refused)).toContain(full)
  await reached(winner, 'running')
  await stop(winner)
  await me.post(`/v1/instances/${winner}/disks/detach?${at}`, { disk: `${winner}-0` })
  expect(said(await me.call('DELETE', `/v1/disks/${winner}-0?${at}`))).toBe('204')
  const held = () => bed.db.selectFrom('recycled').select('name').where('name', '=', `${winner}-0`).execute()
  expect(await held()).toHaveLength(1)
  expect(said(await start(loser))).toBe('202')
  expect(await held()).toEqual([])
  await settledJobs(bed)
  const volumes = bed.db.selectFrom('local_volume').select('content_id').where('sled_id', '=', sled)
  expect(await volumes.execute()).toHaveLength(10)
})

test('what is created and started at once is placed, or exists failed with the reason', async () => {
  const [, , , sled = ''] = await sleds()
  await onlyOn(sled)
  await create('instances', { ...withLocal('fits', 1), start: true })
  await reached('fits', 'running')
  await create('instances', { ...withLocal('small', ...Array.from({ length: 8 }, () => whole)), start: true })
  await create('instances', { ...withLocal('misfit', whole, whole), start: true })
  expect((await me.get(`/v1/instances/misfit?${at}`)).body.run_state).toBe('failed')
})

test('an instance with a local disk is not moved off its sled, and a drain says so', async () => {
  await create('instances', withLocal('fixed', 1))
  await start('fixed')
  await reached('fixed', 'running')
  const sled = await sledOf('fixed')
  const { body: drain } = await operator.post(`/ext/v1/system/sleds/${sled}/drains`, { mode: 'move' })
  onTestFinished(async () => {
    await operator.post(`/ext/v1/system/drains/${drain.id}/cancel`)
    await policy(sled, 'provisionable')
  })
  const told = await eventually(
    async () => {
      bed.pass(1000)
      const { instances } = (await operator.get(`/ext/v1/system/drains/${drain.id}`)).body
      return instances.map(({ reason }: { reason: string | null }) => reason)
    },
    (found) => found.some((reason: string | null) => reason !== null),
  )
  expect(told).toContain('cannot migrate an instance with local disks')
})

test('a sled that is removed for good takes its local disks with it', async () => {
  const spare = (await sleds()).at(-1) ?? ''
  await onlyOn(spare)
  await create('instances', withLocal('doomed', 1))
  await create('disks', local('binned'))
  await me.post(`/v1/instances/doomed/disks/attach?${at}`, { disk: 'binned' })
  await start('doomed')
  await reached('doomed', 'running')
  await stop('doomed')
  await me.post(`/v1/instances/doomed/disks/detach?${at}`, { disk: 'binned' })
  await me.call('DELETE', `/v1/disks/binned?${at}`)
  await operator.post('/ext/v1/faults', { kind: 'sled_lost', sled_id: spare })
  expect(said(await operator.post(`/ext/v1/system/sleds/${spare}/expunge`, {}))).toBe('200')
  await settledJobs(bed)
  const { body } = await newest('GET', `/v1/disks/doomed-0?${at}`)
  expect([body.state, body.failure.message]).toEqual([
    { state: 'faulted' },
    'The sled that held it was removed for good, and its bytes with it.',
  ])
  const bin = await bed.db.selectFrom('recycled').select('name').where('name', '=', 'binned').execute()
  expect(bin).toEqual([])
  expect(said(await me.call('DELETE', `/v1/disks/doomed-0?${at}`))).toBe('204')
  // The instance starts without it.
  for (const id of await sleds()) await policy(id, 'provisionable')
  expect(said(await start('doomed'))).toBe('202')
})

test('clients that know no kinds of disks are shown local disks, and those that know only one are not', async () => {
  await create('disks', local('newer'))
  const older = { [versionHeader]: '2025112000.0.0' }
  expect((await me.get(`/v1/disks?${at}`)).body.items).toMatchObject([{ name: 'newer' }])
  expect((await me.call('GET', `/v1/disks/newer?${at}`, undefined, older)).status).toBe(406)
})

test('a filter finds local disks', async () => {
  await create('disks', local('near'))
  await create('disks', {
    ...local('far'),
    disk_backend: { type: 'distributed', disk_source: { type: 'blank', block_size: 512 } },
  })
  const { body } = await me.get(`/ext/v1/disks?${at}&filter=${encodeURIComponent('type:local')}`)
  expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['near'])
})
