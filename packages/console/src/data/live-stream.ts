import * as op from '@gantry/api/client/operations.gen'
import type { ErrorBody } from '@gantry/api/errors.rules'
import type { ChangeEvent } from '@gantry/api/extensions'
import type { QueryClient } from '@tanstack/react-query'
import { eventParser, type StreamEvent } from './event-stream.ts'
import { live } from './live.ts'
import { invalidateKinds } from './queries.ts'
import { session } from './session.ts'

/** Changes come in bursts; one look at the result is enough. */
const batchMs = 50
/** The server beats every 15 s; twice missed means that the connection is dead without knowing it. */
const silenceMs = 35_000
const retryMs = [500, 1000, 2000, 5000, 10_000]
/** Browsers allow six connections to a server over HTTP/1, so a tab out of sight gives its own back. */
const hiddenMs = 30_000

let lastId: string | undefined

/** Follows the change stream for as long as the page lives. */
export function startLive(queryClient: QueryClient): void {
  const refresh = batcher((kinds) => invalidateKinds(queryClient, kinds))
  let attempt = 0
  lastId = live.since()
  let hasMissed = lastId === undefined
  let hasBeenLive = false
  let stop: AbortController | undefined

  function receive({ type, data, id }: StreamEvent): void {
    if (id) lastId = id
    if (type === 'reset') void queryClient.invalidateQueries()
    if (type !== 'change') return
    const event = JSON.parse(data) as ChangeEvent
    live.mark(event.id)
    refresh(event.kind)
  }

  async function follow(): Promise<void> {
    stop = new AbortController()
    const outcome = await read(stop, receive, () => {
      // Of what happened before the stream began it may tell nothing, and what failed meanwhile is read again too.
      if (hasMissed) void queryClient.invalidateQueries()
      hasMissed = false
      hasBeenLive = true
      attempt = 0
      live.become('live')
    })
    // A stream that was there comes back: a proxy's page stood in for the server, as while it is being updated.
    if (outcome === 'absent' && !hasBeenLive) return live.become('absent')
    hasMissed = true
    if (outcome === 'hidden') return whenVisible(() => void follow())
    // A server that restarts is back before anyone has to be told.
    if (attempt > 0) live.become('lost')
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
  void follow()
}

type Outcome = 'absent' | 'signed-out' | 'ended' | 'hidden'

async function read(
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
  // A server may also take the question and never answer.
  awake()
  try {
    const response = await fetch(op.changeStream.path, { headers, signal: stop.signal, cache: 'no-store' })
    if (response.status === 401) return 'signed-out'
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    if (response.status === 404) return (await namesError(response)) ? 'ended' : 'absent'
    if (response.ok && !isStream) return 'absent'
    if (!response.ok || !response.body) return 'ended'
    opened()
    const feed = eventParser(receive)
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      awake()
      const { done, value } = await reader.read()
      if (done) return 'ended'
      feed(value)
    }
  } catch {
    return stop.signal.reason === 'hidden' ? 'hidden' : 'ended'
  } finally {
    clearTimeout(watchdog)
  }
}

/** A server that has the stream says by a code what it did not find; one that lacks it knows no such path. */
async function namesError(response: Response): Promise<boolean> {
  const body = (await response.json().catch(() => undefined)) as Partial<ErrorBody> | undefined
  return body?.error_code !== undefined
}

/**
 * Collects kinds for a moment, then refreshes once; while that is running it collects the next. So a steady
 * stream of changes never cancels the reading it caused, and the last change is always read.
 */
export function batcher(
  run: (kinds: Set<string>) => Promise<unknown>,
  waitMs = batchMs,
): (kind: string) => void {
  let pending = new Set<string>()
  let isRunning = false
  async function drain(): Promise<void> {
    isRunning = true
    while (pending.size > 0) {
      await sleep(waitMs)
      const kinds = pending
      pending = new Set()
      await run(kinds).catch(() => undefined)
    }
    isRunning = false
  }
  return (kind) => {
    pending.add(kind)
    if (!isRunning) void drain()
  }
}

function whenVisible(then: () => void): void {
  if (!document.hidden) return then()
  document.addEventListener('visibilitychange', () => whenVisible(then), { once: true })
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
