import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, eventually, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { failingBlocks, storageSteps } from './storage.fixtures.ts'

let bed: TestBed
let me: Caller
const { blocks, failing } = failingBlocks()
const steps = storageSteps(() => ({ bed, me }))
const { at, blank, contentOf, makeDisk, snapshot, said, settled } = steps

beforeAll(async () => {
  bed = await testControlPlane({ environment: { blocks } })
  me = await bed.signIn('member')
  await makeDisk('source')
})
afterAll(() => bed.stop())

const noRoom = {
  status: 507,
  body: {
    error_code: 'InsufficientCapacity',
    help:
      '512 MiB are free, and 1 GiB are reserved for the database. ' +
      'Delete disks, snapshots and images, or ask the operator for more storage.',
    details: { free_bytes: 512 * 1024 ** 2, reserve_bytes: 1024 ** 3 },
  },
}

test('a copy without enough space is refused before anything is created', async () => {
  failing.room = 1
  expect(await snapshot('refused', 'source')).toMatchObject(noRoom)
  expect(said(await me.get(at('snapshots/refused')))).toContain('404')
  expect(said(await snapshot('ready', 'source'))).toBe('201')
  const { id } = (await me.get(at('snapshots/ready'))).body
  const from = { disk_source: { type: 'snapshot', snapshot_id: id } }
  failing.room = 1
  expect(await makeDisk('copy', from)).toMatchObject(noRoom)
  expect(said(await me.get(at('disks/copy')))).toContain('404')
  expect(said(await makeDisk('copy', from))).toBe('201')
})

test('a copy that runs out of space is retried, and reports why when it gives up', async () => {
  const { id } = (await me.get(at('snapshots/ready'))).body
  const from = { disk_source: { type: 'snapshot', snapshot_id: id } }
  failing.copies = 1
  expect(said(await makeDisk('late', from))).toBe('201')
  await settled()
  expect(await steps.stateOf('disks/late')).toBe('detached')
  failing.copies = 100
  expect(said(await makeDisk('never', from))).toBe('201')
  await settled()
  failing.copies = 0
  expect((await me.get(at('disks/never'))).body).toMatchObject({
    state: { state: 'faulted' },
    failure: {
      code: 'InsufficientCapacity',
      next_step: 'Delete disks, snapshots and images, or ask the operator for more storage.',
    },
  })
  expect(said(await me.call('DELETE', at('disks/never')))).toBe('204')
  failing.copies = 100
  expect(said(await snapshot('never', 'source'))).toBe('201')
  await settled()
  failing.copies = 0
  expect((await me.get(at('snapshots/never'))).body).toMatchObject({
    state: 'faulted',
    failure: { code: 'InsufficientCapacity', message: 'Insufficient capacity: Not enough storage' },
  })
})

test('the bytes of a disk that was made with an instance are made once they can be', async () => {
  failing.create = 9
  const disk = { type: 'create', name: 'root', description: '', size: 1024 ** 3, disk_source: blank }
  const instance = {
    name: 'waiting',
    description: '',
    hostname: 'waiting',
    ncpus: 1,
    memory: 1024 ** 3,
    start: false,
    boot_disk: disk,
  }
  expect(said(await me.post(at('instances'), instance))).toBe('201')
  const { id } = (await me.get(at('disks/root'))).body
  await settled()
  expect(failing.create).toBe(0)
  expect(await blocks.size(await contentOf('disk', id))).toBe(1024 ** 3)
})

test('what is in the recycle bin gives way to what needs its space, and no more of it than that', async () => {
  const inBin = async (): Promise<string[]> =>
    (await me.get('/ext/v1/recycle-bin?project=playground')).body.items.map(
      ({ name }: { name: string }) => name,
    )
  await me.call('DELETE', '/ext/v1/recycle-bin?project=playground')
  const contents: string[] = []
  for (const name of ['older', 'newer']) {
    expect(said(await makeDisk(name))).toBe('201')
    await settled()
    contents.push(await contentOf('disk', (await me.get(at(`disks/${name}`))).body.id))
    expect(said(await me.call('DELETE', at(`disks/${name}`)))).toBe('204')
  }
  await eventually(
    () => bed.db.selectFrom('recycled').select('name').execute(),
    (rows) => rows.length === 2,
  )
  expect(await inBin()).toEqual(['newer', 'older'])
  failing.room = 1
  expect(said(await snapshot('made', 'source'))).toBe('201')
  expect(await inBin()).toEqual(['newer'])
  expect(await Promise.all(contents.map(blocks.size))).toEqual([undefined, 1024 ** 3])
})
