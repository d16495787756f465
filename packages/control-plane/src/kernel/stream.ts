import type { Actor } from '../authz/actor.ts'
import { permits } from '../authz/policy.ts'
import { isOver } from './clock.ts'
import type { Services } from './cx.ts'
import { placeOfChange } from './place.ts'
import { changesAfter, firstSequence, lastSequence, type Published } from './publisher.ts'

const heartbeatMs = 15_000
/** Other processes' changes are looked for this often; our own wake the stream at once. */
const pollMs = 200
/** Roles are asked for again this often, and at once when a policy changes. */
const rolesMs = 30_000
const batch = 500
/** Bytes that may wait for a reader before nothing more is looked up for it. */
const waitingBytes = 256 * 1024

/** Told of every publication in this process. */
export class Bell {
  /** How often it has rung. */
  rings = 0
  #listeners = new Set<() => void>()
  ring(): void {
    this.rings++
    for (const listener of this.#listeners) listener()
  }
  /** Resolves at the next ring, after `ms`, or when aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        this.#listeners.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      this.#listeners.add(done)
      signal.addEventListener('abort', done)
      if (signal.aborted) done()
    })
  }
}

/** Streams that have come equally far ask together: however many there are, the database is asked as for one or two. */
export class RecentChanges {
  #last: { seq: number; rings: number; until: number; found: Promise<Published[]> } | undefined

  constructor(
    private readonly db: Services['db'],
    private readonly bell: Bell,
  ) {}

  /** At most `batch`; what other processes published meanwhile may be missing for half of `pollMs`. */
  after(seq: number): Promise<Published[]> {
    const { rings } = this.bell
    const now = performance.now()
    const last = this.#last
    if (last?.seq === seq && last.rings === rings && now < last.until) return last.found
    const found = changesAfter(this.db, seq, batch)
    this.#last = { seq, rings, until: now + pollMs / 2, found }
    return found
  }
}

interface StreamOptions {
  services: Services
  /** Who listens, as of now; rejects when the session ended, which ends the stream. */
  identify: () => Promise<Actor>
  /** The last number the listener saw; undefined to begin with what comes next. */
  since: number | undefined
  signal: AbortSignal
  /** Called once, when nothing more will come. */
  onEnd: () => void
}

/** Server-sent events of everything the listener may see, in order and without a gap. */
export function changeStream({
  services,
  identify,
  since,
  signal,
  onEnd,
}: StreamOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const ended = new AbortController()
  const stop = AbortSignal.any([signal, ended.signal])
  const { bell, recentChanges } = services
  const pump = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const write = (text: string): void => controller.enqueue(encoder.encode(text))
    let actor = await identify()
    let identified = services.clock().getTime()
    let quietSince = identified
    let at = since ?? (await lastSequence(services))
    if (since !== undefined && (await cannotResume(services, since))) {
      // The listener has to look at everything anew.
      at = await lastSequence(services)
      write(`event: reset\nid: ${at}\ndata: {}\n\n`)
    }
    write(`retry: 1000\nevent: ready\nid: ${at}\ndata: ${JSON.stringify({ seq: at })}\n\n`)
    while (!stop.aborted) {
      const events = await recentChanges.after(at)
      const now = services.clock().getTime()
      if (isOver(identified, now, rolesMs) || events.some((event) => event.kind === 'policy')) {
        actor = await identify()
        identified = now
      }
      const lines = events.filter((event) => mayHear(actor, event)).map(frame)
      at = events.at(-1)?.seq ?? at
      if (lines.length > 0) {
        write(lines.join(''))
        quietSince = now
      } else if (isOver(quietSince, now, heartbeatMs)) {
        write(`: still here\nid: ${at}\n\n`)
        quietSince = now
      }
      // A slow reader is waited for, so that nothing piles up in memory.
      while ((controller.desiredSize ?? 1) <= 0 && !stop.aborted) await bell.wait(pollMs, stop)
      if (events.length < batch) await bell.wait(pollMs, stop)
    }
  }
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      const close = (): void => {
        try {
          controller.close()
        } catch {
          // The reader went first.
        }
      }
      pump(controller)
        .then(close, (error: unknown) => {
          services.log.info({ err: error }, 'a change stream ended')
          close()
        })
        .finally(onEnd)
    },
    cancel() {
      ended.abort()
    },
  }
  return new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: waitingBytes }))
}

/** What was missed is no longer kept, or the number is from another database. */
async function cannotResume(services: Services, since: number): Promise<boolean> {
  const last = await lastSequence(services)
  const first = (await firstSequence(services)) ?? last + 1
  return since > last || since + 1 < first
}

function frame(event: Published): string {
  const { silo_id: _silo, actor: _actor, ...data } = event
  return `event: change\nid: ${event.seq}\ndata: ${JSON.stringify(data)}\n\n`
}

function mayHear(actor: Actor, event: Published): boolean {
  return actor.kind === 'silo_user' && permits(actor, 'read', placeOfChange(event))
}
