import type { SiloUser } from '../authz/actor.ts'
import type { Credential } from '../db/tables.ts'
import { concernsRolesOfMany } from './audience.ts'
import { isOver } from '../context/time.ts'
import { boundedTurns } from '../work/turns.ts'
import { changeLog, type ChangeLog, type Published } from './publisher.ts'
import { onceEach } from '../context/once-each.ts'
import type { Services } from '../context/services.ts'

const batch = 500
/** Changes kept in memory, so that reconnecting streams need no database query. */
const kept = 1000
/** Milliseconds of delivery before the process yields to other work. */
const turnMs = 20
const beatMs = 1000
/** Listeners whose roles are read concurrently after a policy change. */
const identifiedAtOnce = 8
/** The roles of every listener are re-read at least this often. */
const renewalSeconds = 600

/** A published change with its serialised text, which all streams share. */
export interface Entry {
  event: Published
  text: string
}

export interface Listener {
  readonly actor: SiloUser
  /** Delivers new changes. */
  advance: () => void
  /** Sends a heartbeat if nothing else was sent for a while. */
  beat: (now: number) => void
  /** Re-reads the listener's roles. */
  renew: () => void
  end: () => void
}

/**
 * The published changes of this process, read once for all streams: one poller, and one serialised text per
 * change. Nothing is read without listeners.
 */
export class ChangeFeed {
  /** Runs the calls that identify listeners, a few at a time. */
  readonly identifyInTurn = boundedTurns({ atOnce: identifiedAtOnce, waiting: Infinity })
  readonly #listeners = new Set<Listener>()
  /** Invariant: every change after `#from` up to `#last`, in order. */
  #recent: Entry[] = []
  #from = 0
  #last: number | undefined
  #looking: Promise<void> | undefined
  readonly #older = new Map<number, Promise<Entry[]>>()
  #beatAt = 0
  #renewing: Iterator<Listener> | undefined

  constructor(private readonly log: ChangeLog) {}

  /** Adds a listener; from then on the feed holds every change after the listener's position. */
  async join(listener: Listener): Promise<void> {
    this.#listeners.add(listener)
    // A listener that left meanwhile must not keep this loop waiting: the feed reads nothing without
    // listeners.
    while (this.#last === undefined && this.#listeners.has(listener)) await this.look()
  }

  leave(listener: Listener): void {
    this.#listeners.delete(listener)
  }

  endAll(): void {
    for (const listener of this.#listeners) listener.end()
  }

  /** The number of the newest change read so far. */
  get last(): number {
    return this.#last ?? 0
  }

  /**
   * Whether a listener can resume after this number without a gap: the number must come from this database
   * and must still be retained.
   */
  async canResume(since: number): Promise<boolean> {
    if (since > this.last) {
      // Another process may have published it a moment ago.
      await this.#looking
      await this.look()
    }
    if (since > this.last) return false
    if (since >= this.#from) return true
    const first = await this.log.first()
    return first !== undefined && since + 1 >= first
  }

  /** Changes after a number; a promise when they must come from the database. */
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

  /** Whether any change after a number satisfies `does`; true when those changes are no longer in memory. */
  altered(since: number, does: (event: Published) => boolean): boolean {
    return since < this.#from || this.#recent.some(({ event }) => event.seq > since && does(event))
  }

  /** Reads new changes and delivers them to every listener. */
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
    const last = await this.log.last()
    const first = (await this.log.first()) ?? last + 1
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
    const events = await this.log.after(seq, limit)
    return events.map((event) => ({ event, text: textOf(event, this.#listeners.size) }))
  }

  /** Sends heartbeats to all streams, and renews the roles of a few listeners. */
  async beat(now: number): Promise<void> {
    if (!isOver(this.#beatAt, now, beatMs)) return
    this.#beatAt = now
    await this.#each((listener) => listener.beat(now))
    this.#renewSome()
  }

  /** Ends the streams whose session or token has ended. `readOpen` returns the ids of those still open. */
  async endSignedOut(
    readOpen: (credentials: readonly Credential[]) => Promise<Pick<ReadonlySet<string>, 'has'>>,
  ): Promise<void> {
    const listeners = [...this.#listeners]
    const open = await readOpen(listeners.flatMap(({ actor }) => actor.credential ?? []))
    for (const listener of listeners) {
      const { credential } = listener.actor
      if (credential && !open.has(credential.id)) listener.end()
    }
  }

  /** Works through all listeners, a few per heartbeat. */
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

/**
 * After a change that can alter many users' roles, clients refetch their permissions; the event tells them to
 * spread those requests over one millisecond per listener.
 */
function textOf(event: Published, listeners: number): string {
  const { seq: _number, silo_id: _silo, actor: _actor, ...data } = event
  const payload = concernsRolesOfMany(event) ? { ...data, spread_ms: listeners } : data
  return `event: change\ndata: ${JSON.stringify(payload)}\n`
}

/** The feed behind the change streams of a process. */
export const changeFeed = onceEach(({ db }: Services) => new ChangeFeed(changeLog(db)))
