import { isoFile } from '@gantry/api/storage/cd.fixtures'
import { usualHardware } from '@gantry/api/storage/hardware.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fleet, MachineSpec } from '@gantry/control-plane/fleet/fleet'
import { simulatedFleet } from '@gantry/control-plane/fleet/simulated/fleet'
import { GiB, machine, newDisk } from '@gantry/control-plane/testing/case-values'
import {
  type Caller,
  eventually,
  settledJobs,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { made } from '@gantry/control-plane/testing/hidden-things'

const specs: MachineSpec[] = []
let fleet: Fleet
/** What a machine does with its CDs, instead of the simulated one. */
let fails = false
let bed: TestBed
let me: Caller
const images: Record<string, string> = {}
beforeAll(async () => {
  const recording: typeof simulatedFleet = (given) => {
    const real = simulatedFleet(given)
    const { machines } = real
    fleet = {
      ...real,
      machines: {
        ...machines,
        ensure: async (spec) => {
          specs.push(spec)
          await machines.ensure(spec)
        },
        setCds: async (...args) => {
          if (fails) throw new Error('the drive is stuck')
          return machines.setCds(...args)
        },
      },
    }
    return fleet
  }
  bed = await testControlPlane({ environment: { fleet: recording } })
  me = await bed.signIn('member')
  await made(me, '/v1/projects', { name: 'web', description: '' })
  for (const [name, bytes] of Object.entries({
    installer: isoFile([0xef]),
    drivers: isoFile(),
    plain: new Uint8Array(48 * 1024),
  }))
    images[name] = await uploaded(name, bytes)
})
afterAll(() => bed.stop())

const at = 'project=web'
async function uploaded(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const facts = { name, description: '', os: '', version: '', block_size: 512, size: bytes.length }
  const upload = await made(me, `/ext/v1/image-uploads?${at}`, { ...facts, format: 'raw' })
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const stored = await bed.plane.fetch(
    new Request(`http://localhost/ext/v1/image-uploads/${upload}/content?offset=0`, {
      method: 'PUT',
      headers: {
        cookie: me.cookie,
        'content-type': 'application/octet-stream',
        'content-digest': `sha-256=:${btoa(String.fromCharCode(...digest))}:`,
      },
      body: bytes,
    }),
    { address: '127.0.0.1' },
  )
  expect([stored.status, await stored.text()]).toEqual([204, ''])
  await me.post(`/ext/v1/image-uploads/${upload}/complete`)
  await settledJobs(bed)
  return (await me.get(`/v1/images/${name}?${at}`)).body.id
}
const boot = (name: string) => ({ boot_disk: { type: 'create', ...newDisk(`${name}-boot`) } })
const create = (name: string, more: object) =>
  me.post(`/v1/instances?${at}`, { ...machine(name), ...boot(name), ...more })
const put = (instance: string, what: string, body: object, by = me) =>
  by.call('PUT', `/ext/v1/instances/${instance}/${what}?${at}`, body)
const cds = (instance: string, ...images: (string | null)[]) => put(instance, 'cds', { cds: images })
const view = async (instance: string) => (await me.get(`/v1/instances/${instance}?${at}`)).body
const hardware = async (instance: string) =>
  (await me.get(`/ext/v1/instances/${instance}/hardware?${at}`)).body
const becomes = (instance: string, wanted: string) =>
  eventually(
    async () => {
      bed.pass(1000)
      return view(instance)
    },
    ({ run_state }) => run_state === wanted,
  )
const vmmOf = async (instance: string): Promise<string> =>
  (
    await bed.db
      .selectFrom('instance')
      .select('vmm_id')
      .where('name', '=', instance)
      .executeTakeFirstOrThrow()
  ).vmm_id ?? ''
const contentOf = async (id: string): Promise<string> =>
  (await bed.db.selectFrom('image').select('content_id').where('id', '=', id).executeTakeFirstOrThrow())
    .content_id
const held = async (instance: string) => fleet.machines.cds(await vmmOf(instance))

test('what an image is as a CD is read from its bytes', async () => {
  for (const [name, cd] of [
    ['installer', 'uefi'],
    ['drivers', 'data'],
    ['plain', 'none'],
  ] as const)
    expect((await me.get(`/v1/images/${name}?${at}`)).body.cd).toBe(cd)
})

test('an instance starts from its installer, whose firmware a blank disk gets', async () => {
  const refused = await create('none', { cds: ['plain'] })
  expect([refused.status, refused.body.message]).toEqual([
    400,
    'Image plain cannot be inserted. It is not a CD: it has no ISO 9660 file system.',
  ])
  expect((await create('many', { cds: ['installer', 'drivers', 'installer'] })).status).toBe(400)
  const created = await create('fresh', { cds: ['installer', images['drivers']], start: true })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  expect(created.body).toMatchObject({
    cds: [images['installer'], images['drivers']],
    hardware: { firmware: 'uefi' },
  })
  await becomes('fresh', 'running')
  const spec = specs.findLast(({ name }) => name === 'fresh')
  expect(spec).toMatchObject({
    hardware: { firmware: 'uefi' },
    cds: [
      { name: 'installer', boots: true },
      { name: 'drivers', boots: false },
    ],
  })
  expect(await hardware('fresh')).toMatchObject({
    firmware: 'uefi',
    cds: [
      { name: 'installer', kind: 'uefi' },
      { name: 'drivers', kind: 'data' },
    ],
    boot_disk: { name: 'fresh-boot' },
  })
})

test('CDs are changed and ejected while it runs, and stay for the next start', async () => {
  const contents = [await contentOf(images['installer'] ?? ''), await contentOf(images['drivers'] ?? '')]
  expect(await held('fresh')).toEqual(contents)
  expect((await cds('fresh', 'drivers')).status).toBe(200)
  expect(await held('fresh')).toEqual([contents[1], null])
  expect((await view('fresh')).cds).toEqual([images['drivers'], null])
  // It is told as a change of the instance, and can be taken back.
  const { items } = (await me.get(`/ext/v1/activity?${at}&limit=1`)).body
  expect(items[0]).toMatchObject({ operation: 'instance_cds_update', is_revertible: true })
  const path = `/ext/v1/activity/${items[0].id}/revert`
  expect((await me.post(path, { hash: (await me.get(path)).body.hash, keep: [] })).status).toBe(204)
  expect(await held('fresh')).toEqual(contents)
  expect((await cds('fresh')).body.cds).toEqual([null, null])
  expect([await held('fresh'), (await view('fresh')).cds]).toEqual([[null, null], undefined])
  await cds('fresh', null, 'drivers')
  await me.post(`/v1/instances/fresh/stop?${at}`)
  await becomes('fresh', 'stopped')
  await me.post(`/v1/instances/fresh/start?${at}`)
  await becomes('fresh', 'running')
  expect(await held('fresh')).toEqual([null, contents[1]])
})

test('a machine that does not take a CD leaves the record as it is', async () => {
  fails = true
  try {
    await cds('fresh', 'installer', 'drivers')
    await settledJobs(bed)
  } finally {
    fails = false
  }
  expect((await view('fresh')).cds).toEqual([null, images['drivers']])
})

test('a machine of before has no drives, which is said', async () => {
  await bed.db
    .updateTable('vmm')
    .set({ has_cd_drives: false })
    .where('id', '=', await vmmOf('fresh'))
    .execute()
  const refused = await cds('fresh', 'installer')
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'instance fresh was started before this installation had CD drives',
  ])
})

test('an image in a drive is not deleted, and its plan says where it is', async () => {
  const refused = await me.call('DELETE', `/v1/images/drivers?${at}`)
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'image drivers is in a CD drive of instance fresh',
  ])
  const plan = await me.get(`/ext/v1/deletion-plans/${images['drivers']}?kind=image`)
  expect(plan.body.blockers).toMatchObject([
    { cause: 'in_use', kind: 'instance', message: 'It is in a CD drive of instance fresh' },
  ])
  // One that is deleted while its instance is in the recycle bin is in no drive afterwards.
  await create('binned', { cds: ['installer'] })
  expect((await me.call('DELETE', `/v1/instances/binned?${at}`)).status).toBe(204)
  const [item] = (await me.get(`/ext/v1/recycle-bin?${at}&kind=instance`)).body.items
  expect((await me.call('DELETE', `/v1/images/installer?${at}`)).status).toBe(204)
  const restored = await me.post(`/ext/v1/recycle-bin/${item.id}/restore`, {})
  expect(restored.status, JSON.stringify(restored.body)).toBeLessThan(300)
  await settledJobs(bed)
  expect((await view('binned')).cds).toBeUndefined()
})

test('hardware is chosen for an instance: at once while it is stopped, else with its next start', async () => {
  const usual = { ...usualHardware }
  await create('box', {})
  expect(await hardware('box')).toMatchObject({ ...usual, chosen: {}, cds: [null, null] })
  const wrong = await put('box', 'hardware', { chosen: { secure_boot: true } })
  expect([wrong.status, wrong.body.message]).toEqual([400, 'Secure boot needs UEFI.'])
  const chosen = { firmware: 'uefi', secure_boot: true, clock: 'local' }
  expect((await put('box', 'hardware', { chosen })).body).toMatchObject({ ...usual, ...chosen, chosen })
  await me.post(`/v1/instances/box/start?${at}`)
  await becomes('box', 'running')
  expect(specs.findLast(({ name }) => name === 'box')?.hardware).toMatchObject(chosen)

  const later = { ...chosen, network_model: 'e1000' }
  expect((await put('box', 'hardware', { chosen: later })).body).toMatchObject({
    network_model: 'virtio',
    chosen,
  })
  expect((await view('box')).pending).toEqual({ hardware: later })
  // Another pending change keeps it only if it is sent along, as all that waits is.
  const both = { ncpus: 2, hardware: later }
  expect((await put('box', 'pending', both)).body.pending).toEqual(both)
  await me.post(`/v1/instances/box/stop?${at}`)
  await becomes('box', 'stopped')
  await me.post(`/v1/instances/box/start?${at}`)
  const started = await becomes('box', 'running')
  expect([started.ncpus, started.hardware, started.pending ?? null]).toEqual([2, later, null])
  expect(specs.findLast(({ name }) => name === 'box')?.hardware).toMatchObject(later)
  await put('box', 'hardware', {})
  expect((await view('box')).pending).toEqual({ hardware: {} })
  expect((await put('box', 'pending', {})).body.pending ?? null).toBeNull()
})

test('a snapshot of an instance keeps both', async () => {
  const size = { memory: GiB }
  await create('kept', { ...size, cds: ['drivers'], hardware: { clock: 'local' } })
  const shot = await made(me, `/ext/v1/instance-snapshots?${at}`, {
    name: 'shot',
    description: '',
    instance: 'kept',
  })
  await settledJobs(bed)
  const path = `/ext/v1/instance-snapshots/${shot}`
  expect((await me.get(path)).body.settings).toMatchObject({
    hardware: { clock: 'local' },
    cds: [{ id: images['drivers'], name: 'drivers' }, null],
  })
  const copy = await me.post(`${path}/instances`, { name: 'copy', start: false })
  expect(copy.status, JSON.stringify(copy.body)).toBe(201)
  expect(copy.body).toMatchObject({ cds: [images['drivers'], null], hardware: { clock: 'local' } })
})
