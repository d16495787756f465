import type { SiloUser } from '../authz/actor.ts'
import { altersRolesOf, lostSight, mayHear } from './audience.ts'
import type { ChangeFeed, Entry, Listener } from './change-feed.ts'
import { isOver } from '../context/time.ts'
import type { Published } from './publisher.ts'
import type { Services } from '../context/services.ts'
import { covers, readableProjects, type TopicFilter } from './topics.ts'
import type { Positions } from './positions.ts'

const heartbeatMs = 15_000
/** Bytes buffered for a reader before the stream stops reading more for it. */
const strategy: QueuingStrategy<Uint8Array> = new ByteLengthQueuingStrategy({ highWaterMark: 256 * 1024 })

interface StreamOptions {
  services: Pick<Services, 'db' | 'clock' | 'log' | 'ending'>
  feed: ChangeFeed
  positions: Positions
  /** The listener, as authenticated by the request. */
  actor: SiloUser
  /** A change number that the actor's roles are guaranteed to include. */
  rolesAt: number
  /** Re-authenticates the listener; rejects when the session has ended, which ends the stream. */
  identify: () => Promise<SiloUser>
  /** The listener's topics; undefined for everything. */
  filter: TopicFilter | undefined
  /** The last number the listener saw, if its position is still known; undefined to start with the next change. */
  since: number | 'unknown' | undefined
  signal: AbortSignal
  /** Called once, when the stream has ended. */
  onEnd: () => void
}

/** Tolerance for the clocks of two processes, far above the second that they may differ by. */
const clockSlackMs = 60_000

/** Server-sent events of everything the listener subscribed to and may see, in order and without a gap. */
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
  /** The last number sent, or skipped because the listener may not see it. */
  #at = 0
  #quietSince = 0
  /** The roles include every change up to this number. */
  #rolesAt: number
  #areRolesStale = false
  /**
   * What the listener lost sight of without having heard why, and when the roles were read (ms): roles can be ahead of
   * the events that explain them.
   */
  readonly #lost = new Map<string, number>()
  /** Asynchronous work is in progress; `advance` follows it. */
  #isBusy = true
  #hasEnded = false

  constructor(options: StreamOptions) {
    this.#options = options
    this.#feed = options.feed
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
      const canResume = typeof since === 'number' && (await this.#feed.canResume(since))
      this.#at = canResume ? since : this.#feed.last
      // The listener must refetch everything.
      if (since !== undefined && !canResume) this.#say('event: reset\ndata: {}\n')
      // A change since authentication may have altered the roles.
      if (this.#feed.altered(this.#rolesAt, (event) => altersRolesOf(this.actor, event)))
        await this.#identify()
      await this.#sayReady()
    })
  }

  async #sayReady(): Promise<void> {
    const { filter, services } = this.#options
    const projects = filter && { projects: await readableProjects(services, this.actor, filter) }
    this.#say(`retry: 1000\nevent: ready\ndata: ${JSON.stringify({ ...projects })}\n`)
  }

  advance(): void {
    while (!this.#isBusy && !this.#hasEnded && this.#hasRoom()) {
      const entries = this.#feed.after(this.#at)
      if (entries instanceof Promise) return void this.#work(async () => this.#send(await entries)?.())
      if (entries.length === 0) return
      // Every chunk sent requests the next one.
      this.#isBusy = true
      const work = this.#send(entries)
      this.#isBusy = false
      if (work) return void this.#work(work)
    }
  }

  /** Re-reads the roles as a precaution: changes that alter them trigger this anyway. */
  renew(): void {
    if (!this.#isBusy && !this.#hasEnded) void this.#work(this.#identify)
  }

  beat(now: number): void {
    if (this.#isBusy || this.#hasEnded || !this.#hasRoom()) return
    if (isOver(this.#quietSince, now, heartbeatMs)) this.#say(': still here\n')
  }

  readonly end = (): void => {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#feed.leave(this)
    this.#options.signal.removeEventListener('abort', this.end)
    try {
      this.#controller?.close()
    } catch {
      // The reader disconnected first.
    }
    this.#options.onEnd()
  }

  /** Sends what the listener may see; returns the work to do before the rest can follow. */
  #send(entries: readonly Entry[]): (() => Promise<void>) | undefined {
    const { filter } = this.#options
    for (const { event, text } of entries) {
      if (this.#hasEnded) return undefined
      this.#areRolesStale ||= event.seq > this.#rolesAt && altersRolesOf(this.actor, event)
      if (!filter || covers(filter, this.actor, event)) {
        if (this.#areRolesStale) return this.#identify
        if (this.#takeFor(event)) this.#say(text, event.seq)
      }
      this.#at = event.seq
    }
    return undefined
  }

  /**
   * Whether to send an event to the listener. One who lost sight of an object gets one more event of its policy,
   * because clients refetch their permissions only when they hear of a change of roles.
   */
  #takeFor(event: Published): boolean {
    const lostAt = this.#lost.get(event.id)
    if (event.kind === 'policy' && lostAt !== undefined) {
      this.#lost.delete(event.id)
      // A later change of the policy did not cause the loss: a group did, in an event outside of the topics.
      if (Date.parse(event.time) <= lostAt + clockSlackMs) return true
    }
    const isHeard = mayHear(this.actor, event)
    // After this event, clients refetch all of their permissions.
    if (isHeard && event.project_id === null && altersRolesOf(this.actor, event)) this.#lost.clear()
    return isHeard
  }

  #identify = (): Promise<void> =>
    this.#feed.identifyInTurn(async () => {
      if (this.#hasEnded) return
      const rolesAt = this.#feed.last
      const before = this.actor
      this.actor = await this.#options.identify()
      for (const id of lostSight(before, this.actor)) this.#lost.set(id, this.#now())
      this.#rolesAt = Math.max(this.#rolesAt, rolesAt)
      this.#areRolesStale = false
    })

  /** Nothing is sent during the work; changes that arrive meanwhile follow. */
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

  /** Sends lines of an event, with the listener's position after it. */
  #say(lines: string, at = this.#at): void {
    if (this.#hasEnded) return
    this.#quietSince = this.#now()
    this.#controller?.enqueue(encoder.encode(`${lines}id: ${this.#options.positions.seal(at)}\n\n`))
  }

  #hasRoom = (): boolean => (this.#controller?.desiredSize ?? 0) > 0

  #now = (): number => this.#options.services.clock().getTime()
}

const encoder = new TextEncoder()
