import { type ByteRange, imageUploadPiece, mergeRanges } from '@gantry/api/storage/image-upload.rules'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Failure } from '#/data/failure.ts'
import { fakeSource, someBytes } from './upload.fixtures.ts'
import { type ServerUpload, type ResumableClient, resumableFlow } from './resumable-flow.ts'
import { UploadTask } from './task.ts'

const unreachable = () => new Failure({ message: 'Could not reach the server', statusCode: 0 })

/** A server of one upload. */
class FakeServer implements ResumableClient {
  state: ServerUpload['state'] = 'open'
  exists = false
  received: ByteRange[] = []
  zeroed: ByteRange[] = []
  sent: number[] = []
  maxConcurrent = 0
  /** Queries until the image exists. */
  completingFor = 2
  failure: ServerUpload['failure']
  isAway = false
  /** Called before each piece. */
  before: (offset: number) => void = () => undefined
  #running = 0

  #view = (): ServerUpload => ({
    id: 'u1',
    state: this.state,
    received: mergeRanges(this.received),
    failure: this.failure,
  })
  #answer(): void {
    if (this.isAway) throw unreachable()
  }

  async create() {
    this.#answer()
    this.exists = true
    return this.#view()
  }
  async view() {
    this.#answer()
    if (this.state === 'completing' && this.completingFor-- <= 0) this.state = this.failure ? 'open' : 'done'
    return this.#view()
  }
  async write(_id: string, offset: number, bytes: Uint8Array, signal: AbortSignal) {
    this.before(offset)
    this.#answer()
    this.maxConcurrent = Math.max(this.maxConcurrent, ++this.#running)
    await new Promise((resolve) => setTimeout(resolve, 1))
    this.#running--
    if (signal.aborted) throw unreachable()
    this.#answer()
    this.sent.push(offset)
    this.received.push({ offset, length: bytes.length })
  }
  async zeros(_id: string, ranges: readonly ByteRange[]) {
    this.#answer()
    this.zeroed.push(...ranges)
    this.received.push(...ranges)
  }
  async complete() {
    this.#answer()
    this.state = 'completing'
    return this.#view()
  }
  async remove() {
    this.#answer()
    this.exists = false
  }
}

let server: FakeServer
beforeEach(() => {
  server = new FakeServer()
  // Timers fire without delay.
  vi.useFakeTimers().setTimerTickMode('nextTimerAsync')
  return () => vi.useRealTimers()
})

const pieces = 12
const zeros = [2, 3, 7]
const bytes = someBytes(pieces, imageUploadPiece, zeros)
const at = (piece: number) => piece * imageUploadPiece

function taskOf(options: Partial<Parameters<typeof resumableFlow>[0]> = {}) {
  const flow = resumableFlow({ client: server, source: fakeSource(bytes), ...options })
  return new UploadTask({ project: 'p', name: 'image', fileName: 'f', size: bytes.length }, flow)
}

test('sends pieces with data, four at a time, declares the zeros, and waits for the image', async () => {
  const ids: string[] = []
  const task = taskOf({ onBegun: (id) => ids.push(`begun ${id}`), onEnded: (id) => ids.push(`ended ${id}`) })
  await task.start()
  expect(task.state()).toMatchObject({ phase: 'done', failure: undefined })
  expect(server.sent.toSorted((a, b) => a - b)).toEqual([0, 1, 4, 5, 6, 8, 9, 10, 11].map(at))
  expect(mergeRanges(server.zeroed)).toEqual([
    { offset: at(2), length: at(2) },
    { offset: at(7), length: at(1) },
  ])
  expect(server.maxConcurrent).toBe(4)
  expect([server.state, ids]).toEqual(['done', ['begun u1', 'ended u1']])
})

test('resumes with the missing pieces only', async () => {
  server.received = [
    { offset: 0, length: at(5) },
    { offset: at(6), length: at(1) },
  ]
  const task = taskOf({ id: 'u1' })
  await task.start()
  expect(task.state().phase).toBe('done')
  expect(server.sent.toSorted((a, b) => a - b)).toEqual([5, 8, 9, 10, 11].map(at))
})

test('needs no byte of the file once all have arrived', async () => {
  server.received = [{ offset: 0, length: bytes.length }]
  const source = fakeSource(bytes)
  const task = taskOf({ id: 'u1', source })
  await task.start()
  expect([task.state().phase, source.reads]).toEqual(['done', []])
})

test('waits for an unreachable server, then resends at most one piece per stream', async () => {
  const task = taskOf()
  const tries: number[] = []
  server.before = (offset) => {
    tries.push(offset)
    if (offset === at(6)) server.isAway = true
  }
  const phases = new Set<string>()
  task.subscribe(() => {
    const { phase } = task.state()
    phases.add(phase)
    if (phase === 'waiting') {
      server.before = (offset) => tries.push(offset)
      setTimeout(() => (server.isAway = false), 3000)
    }
  })
  await task.start()
  expect(task.state().phase).toBe('done')
  expect(phases).toContain('waiting')
  // Pieces that the server had acknowledged were not sent again.
  expect(new Set(server.sent).size).toBe(server.sent.length)
})

test('sends no new piece while paused, and resumes', async () => {
  const task = taskOf()
  server.before = (offset) => {
    if (offset === at(4)) task.pause()
  }
  const running = task.start()
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  await sleep(5000)
  expect(task.state().phase).toBe('paused')
  const before = server.sent.length
  expect(before).toBeLessThan(9)
  await sleep(20_000)
  expect(server.sent.length).toBe(before)
  expect(task.isBusy()).toBe(true)
  task.resume()
  await running
  expect(task.state().phase).toBe('done')
})

test.each([false, true])('leaves nothing on the server when cancelled (paused: %s)', async (isPaused) => {
  const ended: string[] = []
  const task = taskOf({ onEnded: (id) => ended.push(id) })
  server.before = (offset) => {
    if (offset !== at(4)) return
    if (isPaused) task.pause()
    void task.cancel()
  }
  await task.start()
  expect([task.state().phase, server.exists, ended]).toEqual(['cancelled', false, ['u1']])
})

test('cannot be cancelled while the server makes the image', async () => {
  const task = taskOf()
  task.subscribe(() => {
    if (task.whyNotCancel()) void task.cancel()
  })
  await task.start()
  expect([task.state().phase, server.exists]).toEqual(['done', true])
})

test('stops waiting once the server is back and makes the image', async () => {
  server.completingFor = 4
  const task = taskOf()
  const phases: string[] = []
  server.view = async () => {
    if (server.state === 'completing') phases.push(task.state().phase)
    if (phases.length === 2) throw unreachable()
    return FakeServer.prototype.view.call(server)
  }
  await task.start()
  expect(task.state().phase).toBe('done')
  expect(new Set(phases)).toEqual(new Set(['running']))
})

test('fails on a refusal, keeps the received pieces, and resumes on retry', async () => {
  const task = taskOf()
  server.before = (offset) => {
    if (offset === at(8))
      throw new Failure({ message: 'no more room', statusCode: 507, errorCode: 'InsufficientCapacity' })
  }
  await task.start()
  expect(task.state()).toMatchObject({ phase: 'failed', failure: { message: 'no more room' } })
  expect(task.state().steps[1]).toBe('error')
  expect(server.exists).toBe(true)
  server.before = () => undefined
  await task.start()
  expect(task.state().phase).toBe('done')
  expect(new Set(server.sent).size).toBe(server.sent.length)
})

test('reports why the image could not be made', async () => {
  server.failure = { message: 'The name is taken', nextStep: 'Choose another name.' }
  const task = taskOf()
  await task.start()
  expect(task.state()).toMatchObject({
    phase: 'failed',
    failure: { message: 'The name is taken', help: 'Choose another name.' },
  })
  expect(task.state().steps[2]).toBe('error')
})

test('reports an expired upload without waiting', async () => {
  server.received = [{ offset: 0, length: bytes.length }]
  server.complete = async () => ({ id: 'u1', state: 'expired', received: [] })
  const task = taskOf({ id: 'u1' })
  await task.start()
  expect(task.state().failure?.message).toBe('The upload has expired')
})

test('an unreadable file does not count as an unreachable server', async () => {
  const source = {
    ...fakeSource(bytes),
    read: () => Promise.reject(new Failure({ message: 'gone', statusCode: 0, errorCode: 'FileUnreadable' })),
  }
  const task = taskOf({ source })
  await task.start()
  expect(task.state()).toMatchObject({ phase: 'failed', failure: { message: 'gone' } })
})

describe('a file that the server converts', () => {
  /** Answers with these percentages, one for each query, and then with the end. */
  function converting(percents: readonly number[], end: ServerUpload['state'] = 'done'): void {
    const left = [...percents]
    const view = (): ServerUpload => {
      const percentConverted = left.shift()
      server.state = percentConverted === undefined ? end : 'converting'
      return { id: 'u1', state: server.state, received: [], percentConverted, failure: server.failure }
    }
    server.received = [{ offset: 0, length: bytes.length }]
    server.complete = async () => view()
    const before = server.view.bind(server)
    server.view = async () => (server.state === 'open' ? before() : view())
  }

  test('shows how far the conversion is, and the image afterwards', async () => {
    converting([0, 40, 100])
    const task = taskOf({ converts: true })
    expect(task.flow.labels[task.flow.convertStep ?? 0]).toBe('Convert to a raw image')
    const seen: (number | undefined)[] = []
    task.subscribe(() => {
      const { converted } = task.state()
      if (converted !== seen.at(-1)) seen.push(converted)
    })
    await task.start()
    expect(seen).toEqual([0, 40, 100, undefined])
    expect(task.state()).toMatchObject({ phase: 'done', converted: undefined })
  })

  test('can be cancelled meanwhile, and resumes when it was interrupted', async () => {
    converting([0, 10, 20, 30, 40, 50])
    const task = taskOf({ converts: true })
    const reasons: (string | undefined)[] = []
    task.subscribe(() => {
      if (task.state().converted !== 10 || task.state().phase !== 'running') return
      reasons.push(task.whyNotCancel())
      void task.cancel()
    })
    await task.start()
    expect([task.state().phase, server.exists, reasons]).toEqual(['cancelled', false, [undefined]])

    converting([60])
    const again = taskOf({ converts: true, id: 'u1' })
    await again.start()
    expect(again.state().phase).toBe('done')
  })

  test('reports why it was not converted', async () => {
    server.failure = { message: 'The file is damaged', nextStep: 'Get it again.' }
    converting([5], 'open')
    const task = taskOf({ converts: true })
    await task.start()
    expect(task.state()).toMatchObject({ phase: 'failed', failure: { message: 'The file is damaged' } })
    expect(task.state().steps[2]).toBe('error')
  })

  test('while an image is only created, it cannot be cancelled', async () => {
    const task = taskOf()
    expect([task.flow.labels[2], task.flow.convertStep]).toEqual(['Create image', undefined])
    const reasons: (string | undefined)[] = []
    task.subscribe(() => reasons.push(task.whyNotCancel()))
    await task.start()
    expect(reasons).toContain('The image is being created and will appear in a moment')
  })
})
