/** A fleet that keeps refusing is asked again at least this often. */
const longestRetryMs = 30_000
const firstRetryMs = 1000
const retryMs = (attempts: number): number => Math.min(longestRetryMs, firstRetryMs * 2 ** (attempts - 1))

/** The wanted state of a machine; its revision is raised with each change. */
interface Wanted {
  id: string
  revision: number
}
interface Refused {
  revision: number
  message: string
  attempts: number
  at: Date
}

/** Wanted states that the fleet has refused since this process started, so that they are not sent each second. */
export class Refusals {
  readonly #refused = new Map<string, Refused>()

  /** Whether the fleet has refused this very state before. */
  has(wanted: Wanted): boolean {
    return this.#of(wanted) !== undefined
  }

  /** Whether the fleet may be asked now. */
  isDue(wanted: Wanted, now: Date): boolean {
    const refused = this.#of(wanted)
    if (!refused) return true
    const waited = now.getTime() - refused.at.getTime()
    // The clock was ahead at the refusal if it lies in the future.
    return waited < 0 || waited >= retryMs(refused.attempts)
  }

  /** Keeps a refusal; returns whether its message is new. */
  add(wanted: Wanted, message: string, now: Date): boolean {
    const before = this.#of(wanted)
    const attempts = (before?.attempts ?? 0) + 1
    this.#refused.set(wanted.id, { revision: wanted.revision, message, attempts, at: now })
    return before?.message !== message
  }

  /** Forgets refusals of all machines but these. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.#refused.keys()) if (!ids.has(id)) this.#refused.delete(id)
  }

  forget({ id }: Wanted): void {
    this.#refused.delete(id)
  }

  #of({ id, revision }: Wanted): Refused | undefined {
    const refused = this.#refused.get(id)
    return refused?.revision === revision ? refused : undefined
  }
}
