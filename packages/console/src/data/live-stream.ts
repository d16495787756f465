import * as op from '@gantry/api/client/operations.gen'
import type { ErrorBody } from '@gantry/api/base/errors.rules'
import type { QueryClient } from '@tanstack/react-query'
import { type Change, isAffected } from './affected.ts'
import { batcher } from './batcher.ts'
import { eventParser, type StreamEvent } from '@gantry/api/client/event-stream'
import { live } from './live.ts'
import { session } from './session.ts'
import { areCovered, topicQuery, topicsOf } from './topics.ts'

/** A loading page adds its queries one by one; one stream must cover them all. */
const topicsMs = 100
/** The server sends a heartbeat every 15 s. Two missed ones mean a dead connection. */
const silenceMs = 35_000
const retryMs = [500, 1000, 2000, 5000, 10_000]
/** Browsers allow six connections per server over HTTP/1, so a hidden tab releases its own. */
const hiddenMs = 30_000

let lastId: string | undefined

/** Follows the change stream for the lifetime of the page. */
export function startLive(queryClient: QueryClient): void {
  const cache = queryClient.getQueryCache()
  /** Project ids by name, as far as the server has sent them. */
  const projects = new Map<string, string>()
  const affects = (changes: readonly Change[]) => (query: Parameters<typeof isAffected>[0]) =>
    changes.some((change) => isAffected(query, change, projects))
  const refresh = batcher<Change>((changes) => queryClient.invalidateQueries({ predicate: affects(changes) }))
  let topics = topicsOf(cache.getAll())
  let attempt = 0
  lastId = live.since()
  let hasMissed = lastId === undefined
  let hasBeenLive = false
  let stop: AbortController | undefined
  /** The last event before the first query that the stream does not cover. */
  let lastCovered: string | undefined

  function receive({ type, data, id }: StreamEvent): void {
    if (id) lastId = id
    if (type === 'reset') void queryClient.invalidateQueries()
    if (type === 'ready') learn((JSON.parse(data) as Ready).projects ?? {})
    if (type !== 'change') return
    const change = JSON.parse(data) as Change
    if (change.kind === 'project' && change.name !== null) learn({ [change.name]: change.id })
    if (cache.findAll({ type: 'active', predicate: affects([change]) }).length > 0) live.mark(change.id)
    // Spreads the reads of many consoles over time, so that they do not hit the server at once.
    if (change.spread_ms) setTimeout(() => refresh(change), Math.random() * change.spread_ms)
    else refresh(change)
  }

  function learn(known: Record<string, string>): void {
    for (const [name, projectId] of Object.entries(known)) projects.set(name, projectId)
  }

  async function follow(): Promise<void> {
    stop = new AbortController()
    topics = topicsOf(cache.getAll())
    lastCovered = undefined
    const outcome = await read(topicQuery(topics), stop, receive, () => {
      // The stream may not report changes from before it began, and reads that failed in the meantime must be
      // repeated.
      if (hasMissed) void queryClient.invalidateQueries()
      hasMissed = false
      hasBeenLive = true
      attempt = 0
      live.state.set('live')
    })
    // A stream that worked before will come back: during an update, a proxy's page answers in the server's place.
    if (outcome === 'absent' && !hasBeenLive) return live.state.set('absent')
    if (outcome === 'topics') {
      // Again from there: this stream told of later changes and not of those of the new queries in between.
      if (lastCovered === undefined) hasMissed = true
      else lastId = lastCovered
      return follow()
    }
    hasMissed = true
    if (outcome === 'hidden') return whenVisible(() => void follow())
    // A restarting server is usually back before the user needs a notice.
    if (attempt > 0) live.state.set('lost')
    if (outcome === 'signed-out') {
      session.end()
      await session.renewed()
    } else {
      await sleep(retryMs[Math.min(attempt++, retryMs.length - 1)] ?? 1000)
    }
    return follow()
  }

  let hiding: ReturnType<typeof setTimeout> | undefined
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiding)
    if (document.hidden) hiding = setTimeout(() => stop?.abort('hidden'), hiddenMs)
  })
  let widening: ReturnType<typeof setTimeout> | undefined
  cache.subscribe(({ type, query }) => {
    if (type !== 'added' || areCovered(topics, query)) return
    lastCovered ??= lastId
    clearTimeout(widening)
    widening = setTimeout(() => stop?.abort('topics'), topicsMs)
  })
  void follow()
}

/** The server's first event on a stream. A server without topics sends no projects. */
interface Ready {
  projects?: Record<string, string>
}

type Outcome = 'absent' | 'signed-out' | 'ended' | 'hidden' | 'topics'

async function read(
  query: string,
  stop: AbortController,
  receive: (event: StreamEvent) => void,
  opened: () => void,
): Promise<Outcome> {
  const headers = { accept: 'text/event-stream', ...(lastId && { 'last-event-id': lastId }) }
  let watchdog: ReturnType<typeof setTimeout> | undefined
  const awake = () => {
    clearTimeout(watchdog)
    watchdog = setTimeout(() => stop.abort('silent'), silenceMs)
  }
  // A server may also accept the request and never answer.
  awake()
  try {
    const response = await fetch(op.changeStream.path + query, {
      headers,
      signal: stop.signal,
      cache: 'no-store',
    })
    if (response.status === 401) return 'signed-out'
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    if (response.status === 404) return (await namesError(response)) ? 'ended' : 'absent'
    if (response.ok && !isStream) return 'absent'
    if (!response.ok || !response.body) return 'ended'
    const feed = eventParser(receive, (id) => (lastId = id))
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let isFirst = true; ; isFirst = false) {
      awake()
      const { done, value } = await reader.read()
      if (done) return 'ended'
      feed(value)
      // Not before: the state of the stream and what the server says of itself are shown in one render.
      if (isFirst) opened()
    }
  } catch {
    const { reason } = stop.signal as { reason: unknown }
    return reason === 'hidden' || reason === 'topics' ? reason : 'ended'
  } finally {
    clearTimeout(watchdog)
  }
}

/** A server with the stream gives an error code for what it did not find; one without it has no such path. */
async function namesError(response: Response): Promise<boolean> {
  const body = (await response.json().catch(() => undefined)) as Partial<ErrorBody> | undefined
  return body?.error_code !== undefined
}

function whenVisible(then: () => void): void {
  if (!document.hidden) return then()
  document.addEventListener('visibilitychange', () => whenVisible(then), { once: true })
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
