import { afterAll, beforeAll, expect, test } from 'vitest'
import { OutOfSpace } from '@gantry/control-plane/blocks/block-store'
import { simulatedFleet } from '@gantry/control-plane/fleet/simulated/fleet'
import {
  type Caller,
  eventually,
  said,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { storageSteps } from '../storage.fixtures.ts'

const GiB = 1024 ** 3
/** What happens before a disk is copied. */
const copying = { before: async (): Promise<void> => {} }

let bed: TestBed
let me: Caller
beforeAll(async () => {
  bed = await testControlPlane({
    environment: {
      fleet: (given) => {
        const fleet = simulatedFleet(given)
        const { volumes } = fleet
        const snapshot: typeof volumes.snapshot = async (...args) => {
          await copying.before()
          return volumes.snapshot(...args)
        }
        return { ...fleet, volumes: { ...volumes, snapshot } }
      },
    },
  })
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())

const { at, contentOf, makeDisk, settled, stateOf, storage } = storageSteps(() => ({ bed, me }))
const create = (disk: string, name: string, more: object = {}, who = me) =>
  who.post(`/ext/v1/disks/${disk}/images?project=playground`, {
    name,
    description: 'd',
    os: 'Linux',
    version: '1',
    ...more,
  })
const upload = async (id: string) => (await me.get(`/ext/v1/image-uploads/${id}`)).body
const inState = (id: string, wanted: string) =>
  eventually(
    () => upload(id),
    ({ state }) => {
      bed.pass(1000)
      return state === wanted
    },
  )
const snapshots = async (): Promise<string[]> =>
  (await me.get(at('snapshots'))).body.items.map(({ name }: { name: string }) => name)
const taskOf = async (name: string) =>
  (await me.get('/ext/v1/tasks?project=playground&kind=image-upload&limit=100')).body.items.find(
    (task: { object: { name: string } }) => task.object.name === name,
  )

async function diskWith(name: string, bytes: Uint8Array): Promise<void> {
  expect(said(await makeDisk(name))).toBe('201')
  await bed.blocks.write(await contentOf('disk', name), 0, bytes)
}

test('an image of a disk has its bytes, and the snapshot that was taken for it is gone', async () => {
  await diskWith('source', new Uint8Array([1, 2, 3]))
  const before = await storage()
  const answer = await create('source', 'copy', {})
  expect(answer.body).toMatchObject({ state: 'copying', disk_id: expect.any(String) })
  const { image_id } = await inState(answer.body.id, 'done')
  const image = (await me.get(at('images/copy'))).body
  expect(image).toMatchObject({ id: image_id, size: GiB, block_size: 512, os: 'Linux', description: 'd' })
  expect([...(await bed.blocks.read(await contentOf('image', 'copy'), 0, 4))]).toEqual([1, 2, 3, 0])
  expect(await taskOf('copy')).toMatchObject({ verb: 'create', state: 'finished', object: { id: image_id } })
  await settled()
  expect([await snapshots(), await storage(), await stateOf('disks/source')]).toEqual([
    [],
    before,
    'detached',
  ])
  // The image is independent of its disk.
  expect(said(await me.call('DELETE', at('disks/source')))).toBe('204')
  await settled()
  expect([...(await bed.blocks.read(await contentOf('image', 'copy'), 0, 4))]).toEqual([1, 2, 3, 0])
})

test('a detached disk is in maintenance meanwhile, and a cancelled copy leaves nothing', async () => {
  await diskWith('kept', new Uint8Array([4]))
  const before = await storage()
  let release = (): void => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  copying.before = () => gate
  const begun = create('kept', 'cancelled')
  await eventually(
    () => stateOf('disks/kept'),
    (state) => state === 'maintenance',
  )
  const task = await eventually(
    () => taskOf('cancelled'),
    (found) => found !== undefined,
  )
  expect(task).toMatchObject({
    state: 'running',
    step: { label: 'copying the disk' },
    actions: [{ action: 'cancel' }],
  })
  const { target } = task.actions[0]
  expect(said(await me.call('DELETE', `/ext/v1/image-uploads/${target}`))).toBe('204')
  release()
  copying.before = async () => {}
  await begun
  await settled()
  expect([await snapshots(), await storage(), await stateOf('disks/kept')]).toEqual([[], before, 'detached'])
  expect((await me.get(at('images/cancelled'))).status).toBe(404)
})

test('a copy that fails says why, and its snapshot is deleted', async () => {
  await diskWith('full', new Uint8Array([5]))
  const before = await storage()
  copying.before = () => Promise.reject(new OutOfSpace('full'))
  const { id } = (await create('full', 'never')).body
  const { failure } = await inState(id, 'failed')
  copying.before = async () => {}
  expect(failure).toMatchObject({
    message: 'The disk could not be copied: Insufficient capacity: Not enough storage',
    next_step: expect.stringContaining('Delete disks'),
  })
  expect(await taskOf('never')).toMatchObject({ state: 'failed', failure: { message: failure.message } })
  await settled()
  expect([await snapshots(), await storage()]).toEqual([[], before])
  // Its name is free again.
  const again = await create('full', 'never')
  await inState(again.body.id, 'done')
})

test('a taken name, a viewer and an unknown disk are refused, and two at once of one disk both succeed', async () => {
  await diskWith('busy', new Uint8Array([6]))
  const viewer = await bed.signIn('viewer')
  expect((await create('busy', 'by-viewer', {}, viewer)).status).toBe(403)
  expect(said(await create('nothing', 'of-nothing'))).toContain('404 not found: disk with name "nothing"')
  expect(said(await create('busy', 'copy'))).toBe('400 already exists: project-image "copy"')
  const instance = { name: 'user', description: '', ncpus: 1, memory: GiB, hostname: 'user', start: false }
  const disks = [{ type: 'attach', name: 'busy' }]
  expect(said(await me.post(at('instances'), { ...instance, disks }))).toBe('201')
  const both = await Promise.all(['first', 'second'].map((name) => create('busy', name)))
  for (const { body } of both) await inState(body.id, 'done')
  await settled()
  expect([await snapshots(), await stateOf('disks/busy')]).toEqual([[], 'attached'])
})
