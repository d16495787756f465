import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { BlockStore } from '../../blocks/block-store.ts'
import { memoryBlocks } from '../../blocks/memory.ts'
import { simulatedFleet } from '../../fleet/simulated/fleet.ts'
import {
  type Answer,
  type Caller,
  eventually,
  testControlPlane,
  type TestBed,
} from '../../testing/control-plane.ts'
import { storageSteps } from './storage.fixtures.ts'

/** Copies of bytes last until they are ended. */
function longCopies() {
  const held = memoryBlocks()
  const copies: { end: () => void; fail: () => void }[] = []
  const create: BlockStore['create'] = async (id, size, from) => {
    if (from !== undefined)
      await new Promise<void>((end, reject) =>
        copies.push({ end, fail: () => reject(new Error('copy failed')) }),
      )
    return held.create(id, size, from)
  }
  return { blocks: { ...held, create }, copies }
}

const { blocks, copies } = longCopies()
let bed: TestBed
let me: Caller
beforeAll(async () => {
  // Time also passes without the test, for the loops.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  bed = await testControlPlane({ environment: { blocks } })
  me = await bed.signIn('member')
})
afterAll(async () => {
  await bed.stop()
  vi.useRealTimers()
})
beforeEach(() => void copies.splice(0))

const { said, makeDisk, snapshot, stateOf, settled } = storageSteps(() => ({ bed, me }))

/** The answer to a request whose copy has not ended after 50 seconds. */
async function answeredMeanwhile(request: Promise<Answer>): Promise<Answer> {
  await eventually(
    async () => copies.length,
    (count) => count === 1,
  )
  await vi.advanceTimersByTimeAsync(50_000)
  return request
}

test('a snapshot is answered while it is being created, and becomes ready', async () => {
  await makeDisk('origin')
  const answer = await answeredMeanwhile(snapshot('long', 'origin'))
  expect([answer.status, answer.body.state]).toEqual([201, 'creating'])
  expect([await stateOf('snapshots/long'), await stateOf('disks/origin')]).toEqual([
    'creating',
    'maintenance',
  ])
  copies[0]?.end()
  await settled()
  expect([await stateOf('snapshots/long'), await stateOf('disks/origin')]).toEqual(['ready', 'detached'])
})

test('a copy that fails after its request was answered is recorded and repeated', async () => {
  await makeDisk('unlucky')
  await answeredMeanwhile(snapshot('unlucky', 'unlucky'))
  copies[0]?.fail()
  const failed = await eventually(
    async () => bed.logged.find(({ message }) => message === 'a job failed'),
    (line) => line !== undefined,
  )
  expect(String(failed?.fields['err'])).toBe('Error: copy failed')
  bed.pass(61_000)
  await eventually(
    async () => copies.length,
    (count) => count === 2,
  )
  copies[1]?.end()
  await settled()
  expect(await stateOf('snapshots/unlucky')).toBe('ready')
})

test('a disk is answered while its source is being copied', async () => {
  const image_id = (await me.get('/v1/images/alpine-3-22')).body.id
  const size = 2 * 1024 ** 3
  const answer = await answeredMeanwhile(makeDisk('copy', { size, disk_source: { type: 'image', image_id } }))
  expect([answer.status, answer.body.state]).toEqual([201, { state: 'creating' }])
  expect(await stateOf('disks/copy')).toBe('creating')
  copies[0]?.end()
  await settled()
  expect(await stateOf('disks/copy')).toBe('detached')
})

test('a finalized import is answered once its snapshot is ready, however long that takes', async () => {
  const made = await makeDisk('imported', { disk_source: { type: 'importing_blocks', block_size: 512 } })
  let isAnswered = false
  const finalize = me.post(`/v1/disks/${made.body.id}/finalize`, { snapshot_name: 'imported' })
  void finalize.then(() => (isAnswered = true))
  await eventually(
    async () => copies.length,
    (count) => count === 1,
  )
  await vi.advanceTimersByTimeAsync(120_000)
  expect([isAnswered, await stateOf('disks/imported')]).toEqual([false, 'finalizing'])
  copies[0]?.end()
  expect(said(await finalize)).toBe('204')
  expect([await stateOf('snapshots/imported'), await stateOf('disks/imported')]).toEqual([
    'ready',
    'detached',
  ])
})

test('an instance starts once its disk is copied, which happens once and takes no slot of a start', async () => {
  const image_id = (await me.get('/v1/images/alpine-3-22')).body.id
  const boot_disk = {
    type: 'create',
    name: 'booted',
    description: '',
    size: 2 * 1024 ** 3,
    disk_source: { type: 'image', image_id },
  }
  const body = { name: 'booted', description: '', ncpus: 1, memory: 1024 ** 3, hostname: 'booted', boot_disk }
  expect(said(await me.post('/v1/instances?project=playground', body))).toBe('201')
  const starts = () =>
    bed.db.selectFrom('job').select('state').where('kind', '=', 'vm-start').orderBy('time_created').execute()
  await eventually(starts, (jobs) => jobs.length > 2 && jobs[1]?.state === 'done')
  expect([copies.length, await stateOf('disks/booted')]).toEqual([1, 'attached'])
  copies[0]?.end()
  await eventually(
    async () => {
      bed.pass(1000)
      return (await me.get('/v1/instances/booted?project=playground')).body.run_state
    },
    (state) => state === 'running',
  )
  expect(copies).toHaveLength(1)
})

test('a snapshot of a disk that is still being copied is refused until the disk is there', async () => {
  const image_id = (await me.get('/v1/images/alpine-3-22')).body.id
  const disk = { type: 'create', name: 'soon', description: '', size: 2 * 1024 ** 3 }
  const boot_disk = { ...disk, disk_source: { type: 'image', image_id } }
  const machine = {
    name: 'soon',
    description: '',
    ncpus: 1,
    memory: 1024 ** 3,
    hostname: 'soon',
    start: false,
  }
  expect(said(await me.post('/v1/instances?project=playground', { ...machine, boot_disk }))).toBe('201')
  await eventually(
    async () => copies.length,
    (count) => count === 1,
  )
  expect(await stateOf('disks/soon')).toBe('attached')
  expect(await snapshot('too-soon', 'soon')).toMatchObject({
    status: 503,
    body: { help: 'The disk is still being created. Try again once it is ready.' },
  })
  expect(await stateOf('snapshots/too-soon')).toBeUndefined()
  copies[0]?.end()
  await settled()
  const answer = snapshot('too-soon', 'soon')
  await eventually(
    async () => copies.length,
    (count) => count === 2,
  )
  copies[1]?.end()
  expect((await answer).body.state).toBe('ready')
})

test('the control plane stops only after copies that outlive their requests', async () => {
  const other = longCopies()
  const own = await testControlPlane({ environment: { blocks: other.blocks } })
  const steps = storageSteps(() => ({ bed: own, me: caller }))
  const caller = await own.signIn('member')
  await steps.makeDisk('last')
  const asked = steps.snapshot('last', 'last')
  await eventually(
    async () => other.copies.length,
    (count) => count === 1,
  )
  await vi.advanceTimersByTimeAsync(50_000)
  await asked
  const stopped = own.stop().then(() => 'stopped')
  const waiting = new Promise((resolve) => setTimeout(() => resolve('waiting'), 1000))
  expect(await Promise.race([stopped, waiting])).toBe('waiting')
  other.copies[0]?.end()
  expect(await stopped).toBe('stopped')
})

test.each(['snapshot', 'create'] as const)('a stop ends a long %s of a volume', async (copying) => {
  let hasBegun = (): void => {}
  const begun = new Promise<void>((resolve) => (hasBegun = resolve))
  const endless = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((_, reject) => {
      hasBegun()
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
    })
  const own = await testControlPlane({
    environment: {
      fleet: (host) => {
        const fleet = simulatedFleet(host)
        const volumes =
          copying === 'snapshot'
            ? {
                ...fleet.volumes,
                snapshot: (_id: string, _to: object, signal?: AbortSignal) => endless(signal),
              }
            : { ...fleet.volumes, create: (...given: unknown[]) => endless(given[3] as AbortSignal) }
        return { ...fleet, volumes }
      },
    },
  })
  const caller = await own.signIn('member')
  const steps = storageSteps(() => ({ bed: own, me: caller }))
  const disk = steps.makeDisk('last')
  if (copying === 'snapshot') await disk
  const asked = copying === 'snapshot' ? steps.snapshot('last', 'last') : disk
  await begun
  const stopped = own.stop().then(() => 'stopped')
  const waiting = new Promise((resolve) => setTimeout(() => resolve('waiting'), 10_000))
  expect(await Promise.race([stopped, waiting])).toBe('stopped')
  expect([(await asked).status, own.logged.filter(({ message }) => message === 'a job failed')]).toEqual([
    201,
    [],
  ])
})
