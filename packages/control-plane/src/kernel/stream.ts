import type { SiloUser } from '../authz/actor.ts'
import { altersRolesOf, mayHear } from './audience.ts'
import type { ChangeFeed, Entry, Listener } from './change-feed.ts'
import { isOver } from './clock.ts'
import type { Services } from './cx.ts'
import { covers, readableProjects, type TopicFilter } from './topics.ts'

const heartbeatMs = 15_000
/** Bytes that may wait for a reader before nothing more is looked up for it. */
const strategy: QueuingStrategy<Uint8Array> = new ByteLengthQueuingStrategy({ highWaterMark: 256 * 1024 })

interface StreamOptions {
  services: Services
  /** Who listens, as the request was let in. */
  actor: SiloUser
  /** A number of a change that the actor's roles surely include. */
  rolesAt: number
  /** Who listens, as of now; rejects when the session ended, which ends the stream. */
  identify: () => Promise<SiloUser>
  /** What the listener is looking at; undefined for everything. */
  filter: TopicFilter | undefined
  /** The last number the listener saw; undefined to begin with what comes next. */
  since: number | undefined
  signal: AbortSignal
  /** Called once, when nothing more will come. */
  onEnd: () => void
}

/** Server-sent events of everything the listener may see and looks at, in order and without a gap. */
export function changeStream(options: StreamOptions): ReadableStream<Uint8Array> {
  const stream = new ChangeStream(options)
  return new ReadableStream(
    {
      start: (controller) => stream.begin(controller),
      pull: () => stream.advance(),
      cancel: () => stream.end(),
    },
    strategy,
  )
}

class ChangeStream implements Listener {
  actor: SiloUser
  readonly #options: StreamOptions
  readonly #feed: ChangeFeed
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  /** The last number that was sent, or that the listener does not hear of. */
  #at = 0
  #quietSince = 0
  /** The roles include every change up to this number. */
  #rolesAt: number
  #areRolesStale = false
  /** Something that takes time is under way, and `advance` follows it. */
  #isBusy = true
  #hasEnded = false

  constructor(options: StreamOptions) {
    this.#options = options
    this.#feed = options.services.feed
    this.actor = options.actor
    this.#rolesAt = options.rolesAt
  }

  async begin(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#controller = controller
    const { signal, services, since } = this.#options
    signal.addEventListener('abort', this.end)
    if (signal.aborted || services.ending.aborted) return this.end()
    await this.#work(async () => {
      await this.#feed.join(this)
      this.#at = since ?? this.#feed.last
      if (since !== undefined && !(await this.#feed.canResume(since))) {
        // The listener has to read everything anew.
        this.#at = this.#feed.last
        this.#say(`event: reset\nid: ${this.#at}\ndata: {}\n\n`)
      }
      // A change since the request was let in may have altered the roles.
      if (this.#feed.altered(this.#rolesAt, (event) => altersRolesOf(this.actor, event)))
        await this.#identify()
      await this.#sayReady()
    })
  }

  async #sayReady(): Promise<void> {
    const { filter, services } = this.#options
    const projects = filter && { projects: await readableProjects(services, this.actor, filter) }
    const data = JSON.stringify({ seq: this.#at, ...projects })
    this.#say(`retry: 1000\nevent: ready\nid: ${this.#at}\ndata: ${data}\n\n`)
  }

  advance(): void {
    while (!this.#isBusy && !this.#hasEnded && this.#hasRoom()) {
      const entries = this.#feed.after(this.#at)
      if (entries instanceof Promise) return void this.#work(async () => this.#send(await entries)?.())
      if (entries.length === 0) return
      // Every piece that is sent asks for the next one.
      this.#isBusy = true
      const work = this.#send(entries)
      this.#isBusy = false
      if (work) return void this.#work(work)
    }
  }

  /** Reads the roles anew, as a precaution: the changes that alter them do so by themselves. */
  renew(): void {
    if (!this.#isBusy && !this.#hasEnded) void this.#work(this.#identify)
  }

  beat(now: number): void {
    if (this.#isBusy || this.#hasEnded || !this.#hasRoom()) return
    if (isOver(this.#quietSince, now, heartbeatMs)) this.#say(`: still here\nid: ${this.#at}\n\n`)
  }

  readonly end = (): void => {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#feed.leave(this)
    this.#options.signal.removeEventListener('abort', this.end)
    try {
      this.#controller?.close()
    } catch {
      // The reader went first.
    }
    this.#options.onEnd()
  }

  /** Sends what may be heard; answers what has to be done before the rest can follow. */
  #send(entries: readonly Entry[]): (() => Promise<void>) | undefined {
    const { filter } = this.#options
    for (const { event, frame } of entries) {
      if (this.#hasEnded) return undefined
      this.#areRolesStale ||= event.seq > this.#rolesAt && altersRolesOf(this.actor, event)
      if (!filter || covers(filter, this.actor, event)) {
        if (this.#areRolesStale) return this.#identify
        if (mayHear(this.actor, event)) this.#put(frame)
      }
      this.#at = event.seq
    }
    return undefined
  }

  #identify = (): Promise<void> =>
    this.#feed.identifyInTurn(async () => {
      if (this.#hasEnded) return
      const rolesAt = this.#feed.last
      this.actor = await this.#options.identify()
      this.#rolesAt = Math.max(this.#rolesAt, rolesAt)
      this.#areRolesStale = false
    })

  /** Nothing is sent meanwhile, and what came meanwhile follows. */
  async #work(work: () => Promise<void> | undefined): Promise<void> {
    this.#isBusy = true
    try {
      await work()
    } catch (error) {
      this.#options.services.log.info({ err: error }, 'a change stream ended')
      this.end()
    }
    this.#isBusy = false
    this.advance()
  }

  #say(text: string): void {
    this.#put(encoder.encode(text))
  }

  #put(bytes: Uint8Array): void {
    if (this.#hasEnded) return
    this.#quietSince = this.#now()
    this.#controller?.enqueue(bytes)
  }

  #hasRoom = (): boolean => (this.#controller?.desiredSize ?? 0) > 0

  #now = (): number => this.#options.services.clock().getTime()
}

const encoder = new TextEncoder()
