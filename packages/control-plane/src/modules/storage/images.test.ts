import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toHex } from '../../context/ids.ts'
import { type Caller, eventually, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { withoutBin } from '../../testing/environment.ts'
import { failingBlocks, storageSteps } from './storage.fixtures.ts'

const GiB = 1024 ** 3
const MiB = 1024 ** 2
const { blocks, failing } = failingBlocks()

let bed: TestBed
let me: Caller
/** May do everything in the project `playground`, and nothing in the silo. */
let ours: Caller
beforeAll(async () => {
  bed = await testControlPlane({ environment: { blocks, settings: withoutBin } })
  me = await bed.signIn('member')
  const project = (await me.get('/v1/projects/playground')).body.id
  ours = await bed.addUser('ours', { roles: [{ at: { project }, role: 'collaborator' }] })
  await me.post('/v1/projects', { name: 'elsewhere', description: '' })
})
afterAll(() => bed.stop())

const { at, said, makeDisk, snapshot, contentOf, settled, storage } = storageSteps(() => ({ bed, me }))
const alpine = { type: 'you_can_boot_anything_as_long_as_its_alpine' }
const makeImage = (name: string, source: object, project: string | null = 'playground', who = me) =>
  who.post(project ? at('images', project) : '/v1/images', {
    name,
    description: 'd',
    os: 'Linux',
    version: '1',
    source,
  })
const act = (name: string, action: 'promote' | 'demote', project?: string, who = me) =>
  who.post(`/v1/images/${name}/${action}${project ? `?project=${project}` : ''}`)
const remove = (path: string, who = me) => who.call('DELETE', path).then(said)
const ofSnapshot = async (name: string) => {
  await makeDisk(name)
  return { type: 'snapshot', id: (await snapshot(name, name)).body.id as string }
}

test('an image of a snapshot has the same bytes, and each outlives the other', async () => {
  const source = await ofSnapshot('first')
  const content = await contentOf('snapshot', 'first')
  await blocks.write(content, 4096, new TextEncoder().encode('precious'))
  const before = await storage()
  const made = await makeImage('first', source)
  expect([made.status, made.body]).toMatchObject([
    201,
    { name: 'first', os: 'Linux', version: '1', block_size: 512, size: GiB, description: 'd' },
  ])
  expect(made.body.project_id).toBeTruthy()
  expect(await storage()).toBe(before)
  const other = await makeImage('second', source)
  expect(other.status).toBe(201)

  expect(await remove(at('snapshots/first'))).toBe('204')
  expect(await remove(at('disks/first'))).toBe('204')
  await settled()
  const disk = await makeDisk('of-image', { disk_source: { type: 'image', image_id: made.body.id } })
  const read = async (id: string) =>
    new TextDecoder().decode(await blocks.read(await contentOf('disk', id), 4096, 8))
  expect(await read(disk.body.id)).toBe('precious')
  expect(await remove(at('images/first'))).toBe('204')
  await settled()
  expect(await blocks.size(content)).toBe(GiB)
  expect(await remove(at('images/second'))).toBe('204')
  await settled()
  expect(await blocks.size(content)).toBeUndefined()
  expect(await read(disk.body.id)).toBe('precious')
  expect(await remove(at('images/first'))).toBe('404 not found: image with name "first"')
})

test('the digest of the bytes is computed automatically', async () => {
  const made = await makeImage('blob', alpine)
  expect(made.body).toMatchObject({
    os: 'alpine',
    version: 'propolis-blob',
    block_size: 512,
    size: 100 * MiB,
    digest: null,
  })
  const image = await eventually(
    async () => (await me.get(at('images/blob'))).body,
    ({ digest }) => digest !== null,
  )
  const bytes = await blocks.read(await contentOf('image', 'blob'), 0, image.size)
  const value = toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  expect(image.digest).toEqual({ type: 'sha256', value })
  expect(image.time_modified).toBe(image.time_created)
})

test('bytes that no image came to use are removed', async () => {
  await settled()
  const everything = new Set<string>()
  const { create } = blocks
  blocks.create = (id, ...rest) => {
    everything.add(id)
    return create(id, ...rest)
  }
  await makeImage('kept', alpine)
  expect(said(await makeImage('kept', alpine))).toBe('400 already exists: project-image "kept"')
  blocks.create = create
  await settled()
  const kept = await contentOf('image', 'kept')
  const sizes = await Promise.all([...everything].map(async (id) => [id, await blocks.size(id)]))
  expect(sizes.filter(([, size]) => size !== undefined)).toEqual([[kept, 100 * MiB]])
  expect(everything.size).toBe(2)
})

describe('what is refused', () => {
  test('of a foreign, unfinished or missing snapshot', async () => {
    const source = await ofSnapshot('mine')
    expect(said(await makeImage('no', source, 'elsewhere'))).toBe(
      '400 snapshot does not belong to this project',
    )
    await bed.db.updateTable('snapshot').set({ state: 'creating' }).where('id', '=', source.id).execute()
    expect(said(await makeImage('no', source))).toBe('400 snapshot is in state creating')
    const id = crypto.randomUUID()
    expect(said(await makeImage('no', { type: 'snapshot', id }))).toBe(
      `404 not found: snapshot with id "${id}"`,
    )
    expect(said(await makeImage('no', { type: 'tape' }))).toContain(
      '400 unable to parse JSON body: source.type',
    )
  })

  test('of taken names: a conflict at creation always mentions a project', async () => {
    await makeImage('same', alpine)
    expect(said(await makeImage('same', alpine))).toBe('400 already exists: project-image "same"')
    expect(said(await makeImage('same', alpine, null))).toBe('201')
    expect(said(await makeImage('same', alpine, null))).toBe('400 already exists: project-image "same"')
    expect(said(await makeImage('same', alpine, 'elsewhere'))).toBe('201')
    expect(said(await act('same', 'promote', 'playground'))).toBe('400 already exists: silo-image "same"')
    expect(said(await act('same', 'demote', 'elsewhere'))).toBe('400 already exists: project-image "same"')
    expect(await remove(at('images/same'))).toBe('204')
    expect(said(await act('same', 'demote', 'playground'))).toBe('202')
  })

  test('of users without sufficient roles', async () => {
    expect(said(await makeImage('by-project', alpine, 'playground', ours))).toBe('201')
    expect(said(await makeImage('no', alpine, null, ours))).toBe('403 Forbidden')
    expect(said(await act('by-project', 'promote', 'playground', ours))).toBe('403 Forbidden')
    expect(said(await act('debian-13', 'demote', 'playground', ours))).toBe(
      '404 not found: image with name "debian-13"',
    )
    expect(await remove('/v1/images/debian-13', ours)).toBe('404 not found: image with name "debian-13"')
    const viewer = await bed.signIn('viewer')
    expect(said(await makeImage('no', alpine, 'playground', viewer))).toBe('403 Forbidden')
    expect(await remove(at('images/by-project'), viewer)).toBe('403 Forbidden')
    expect(await remove('/v1/images/debian-13', viewer)).toBe('403 Forbidden')
    expect(await remove(at('images/by-project'), ours)).toBe('204')
  })
})

test('promote and demote keep the id, move the image, and notify those who see it', async () => {
  const { id, time_modified } = (await makeImage('mover', alpine)).body
  await settled()
  const [mine, theirs] = [await bed.follow(me), await bed.follow(ours)]
  const up = await act('mover', 'promote', 'playground')
  expect([up.status, up.body]).toMatchObject([202, { id, project_id: null }])
  expect(up.body.time_modified > time_modified).toBe(true)
  expect(said(await act(id, 'promote'))).toBe('400 Cannot promote a silo image')
  expect(said(await me.get(at('images/mover')))).toBe('404 not found: image with name "mover"')
  expect(said(await me.get('/v1/images/mover'))).toBe('200')

  const down = await act('mover', 'demote', 'elsewhere')
  expect([down.status, down.body.id]).toEqual([202, id])
  expect(said(await act(id, 'demote', 'playground'))).toBe('400 Cannot demote a project image')
  expect(said(await me.get(at('images/mover', 'elsewhere')))).toBe('200')
  await eventually(
    async () => [mine.events, theirs.events].map((events) => events.filter(({ data }) => data.id === id)),
    ([seen, heard]) => seen?.length === 4 && heard?.length === 1,
  )
  mine.close()
  theirs.close()
})

test('of two concurrent creations with one name, one succeeds', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => makeImage('raced', alpine).then(said)))
  expect(answers.toSorted()).toEqual([
    '201',
    '400 already exists: project-image "raced"',
    '400 already exists: project-image "raced"',
  ])
})

test('a snapshot deleted during image creation leaves complete images or none', async () => {
  const source = await ofSnapshot('going')
  const content = await contentOf('snapshot', 'going')
  const [removed, ...made] = await Promise.all([
    remove(at('snapshots/going')),
    makeImage('going-a', source).then(said),
    makeImage('going-b', source).then(said),
  ])
  expect(removed).toBe('204')
  await settled()
  const kept = made.filter((answer) => answer === '201').length
  expect(await blocks.size(content)).toBe(kept > 0 ? GiB : undefined)
  for (const answer of made)
    expect(['201', `404 not found: snapshot with id "${source.id}"`]).toContain(answer)
})

test('bytes of a snapshot are removed once they can be, however often that failed', async () => {
  await ofSnapshot('clinging')
  const content = await contentOf('snapshot', 'clinging')
  failing.remove = 31
  expect(await remove(at('snapshots/clinging'))).toBe('204')
  await settled()
  expect(failing.remove).toBe(0)
  expect(await blocks.size(content)).toBeUndefined()
})

test('bytes of a disk are removed once they can be, also after its project was deleted', async () => {
  const project = (await me.post('/v1/projects', { name: 'passing', description: '' })).body.id
  const { id } = (await makeDisk('orphan', {}, 'passing')).body
  const content = await contentOf('disk', id)
  failing.remove = 31
  expect(await remove(at('disks/orphan', 'passing'))).toBe('204')
  await bed.db.updateTable('project').set({ time_deleted: new Date() }).where('id', '=', project).execute()
  await settled()
  expect(failing.remove).toBe(0)
  expect(await blocks.size(content)).toBeUndefined()
})

test('a disk whose bytes cannot be removed is restored, to be deleted again', async () => {
  const { id } = (await makeDisk('stubborn')).body
  const content = await contentOf('disk', id)
  const before = await storage()
  failing.remove = 30
  expect(await remove(at('disks/stubborn'))).toBe('204')
  expect(await storage()).toBe(before - GiB)
  await settled()
  expect(failing.remove).toBe(0)
  expect((await me.get(at(`disks/deleted-${id}`))).body).toMatchObject({ id, state: { state: 'faulted' } })
  expect(await storage()).toBe(before)
  expect(said(await makeDisk('stubborn'))).toBe('201')
  expect(await remove(at(`disks/deleted-${id}`))).toBe('204')
  await settled()
  expect(await blocks.size(content)).toBeUndefined()
  expect(await storage()).toBe(before)
})
