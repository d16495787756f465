import * as op from '@gantry/api/client/operations.gen'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, beforeEach, expect, test, vi } from 'vitest'
import { live } from './live.ts'
import { startLive } from './live-stream.ts'
import { listQuery, opQuery } from './queries.ts'

type Answer = (signal: AbortSignal) => Response | undefined

const stream: Answer = () =>
  new Response(': here\n\n', { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
const proxyPage: Answer = () => new Response('<!doctype html>', { status: 404 })
const silence: Answer = () => undefined

/** Times of the requests for the stream, in milliseconds from the start. */
let requestTimes: number[]
/** Paths and last event ids of those requests. */
let requests: string[]
let queryClient: QueryClient

/** Gives these answers in turn, then none. */
function follow(...answers: Answer[]): void {
  const startedAt = Date.now()
  interface Init {
    signal: AbortSignal
    headers: Record<string, string>
  }
  vi.stubGlobal('fetch', (path: string, { signal, headers }: Init) => {
    requests.push(`${path} ${headers['last-event-id'] ?? ''}`.trim())
    const answer = answers[requestTimes.length]?.(signal)
    requestTimes.push(Date.now() - startedAt)
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
      if (answer) resolve(answer)
    })
  })
  startLive(queryClient)
}

/** A stream that stays open, so that a test can push events. */
function openStream() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const encoder = new TextEncoder()
  return {
    answer: (signal: AbortSignal) => {
      const body = new ReadableStream<Uint8Array>({
        start(given) {
          controller = given
          given.enqueue(encoder.encode(': here\n\n'))
        },
      })
      signal.addEventListener('abort', () => controller?.error(signal.reason))
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
    say: async (type: string, id: number, data: object) => {
      controller?.enqueue(encoder.encode(`event: ${type}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`))
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}

beforeEach(() => {
  requestTimes = []
  requests = []
  queryClient = new QueryClient()
  live.state.set('connecting')
  vi.stubGlobal('document', { hidden: false, addEventListener: () => undefined })
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})
afterEach(() => void vi.unstubAllGlobals())

test('asks a server without the stream once', async () => {
  follow(proxyPage)
  await vi.advanceTimersByTimeAsync(60_000)
  expect([live.state.get(), requestTimes]).toEqual(['absent', [0]])
})

test('reconnects to an earlier stream, whatever answers meanwhile', async () => {
  follow(stream, proxyPage, proxyPage, stream)
  await vi.advanceTimersByTimeAsync(1000)
  expect(requestTimes).toEqual([0, 500])
  await vi.advanceTimersByTimeAsync(1000)
  expect(live.state.get()).toBe('lost')
  await vi.advanceTimersByTimeAsync(1900)
  expect([live.state.get(), requestTimes]).toEqual(['live', [0, 500, 1500, 3500]])
})

test('gives up on a server that accepts the request and never answers', async () => {
  follow(stream, silence, silence)
  await vi.advanceTimersByTimeAsync(1000)
  expect([live.state.get(), requestTimes]).toEqual(['live', [0, 500]])
  await vi.advanceTimersByTimeAsync(36_000)
  expect([live.state.get(), requestTimes.length]).toEqual(['lost', 3])
})

describe('the topics of the stream', () => {
  test('grow with the queries on screen, continuing silently from the last event', async () => {
    void queryClient.prefetchQuery({
      ...listQuery(op.instanceList, { query: { project: 'web' } }).at(),
      queryFn,
    })
    const first = openStream()
    follow(first.answer, stream)
    await first.say('ready', 7, {})
    void queryClient.prefetchQuery({ ...opQuery(op.projectView, { path: { project: 'web' } }), queryFn })
    await vi.advanceTimersByTimeAsync(500)
    expect(requests).toEqual(['/ext/v1/changes?topic=silo&project=web'])
    await first.say('change', 9, { kind: 'instance', id: 'x', name: 'x', project_id: 'p' })
    for (const project of ['db', 'mail'])
      void queryClient.prefetchQuery({ ...listQuery(op.diskList, { query: { project } }).at(), queryFn })
    await vi.advanceTimersByTimeAsync(150)
    expect(requests.slice(1)).toEqual(['/ext/v1/changes?topic=silo&project=web&project=db&project=mail 9'])
    expect(live.state.get()).toBe('live')
  })

  test('grow from the last event before the first new query, which later ones may have overtaken', async () => {
    const first = openStream()
    follow(first.answer, stream)
    await first.say('ready', 7, {})
    void queryClient.prefetchQuery({
      ...listQuery(op.diskList, { query: { project: 'web' } }).at(),
      queryFn,
    })
    await vi.advanceTimersByTimeAsync(50)
    await first.say('change', 9, { kind: 'silo', id: 'x', name: 'x', project_id: null })
    void queryClient.prefetchQuery({
      ...listQuery(op.diskList, { query: { project: 'db' } }).at(),
      queryFn,
    })
    await vi.advanceTimersByTimeAsync(150)
    expect(requests.slice(1)).toEqual(['/ext/v1/changes?topic=silo&project=web&project=db 7'])
  })
})

/** Only the existence of queries matters here. */
const queryFn = () => new Promise<never>(() => undefined)

describe('a change', () => {
  /** Counts the reads of two lists and a permission check since the stream began. */
  async function countReads() {
    const reads = { web: 0, db: 0, can: 0 }
    const observe = (
      key: keyof typeof reads,
      query: { queryKey: readonly unknown[]; meta?: object },
    ): void => {
      const counted = async () => (reads[key]++, { items: [] })
      new QueryObserver(queryClient, { ...query, queryFn: counted }).subscribe(() => undefined)
    }
    for (const project of ['web', 'db'] as const)
      observe(project, listQuery(op.instanceList, { query: { project } }).at())
    observe('can', {
      queryKey: [op.permissionCheck.name, { action: 'modify', object: 'silo' }],
      meta: { reads: op.permissionCheck.reads ?? [] },
    })
    const open = openStream()
    follow(open.answer)
    await open.say('ready', 1, { projects: { web: 'web-id', db: 'db-id' } })
    await vi.advanceTimersByTimeAsync(100)
    Object.assign(reads, { web: 0, db: 0, can: 0 })
    return { ...open, reads }
  }
  const instance = (id: string, project_id: string) => ({
    kind: 'instance',
    op: 'create',
    id,
    name: id,
    project_id,
  })

  test('in one project reads nothing of another, and several together cost one read', async () => {
    const { say, reads } = await countReads()
    for (let n = 2; n < 12; n++) await say('change', n, instance(`i-${n}`, 'web-id'))
    await vi.advanceTimersByTimeAsync(500)
    expect(reads).toEqual({ web: 1, db: 0, can: 0 })
    await say('change', 12, instance('elsewhere', 'third-id'))
    await vi.advanceTimersByTimeAsync(5000)
    expect(reads).toEqual({ web: 1, db: 0, can: 0 })
  })

  test('in a steady sequence costs about two reads a second', async () => {
    const { say, reads } = await countReads()
    for (let n = 2; n < 102; n++) {
      await say('change', n, instance(`i-${n}`, 'web-id'))
      await vi.advanceTimersByTimeAsync(100)
    }
    await vi.advanceTimersByTimeAsync(5000)
    expect(reads.web).toBeGreaterThan(15)
    expect(reads.web).toBeLessThan(26)
  })

  test('to a policy is read at a random time within the spread the server gives', async () => {
    const { say, reads } = await countReads()
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const policy = { kind: 'policy', op: 'update', id: 'silo', name: null, project_id: null }
    await say('change', 2, { ...policy, spread_ms: 10_000 })
    await vi.advanceTimersByTimeAsync(4900)
    expect(reads.can).toBe(0)
    await vi.advanceTimersByTimeAsync(300)
    expect(reads.can).toBe(1)
  })
})
