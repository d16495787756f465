import { openCredentials } from '../authz/open-credentials.ts'
import type { SiloUser } from '../authz/actor.ts'
import { concernsRolesOfMany } from './audience.ts'
import { isOver } from './clock.ts'
import type { Services } from './cx.ts'
import { fewAtOnce } from './few-at-once.ts'
import type { Reconciler } from './loop.ts'
import { changesAfter, firstSequence, lastSequence, type Published } from './publisher.ts'

/** Changes of other processes are looked up this often; those of this process wake the feed at once. */
const pollMs = 200
const batch = 500
/** Changes that stay in memory, so that streams that reconnect ask no database. */
const kept = 1000
/** Milliseconds of handing out before other work of the process has its turn. */
const turnMs = 20
const beatMs = 1000
/** Sessions and tokens of all listeners are looked up this often. */
const rollCallMs = 30_000
/** Listeners whose roles are read at the same time after a policy has changed. */
const identifiedAtOnce = 8
/** Within so many seconds, the roles of every listener are read anew at least once. */
const renewalSeconds = 600

/** A published change and the bytes that every stream sends of it. */
export interface Entry {
  event: Published
  frame: Uint8Array
}

export interface Listener {
  readonly actor: SiloUser
  /** Hands on what is new. */
  advance: () => void
  /** Shows that the stream is alive, where nothing else did for a while. */
  beat: (now: number) => void
  /** Reads the roles anew. */
  renew: () => void
  end: () => void
}

/**
 * The published changes of this process, read once for all streams: one poller, and one serialised frame for each
 * change. Nothing is read while nobody listens.
 */
export class ChangeFeed {
  /** Runs the calls that identify listeners, a few at a time. */
  readonly identifyInTurn = fewAtOnce(identifiedAtOnce)
  readonly #listeners = new Set<Listener>()
  /** Invariant: every change after `#from` up to `#last`, in order. */
  #recent: Entry[] = []
  #from = 0
  #last: number | undefined
  #looking: Promise<void> | undefined
  readonly #older = new Map<number, Promise<Entry[]>>()
  #beatAt = 0
  #renewing: Iterator<Listener> | undefined
  #calledAt = 0

  constructor(private readonly db: Services['db']) {}

  /** Adds a listener; from then on the feed has every change after its last number. */
  async join(listener: Listener): Promise<void> {
    this.#listeners.add(listener)
    // One that left meanwhile has nothing to wait for: without listeners nothing is read.
    while (this.#last === undefined && this.#listeners.has(listener)) await this.look()
  }

  leave(listener: Listener): void {
    this.#listeners.delete(listener)
  }

  endAll(): void {
    for (const listener of this.#listeners) listener.end()
  }

  /** The number of the newest change that was read. */
  get last(): number {
    return this.#last ?? 0
  }

  /** Whether a listener can go on after this number without a gap: not from another database, nor too far back. */
  async canResume(since: number): Promise<boolean> {
    if (since > this.last) {
      // Another process may have published it a moment ago.
      await this.#looking
      await this.look()
    }
    if (since > this.last) return false
    if (since >= this.#from) return true
    const first = await firstSequence({ db: this.db })
    return first !== undefined && since + 1 >= first
  }

  /** Changes after a number; a promise where the database has to be asked. */
  after(seq: number): Entry[] | Promise<Entry[]> {
    if (seq >= this.#from) {
      const before = this.#recent.findLastIndex(({ event }) => event.seq <= seq)
      return this.#recent.slice(before + 1)
    }
    const asked = this.#older.get(seq)
    if (asked) return asked
    const found = this.#read(seq, batch).finally(() => this.#older.delete(seq))
    this.#older.set(seq, found)
    return found
  }

  /** Whether a change after a number did something; where that is no longer known, it is assumed. */
  altered(since: number, does: (event: Published) => boolean): boolean {
    return since < this.#from || this.#recent.some(({ event }) => event.seq > since && does(event))
  }

  /** Reads what is new and hands it to every listener. */
  look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #lookOnce(): Promise<void> {
    if (this.#listeners.size === 0) {
      this.#recent = []
      this.#last = undefined
      return
    }
    let last = this.#last ?? (await this.#begin())
    for (;;) {
      const found = await this.#read(last, batch)
      last = found.at(-1)?.event.seq ?? last
      this.#last = last
      this.#keep(found)
      if (found.length > 0) await this.#each((listener) => listener.advance())
      if (found.length < batch) return
    }
  }

  async #begin(): Promise<number> {
    const last = await lastSequence({ db: this.db })
    const first = (await firstSequence({ db: this.db })) ?? last + 1
    this.#from = Math.max(last - kept, first - 1)
    this.#recent = await this.#read(this.#from, kept)
    return this.#recent.at(-1)?.event.seq ?? last
  }

  #keep(found: readonly Entry[]): void {
    this.#recent.push(...found)
    const gone = this.#recent.splice(0, Math.max(0, this.#recent.length - kept))
    this.#from = gone.at(-1)?.event.seq ?? this.#from
  }

  async #read(seq: number, limit: number): Promise<Entry[]> {
    const events = await changesAfter(this.db, seq, limit)
    return events.map((event) => ({ event, frame: frameOf(event, this.#listeners.size) }))
  }

  /** Beats for the streams, and ends those whose session or token has ended. */
  async tick(services: Services): Promise<void> {
    const now = services.clock().getTime()
    if (isOver(this.#beatAt, now, beatMs)) {
      this.#beatAt = now
      await this.#each((listener) => listener.beat(now))
      this.#renewSome()
    }
    if (!isOver(this.#calledAt, now, rollCallMs)) return
    this.#calledAt = now
    const listeners = [...this.#listeners]
    const open = await openCredentials(
      services,
      listeners.flatMap(({ actor }) => actor.credential ?? []),
    )
    for (const listener of listeners) {
      const { credential } = listener.actor
      if (credential && !open.has(credential.id)) listener.end()
    }
  }

  /** Goes round all listeners, a few at each beat. */
  #renewSome(): void {
    for (let count = Math.ceil(this.#listeners.size / renewalSeconds); count > 0; count--) {
      this.#renewing ??= this.#listeners.values()
      const { value, done } = this.#renewing.next()
      if (done) this.#renewing = undefined
      else value.renew()
    }
  }

  async #each(act: (listener: Listener) => void): Promise<void> {
    let began = performance.now()
    for (const listener of this.#listeners) {
      act(listener)
      if (performance.now() - began < turnMs) continue
      await new Promise((resolve) => setTimeout(resolve))
      began = performance.now()
    }
  }
}

export const changeFeedLoop = (feed: ChangeFeed): Reconciler => ({
  name: 'change-feed',
  everyMs: pollMs,
  run: async (services) => {
    await feed.look()
    // A process for streams only publishes nothing by itself.
    if (feed.last > (services.published ?? 0)) services.published = feed.last
    await feed.tick(services)
  },
})

const encoder = new TextEncoder()

/** Where a change can alter the roles of many, the frame spreads what they ask next: a millisecond for each of them. */
function frameOf(event: Published, listeners: number): Uint8Array {
  const { silo_id: _silo, actor: _actor, ...data } = event
  const told = concernsRolesOfMany(event) ? { ...data, spread_ms: listeners } : data
  return encoder.encode(`event: change\nid: ${event.seq}\ndata: ${JSON.stringify(told)}\n\n`)
}
