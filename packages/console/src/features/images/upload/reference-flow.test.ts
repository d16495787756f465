import { bulkWriteMaxBytes } from '@gantry/api/storage/disk.rules'
import { beforeEach, expect, test, vi } from 'vitest'
import { Failure } from '#/data/failure.ts'
import { fakeSource, someBytes } from './upload.fixtures.ts'
import { type ReferenceClient, referenceFlow } from './reference-flow.ts'
import { UploadTask } from './task.ts'

/** A server of one disk and one snapshot. */
class FakeServer implements ReferenceClient {
  disk: { name: string; size: number; state: string } | undefined
  snapshot: string | undefined
  images: string[] = []
  calls: string[] = []
  written = new Map<number, Uint8Array>()
  /** How many times each call fails. */
  failing: Partial<Record<keyof ReferenceClient, number>> = {}
  /** Called before each call. */
  before: (call: keyof ReferenceClient) => void = () => undefined

  async #call(name: keyof ReferenceClient): Promise<void> {
    this.before(name)
    this.calls.push(name)
    const left = this.failing[name] ?? 0
    this.failing[name] = left - 1
    if (left > 0) throw new Failure({ message: `${name} failed`, statusCode: 500 })
  }

  #in(...states: string[]): void {
    if (!states.includes(this.disk?.state ?? 'gone')) throw new Error(`the disk is ${this.disk?.state}`)
  }

  async createDisk({ name, size }: { name: string; size: number }) {
    await this.#call('createDisk')
    this.disk = { name, size, state: 'import_ready' }
    return { id: 'd1' }
  }
  async findDisk(name: string) {
    await this.#call('findDisk')
    return this.disk?.name === name ? { id: 'd1', state: this.disk.state } : undefined
  }
  async startImport() {
    await this.#call('startImport')
    this.#in('import_ready')
    this.disk!.state = 'importing_from_bulk_writes'
  }
  async write(_disk: string, offset: number, bytes: Uint8Array) {
    await this.#call('write')
    this.#in('importing_from_bulk_writes')
    this.written.set(offset, bytes)
  }
  async stopImport() {
    await this.#call('stopImport')
    this.#in('importing_from_bulk_writes')
    this.disk!.state = 'import_ready'
  }
  async finalize(_disk: string, snapshotName?: string) {
    await this.#call('finalize')
    this.#in('import_ready')
    this.disk!.state = 'detached'
    if (snapshotName) this.snapshot = snapshotName
  }
  async findSnapshot(name: string) {
    await this.#call('findSnapshot')
    return this.snapshot === name ? { id: 's1' } : undefined
  }
  async createImage(snapshot: string) {
    await this.#call('createImage')
    this.images.push(snapshot)
  }
  async deleteSnapshot() {
    await this.#call('deleteSnapshot')
    this.snapshot = undefined
  }
  async deleteDisk() {
    await this.#call('deleteDisk')
    this.#in('detached', 'faulted')
    this.disk = undefined
  }
}

let server: FakeServer
beforeEach(() => {
  server = new FakeServer()
  // Timers fire without delay.
  vi.useFakeTimers().setTimerTickMode('nextTimerAsync')
  return () => vi.useRealTimers()
})

const pieces = 10
const bytes = someBytes(pieces, bulkWriteMaxBytes, [3, 9]).slice(0, -512)

function taskOf(source = fakeSource(bytes)) {
  const flow = referenceFlow({ client: server, source, randomNumber: () => 42 })
  return new UploadTask({ project: 'p', name: 'image', fileName: 'f', size: source.size }, flow)
}

test('runs all steps, skips zeros, and leaves only the image', async () => {
  const source = fakeSource(bytes)
  const task = taskOf(source)
  const percents: number[] = []
  task.subscribe(() => percents.push(task.state().bytes))
  await task.start()
  expect(task.state()).toMatchObject({ phase: 'done', bytes: bytes.length, failure: undefined })
  expect(new Set(task.state().steps)).toEqual(new Set(['complete']))
  expect(server.images).toEqual(['s1'])
  expect([server.disk, server.snapshot]).toEqual([undefined, undefined])
  expect([...server.written.keys()].sort((a, b) => a - b)).toEqual(
    [0, 1, 2, 4, 5, 6, 7, 8].map((piece) => piece * bulkWriteMaxBytes),
  )
  for (const [offset, piece] of server.written)
    expect(piece.every((byte, index) => byte === bytes[offset + index])).toBe(true)
  expect(percents).toEqual([...percents].sort((a, b) => a - b))
  expect(source.reads).toHaveLength(pieces)
})

test.each([
  ['createDisk', 0],
  ['startImport', 1],
  ['stopImport', 3],
  ['finalize', 4],
  ['findSnapshot', 4],
  ['createImage', 5],
  ['deleteSnapshot', 6],
  ['deleteDisk', 6],
] as const)('a failure of %s shows at step %i and removes all created objects', async (name, step) => {
  server.failing[name] = 1
  const task = taskOf()
  await task.start()
  expect(task.state()).toMatchObject({ phase: 'failed', leftover: undefined })
  expect(task.state().steps[step]).toBe('error')
  expect([server.disk, server.snapshot]).toEqual([undefined, undefined])
})

test('a piece is retried twice; the third failure fails the upload', async () => {
  server.failing.write = 2
  const retriedTask = taskOf()
  await retriedTask.start()
  expect(retriedTask.state().phase).toBe('done')

  server = new FakeServer()
  server.failing.write = 100
  const failedTask = taskOf()
  await failedTask.start()
  expect(failedTask.state().phase).toBe('failed')
  expect(failedTask.state().steps[2]).toBe('error')
  expect(server.disk).toBeUndefined()
  expect(server.calls.filter((name) => name === 'write').length).toBeLessThanOrEqual(6 * 3)
})

test.each(['createDisk', 'startImport', 'write', 'stopImport', 'finalize', 'findSnapshot'] as const)(
  'leaves nothing behind when cancelled during %s',
  async (name) => {
    const task = taskOf()
    server.before = (call) => {
      if (call !== name) return
      server.before = () => undefined
      void task.cancel()
    }
    await task.start()
    expect(task.state().phase).toBe('cancelled')
    expect(task.state().steps.every((step) => step === 'ready')).toBe(true)
    expect([server.disk, server.snapshot, server.images]).toEqual([undefined, undefined, []])
  },
)

test.each(['createImage', 'deleteSnapshot', 'deleteDisk'] as const)(
  'cannot be cancelled during %s, because the image would stay',
  async (name) => {
    const task = taskOf()
    const reasons: unknown[] = []
    server.before = (call) => {
      if (call !== name) return
      reasons.push(task.whyNotCancel())
      void task.cancel()
    }
    await task.start()
    expect(reasons).toEqual(['The image is being created and will appear in a moment'])
    expect(task.state().phase).toBe('done')
    expect([server.disk, server.snapshot, server.images]).toEqual([undefined, undefined, ['s1']])
  },
)

test('cannot be cancelled between its last steps either', async () => {
  const task = taskOf()
  server.before = (call) => void (call === 'createImage' && task.pause())
  const running = task.start()
  await vi.waitFor(() => expect(task.state().steps.slice(5, 7)).toEqual(['complete', 'ready']))
  expect(task.whyNotCancel()).toBe('The image is being created and will appear in a moment')
  task.resume()
  await running
  expect(task.state().phase).toBe('done')
})

test('reports objects it could not remove, and can retry', async () => {
  server.failing = { createImage: 1, deleteDisk: 1 }
  const task = taskOf()
  await task.start()
  expect(task.state().leftover).toBeDefined()
  expect(server.disk?.state).toBe('detached')
  expect(task.flow.describeLeftover()).toContain('tmp-for-image-42')
  await task.cleanUp()
  expect(task.state().leftover).toBeUndefined()
  expect(server.disk).toBeUndefined()
})

test('the disk size is in whole GiB', async () => {
  const sizes: number[] = []
  const create = server.createDisk.bind(server)
  server.createDisk = (disk) => {
    sizes.push(disk.size)
    return create(disk)
  }
  await taskOf().start()
  expect(sizes).toEqual([2 ** 30])
})
