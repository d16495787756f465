import type { EventEmitter } from 'node:events'
import type { Outgoing } from './connection.ts'

/** Pending responses by connection, in request order. */
export class PendingResponses {
  readonly #ends = new Map<EventEmitter, Map<Outgoing, () => void>>()

  /** Calls `end` once, when the response is being sent or never will be. */
  begin(connection: EventEmitter, outgoing: Outgoing, end: () => void): void {
    const ends = this.#endsOn(connection)
    ends.set(outgoing, end)
    outgoing.once('close', () => {
      if (ends.delete(outgoing)) end()
    })
  }

  oldest(connection: EventEmitter): Outgoing | undefined {
    return this.#ends.get(connection)?.keys().next().value
  }

  *all(): Iterable<Outgoing> {
    for (const ends of this.#ends.values()) yield* ends.keys()
  }

  #endsOn(connection: EventEmitter): Map<Outgoing, () => void> {
    const known = this.#ends.get(connection)
    if (known) return known
    const ends = new Map<Outgoing, () => void>()
    this.#ends.set(connection, ends)
    // A response queued behind others is not notified when its connection closes.
    connection.once('close', () => {
      this.#ends.delete(connection)
      for (const end of ends.values()) end()
      ends.clear()
    })
    return ends
  }
}
