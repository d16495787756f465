import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemCx } from '../../context/cx.ts'
import { toHex } from '../../context/ids.ts'
import { type Caller, eventually, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { withoutBin } from '../../testing/environment.ts'
import { testServices } from '../../testing/services.ts'
import { snapshotContent } from './snapshots.ts'
import { failingBlocks, storageSteps } from './storage.fixtures.ts'

const GiB = 1024 ** 3
const MiB = 1024 ** 2
const { blocks: held, failing } = failingBlocks()

let bed: TestBed
let me: Caller
beforeAll(async () => {
  bed = await testControlPlane({ environment: { blocks: held, settings: withoutBin } })
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())

const blank = { type: 'blank', block_size: 512 }
const { at, said, makeDisk, snapshot, stateOf, contentOf, settled, storage } = storageSteps(() => ({
  bed,
  me,
}))
/** Digests everything written, with holes as zeros. */
async function digest(content: string, length: number): Promise<string> {
  const parts: string[] = []
  for (let offset = 0; offset < length; offset += 64 * MiB) {
    const bytes = await held.read(content, offset, Math.min(64 * MiB, length - offset))
    parts.push(toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))))
  }
  return parts.join()
}
const write = (content: string, text: string, offset = 4096) =>
  held.write(content, offset, new TextEncoder().encode(text))

describe('the bytes', () => {
  test("of a disk made from an image equal the image's", async () => {
    const image = (await me.get('/v1/images/alpine-3-22')).body
    const disk = await makeDisk('from-image', {
      size: 2 * GiB,
      disk_source: { type: 'image', image_id: image.id },
    })
    expect(disk.body).toMatchObject({ state: { state: 'creating' }, image_id: image.id, block_size: 512 })
    expect(await stateOf('disks/from-image')).toBe('detached')
    const [from, to] = [await contentOf('image', image.id), await contentOf('disk', disk.body.id)]
    expect(await held.size(to)).toBe(2 * GiB)
    expect(await digest(to, 64 * MiB)).toBe(await digest(from, 64 * MiB))
    expect(await held.read(to, GiB, 512)).toEqual(new Uint8Array(512))
    await write(to, 'changed')
    expect(await digest(to, MiB)).not.toBe(await digest(from, MiB))
  })

  test("of a snapshot equal its disk's at that point in time, whichever is deleted first", async () => {
    const disk = (await makeDisk('origin')).body
    const content = await contentOf('disk', disk.id)
    await write(content, 'before')
    const before = await digest(content, MiB)
    const taken = await snapshot('moment', 'origin')
    expect([taken.status, taken.body]).toMatchObject([201, { state: 'ready', disk_id: disk.id, size: GiB }])
    await write(content, 'after.')
    const copy = await contentOf('snapshot', taken.body.id)
    expect(await digest(copy, MiB)).toBe(before)

    const again = await makeDisk('again', { disk_source: { type: 'snapshot', snapshot_id: taken.body.id } })
    expect(again.status).toBe(201)
    expect(await digest(await contentOf('disk', again.body.id), MiB)).toBe(before)
    expect(said(await me.call('DELETE', at('disks/origin')))).toBe('204')
    expect(said(await me.call('DELETE', at('snapshots/moment')))).toBe('204')
    await settled()
    expect([await held.size(content), await held.size(copy)]).toEqual([undefined, undefined])
    expect(await digest(await contentOf('disk', again.body.id), MiB)).toBe(before)
  })

  test('of an attached disk are copied while it runs', async () => {
    await makeDisk('in-use')
    await me.post(at('instances'), {
      name: 'user',
      description: '',
      ncpus: 1,
      memory: GiB,
      hostname: 'user',
      disks: [{ type: 'attach', name: 'in-use' }],
    })
    expect((await snapshot('alive', 'in-use')).body.state).toBe('ready')
    expect(await stateOf('disks/in-use')).toBe('attached')
  })

  test('of a disk made with its instance exist once it runs', async () => {
    const image_id = (await me.get('/v1/images/debian-13')).body.id
    const made = await me.post(at('instances'), {
      name: 'whole',
      description: '',
      ncpus: 1,
      memory: GiB,
      hostname: 'whole',
      boot_disk: {
        type: 'create',
        name: 'whole-boot',
        description: '',
        size: 2 * GiB,
        disk_source: { type: 'image', image_id },
      },
    })
    await settled()
    const content = await contentOf('disk', made.body.boot_disk_id)
    expect(await digest(content, 64 * MiB)).toBe(await digest(await contentOf('image', image_id), 64 * MiB))
  })
})

test('a disk outlives its instance, and another of the same name boots from it', async () => {
  const machine = { name: 'again', description: '', ncpus: 1, memory: GiB, hostname: 'again' }
  const disk = (await makeDisk('lasting', { size: GiB })).body
  expect(await stateOf('disks/lasting')).toBe('detached')
  const content = await contentOf('disk', disk.id)
  await write(content, 'of the first')
  const boot_disk = { type: 'attach', name: 'lasting' }
  const first = (await me.post(at('instances'), { ...machine, boot_disk, start: false })).body
  expect((await me.call('DELETE', at('instances/again'))).status).toBe(204)
  expect(await stateOf('disks/lasting')).toBe('detached')
  const second = (await me.post(at('instances'), { ...machine, boot_disk, start: false })).body
  expect([second.boot_disk_id, second.id === first.id]).toEqual([disk.id, false])
  const kept = await held.read(await contentOf('disk', disk.id), 4096, 12)
  expect(new TextDecoder().decode(kept)).toBe('of the first')
  await me.call('DELETE', at('instances/again'))
})

test("sizes are refused in the reference's order and words", async () => {
  const image = (await me.get('/v1/images/fedora-43')).body
  await makeDisk('five', { size: 5 * GiB })
  const snap = (await snapshot('of-five', 'five')).body.id
  await me.post('/v1/projects', { name: 'neighbour', description: '' })
  await makeDisk('far', {}, 'neighbour')
  const far = (await snapshot('far', 'far', 'neighbour')).body.id
  const ofImage = { type: 'image', image_id: image.id }
  const nobody = crypto.randomUUID()
  const size = 'unsupported value for "size": total size must be'
  const rows: [size: number, source: object, answer: string][] = [
    [1023 * GiB, blank, '201'],
    [0, blank, `400 ${size} at least 1 GiB`],
    [GiB - 512, blank, `400 ${size} at least 1 GiB`],
    [GiB + 512, blank, `400 ${size} a multiple of 1 GiB`],
    [1024 * GiB, blank, `400 ${size} less than 1023 GiB`],
    [
      1024 * GiB + 1,
      blank,
      '400 unsupported value for "size and block_size": total size must be a multiple of block size 512',
    ],
    [
      GiB + 512,
      { type: 'blank', block_size: 4096 },
      '400 unsupported value for "size and block_size": total size must be a multiple of block size 4096',
    ],
    [GiB, ofImage, `400 disk size ${GiB} must be greater than or equal to image size ${5 * GiB}`],
    [
      5 * GiB + 1,
      ofImage,
      '400 unsupported value for "size and block_size": total size must be a multiple of block size 4096',
    ],
    [
      4 * GiB,
      { type: 'snapshot', snapshot_id: snap },
      `400 disk size ${4 * GiB} must be greater than or equal to snapshot size ${5 * GiB}`,
    ],
    [GiB, { type: 'snapshot', snapshot_id: far }, '400 snapshot does not belong to this project'],
    [GiB, { type: 'snapshot', snapshot_id: nobody }, `404 not found: snapshot with id "${nobody}"`],
    [GiB, { type: 'image', image_id: nobody }, `404 not found: image with id "${nobody}"`],
    [5 * GiB, { type: 'image', image_id: `urn:uuid:${image.id}` }, '201'],
  ]
  for (const [index, [size, disk_source, answer]] of rows.entries())
    expect(said(await makeDisk(`sized-${index}`, { size, disk_source }))).toBe(answer)
  expect(said(await makeDisk('sized-0'))).toBe('400 already exists: disk "sized-0"')
  expect(said(await snapshot('of-five', 'five'))).toBe('400 already exists: snapshot "of-five"')
  expect(said(await snapshot('x', (await me.get(at('disks/far', 'neighbour'))).body.id))).toBe(
    "400 can't create a snapshot of a disk in a different project",
  )
  await bed.db
    .updateTable('image')
    .set({ project_id: (await me.get('/v1/projects/neighbour')).body.id })
    .where('id', '=', image.id)
    .execute()
  expect(said(await makeDisk('private', { size: 5 * GiB, disk_source: ofImage }))).toBe(
    '400 image does not belong to this project',
  )
})

test('deletion depends on the state', async () => {
  await makeDisk('states')
  await snapshot('states', 'states')
  const disk = (state: string) =>
    bed.db
      .updateTable('disk')
      .set({ state: state as 'detached' })
      .where('name', '=', 'states')
      .execute()
  for (const state of [
    'creating',
    'attached',
    'import_ready',
    'importing_from_bulk_writes',
    'finalizing',
    'maintenance',
  ]) {
    await disk(state)
    expect(said(await me.call('DELETE', at('disks/states')))).toBe(
      `400 disk cannot be deleted in state "${state}"`,
    )
    if (state === 'attached') continue
    const refused = await snapshot('no', 'states')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  }
  await disk('faulted')
  const before = await storage()
  expect(said(await me.call('DELETE', at('disks/states')))).toBe('204')
  expect(said(await me.call('DELETE', at('disks/states')))).toBe('404 not found: disk with name "states"')
  expect(await storage()).toBe(before - GiB)
  await bed.db.updateTable('snapshot').set({ state: 'creating' }).where('name', '=', 'states').execute()
  expect(said(await me.call('DELETE', at('snapshots/states')))).toBe(
    '400 snapshot cannot be deleted in state Creating',
  )
  await bed.db.updateTable('snapshot').set({ state: 'faulted' }).where('name', '=', 'states').execute()
  expect(said(await me.call('DELETE', at('snapshots/states')))).toBe('204')
})

describe('a store that fails', () => {
  test.each([2])('%i times only causes delays', async (times) => {
    failing.create = times
    expect((await makeDisk(`late-${times}`)).body.state).toEqual({ state: 'creating' })
    await settled()
    expect([failing.create, await stateOf(`disks/late-${times}`)]).toEqual([0, 'detached'])
    failing.create = times
    expect((await snapshot(`late-${times}`, `late-${times}`)).body.state).toBe('creating')
    expect(await stateOf(`disks/late-${times}`)).toBe('maintenance')
    await settled()
    expect(await stateOf(`snapshots/late-${times}`)).toBe('ready')
    expect(await stateOf(`disks/late-${times}`)).toBe('detached')
  })

  test('permanently faults the disk, which can be deleted', async () => {
    failing.create = 8
    const before = await storage()
    const { id } = (await makeDisk('broken')).body
    await settled()
    expect(await stateOf('disks/broken')).toBe('faulted')
    // The error itself may name files of the host.
    expect((await me.call('GET', at('disks/broken'))).body.failure).toMatchObject({
      code: 'Internal',
      message: 'The disk could not be created.',
      next_step: 'Try again. If it keeps failing, contact the operator.',
    })
    const job = await bed.db
      .selectFrom('job')
      .select(['state', 'attempts', 'failure'])
      .where((eb) => eb(eb.ref('args', '->>').key('disk_id'), '=', id))
      .executeTakeFirstOrThrow()
    expect(job).toMatchObject({ state: 'failed', attempts: 8, failure: { message: 'create failed' } })
    expect(said(await me.call('DELETE', at('disks/broken')))).toBe('204')
    expect(await storage()).toBe(before)
    await settled()
  })

  test('permanently faults the snapshot and releases the disk', async () => {
    await makeDisk('survivor')
    failing.create = 8
    await snapshot('lost', 'survivor')
    await settled()
    expect([await stateOf('snapshots/lost'), await stateOf('disks/survivor')]).toEqual([
      'faulted',
      'detached',
    ])
    expect((await me.get(at('snapshots/lost'))).body.failure).toMatchObject({
      code: 'Internal',
      message: 'The snapshot could not be created.',
    })
    expect(said(await me.call('DELETE', at('snapshots/lost')))).toBe('204')
    await settled()
  })

  test('on removal keeps the bytes until it succeeds', async () => {
    const { id } = (await makeDisk('sticky')).body
    const content = await contentOf('disk', id)
    failing.remove = 2
    await me.call('DELETE', at('disks/sticky'))
    await settled()
    expect([failing.remove, await held.size(content)]).toEqual([0, undefined])
  })
})

test.each(['ready', 'faulted'])(
  'a snapshot that becomes %s leaves its disk in maintenance while another copies it',
  async (state) => {
    const disk = `twice-${state}`
    await makeDisk(disk)
    const machine = { name: disk, description: '', ncpus: 1, memory: GiB, hostname: disk, start: false }
    await me.post(at('instances'), { ...machine, disks: [{ type: 'attach', name: disk }] })
    failing.create = Infinity
    const attached = (await snapshot(`${disk}-attached`, disk)).body
    await me.post(at(`instances/${disk}/disks/detach`), { disk })
    const detached = (await snapshot(`${disk}-detached`, disk)).body
    expect([attached.state, detached.state, await stateOf(`disks/${disk}`)]).toEqual([
      'creating',
      'creating',
      'maintenance',
    ])
    const end = async ({ id }: { id: string }) => {
      const { args } = await bed.db
        .selectFrom('job')
        .select('args')
        .where('kind', '=', snapshotContent.name)
        .where((eb) => eb(eb.ref('args', '->>').key('snapshot_id'), '=', id))
        .executeTakeFirstOrThrow()
      const cx = systemCx(
        testServices({ db: bed.db, blocks: { ...held, create: async () => {} } }),
        'job:test',
      )
      await (state === 'ready'
        ? snapshotContent.run(cx, args)
        : snapshotContent.gaveUp(cx, args, new Error('create failed')))
    }
    await end(attached)
    expect([await stateOf(`snapshots/${disk}-attached`), await stateOf(`disks/${disk}`)]).toEqual([
      state,
      'maintenance',
    ])
    await end(detached)
    expect(await stateOf(`disks/${disk}`)).toBe('detached')
    failing.create = 0
    await settled()
  },
)

test('a source is not removed while it is being copied', async () => {
  const origin = (await makeDisk('source')).body
  const snap = (await snapshot('source', 'source')).body
  const content = await contentOf('snapshot', snap.id)
  await write(await contentOf('snapshot', snap.id), 'precious')
  failing.create = 2
  const copy = (await makeDisk('copy', { disk_source: { type: 'snapshot', snapshot_id: snap.id } })).body
  expect(said(await me.call('DELETE', at('snapshots/source')))).toBe('204')
  // Each that finds the copy is followed by a later one.
  await eventually(
    () =>
      bed.db
        .selectFrom('job')
        .select(['state', 'attempts'])
        .where('kind', '=', 'content-removal')
        .where((eb) => eb(eb.ref('args', '->>').key('content_id'), '=', content))
        .orderBy('time_created')
        .execute(),
    ([first, next]) => first?.state === 'done' && next !== undefined,
  )
  expect(await held.size(content)).toBe(GiB)
  await settled()
  expect(await held.size(content)).toBe(undefined)
  const bytes = await held.read(await contentOf('disk', copy.id), 4096, 8)
  expect(new TextDecoder().decode(bytes)).toBe('precious')
  expect(await stateOf('disks/copy')).toBe('detached')
  expect(origin.id).toBeTruthy()
})

test('a job killed half way is resumed by another process', async () => {
  await makeDisk('half')
  // The state after a crash: the bytes exist, the record does not, and the lease expires.
  const later = new Date(Date.now() + 3_600_000_000)
  await bed.db
    .updateTable('job')
    .set({ state: 'pending', lease_until: new Date(0), time_done: null, run_at: new Date(0) })
    .where('kind', '=', 'disk-content')
    .where('time_created', '<', later)
    .execute()
  await bed.db.updateTable('disk').set({ state: 'creating' }).where('name', '=', 'half').execute()
  await settled()
  expect(await stateOf('disks/half')).toBe('detached')
  const orphans = await bed.db.selectFrom('disk').select('name').where('state', '=', 'creating').execute()
  expect(orphans).toEqual([])
})

test('a job rerun after its result was deleted leaves no bytes behind', async () => {
  await makeDisk('passing')
  await settled()
  const disk = await contentOf('disk', 'passing')
  await snapshot('passing', 'passing')
  const copy = await contentOf('snapshot', 'passing')
  expect((await me.call('DELETE', at('snapshots/passing'))).status).toBe(204)
  await settled()
  expect(await held.size(copy)).toBe(undefined)

  // The state after a process died between its work and the end of the job.
  await bed.db
    .updateTable('job')
    .set({ state: 'pending', lease_until: new Date(0), time_done: null, run_at: new Date(0) })
    .where('kind', '=', 'snapshot-content')
    .execute()
  await settled()
  expect(await held.size(copy)).toBe(undefined)
  expect(await held.size(disk)).toBe(GiB)
})
