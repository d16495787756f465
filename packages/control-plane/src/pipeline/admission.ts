import type { Operation } from '@gantry/api/op'
import type { Services } from '../context/services.ts'
import { Refusal } from '../context/refusal.ts'

/** Requests of one user that may queue, per concurrent slot. */
const waitingForEach = 10
/** Above this many users, idle ones are forgotten. */
const maxIdleUsers = 10_000
const mebibyte = 1024 ** 2

interface Person {
  /** Requests that may start now; refilled over time up to the burst. Negative once a body cost more than was left. */
  tokens: number
  /** Time of the last refill, in ms. */
  at: number
  running: number
  /** Those of them that cost more than one. */
  heavy: number
  /** Bytes of answers that have not been sent yet. */
  unsent: number
  waiting: Waiting[]
}

interface Waiting {
  isHeavy: boolean
  start: () => void
}

/** The slot of a request that may run. */
export interface Admitted {
  /** Whether it had to wait for its place. */
  waited: boolean
  /** Counts bytes of its answer that are kept until they are sent; negative once some are. */
  hold: (bytes: number) => void
  /** Charges more, for what was not known before the body was read. Later requests wait for it; this one continues. */
  charge: (cost: number) => void
  /** The answer was sent, or never will be. */
  leave: () => void
}

/**
 * Limits the share of this process that one user can take: a request rate with a burst, a number of concurrent
 * requests, of which few may be heavy, and bytes of answers that wait to be sent. Beyond these, requests queue.
 * A request runs until its answer is sent, because until then it holds memory. Each process counts separately.
 */
export class Admission {
  readonly #people = new Map<string, Person>()

  constructor(private readonly services: Pick<Services, 'settings' | 'clock'>) {}

  /** Resolves when the request may start; refuses when the queue is full, or when its client leaves the queue. */
  async enter(userId: string, cost: number, left?: () => AbortSignal): Promise<Admitted> {
    const person = this.#personOf(userId)
    this.#pay(person, cost)
    const isHeavy = cost > 1
    const { requests_at_once: places } = this.services.settings.limits
    // Those that wait are not overtaken, except by lighter ones while all heavy places are taken.
    const waited =
      !this.#hasPlace(person, isHeavy) || person.waiting.some((one) => this.#hasPlace(person, one.isHeavy))
    if (waited) {
      if (person.waiting.length >= places * waitingForEach)
        throw tooMany(1, `You have ${person.running} requests running and ${person.waiting.length} waiting`)
      await this.#wait(person, isHeavy, left?.())
    } else this.#begin(person, isHeavy)
    let held = 0
    let isOver = false
    return {
      waited,
      hold: (bytes) => {
        if (isOver) return
        held += bytes
        person.unsent += bytes
        if (bytes < 0) this.#startWaiting(person)
      },
      charge: (more) => {
        // Refused here, a body that costs more than the burst could never be sent.
        person.tokens = Math.max(-this.services.settings.limits.request_burst, person.tokens - more)
      },
      leave: () => {
        if (isOver) return
        isOver = true
        person.unsent -= held
        person.running--
        if (isHeavy) person.heavy--
        this.#startWaiting(person)
      },
    }
  }

  #hasPlace({ running, heavy, unsent }: Person, isHeavy: boolean): boolean {
    const { limits } = this.services.settings
    return (
      running < limits.requests_at_once &&
      unsent < limits.unsent_mebibytes_per_person * mebibyte &&
      (!isHeavy || heavy < limits.heavy_requests_at_once)
    )
  }

  #begin(person: Person, isHeavy: boolean): void {
    person.running++
    if (isHeavy) person.heavy++
  }

  #wait(person: Person, isHeavy: boolean, left: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const gone = (): void => {
        person.waiting.splice(person.waiting.indexOf(waiting), 1)
        // Answered like a read that ended with its caller, who does not receive it.
        reject(left?.reason as Error)
        this.#startWaiting(person)
      }
      const waiting = {
        isHeavy,
        start: () => {
          left?.removeEventListener('abort', gone)
          resolve()
        },
      }
      person.waiting.push(waiting)
      if (left?.aborted) gone()
      else left?.addEventListener('abort', gone, { once: true })
    })
  }

  #startWaiting(person: Person): void {
    for (;;) {
      const next = person.waiting.findIndex(({ isHeavy }) => this.#hasPlace(person, isHeavy))
      const [waiting] = next === -1 ? [] : person.waiting.splice(next, 1)
      if (!waiting) return
      this.#begin(person, waiting.isHeavy)
      waiting.start()
    }
  }

  #pay(person: Person, cost: number): void {
    const { requests_per_second: rate, request_burst: burst } = this.services.settings.limits
    const now = this.services.clock().getTime()
    // A clock that went back must neither add nor remove tokens.
    person.tokens = Math.min(burst, person.tokens + (Math.max(0, now - person.at) / 1000) * rate)
    person.at = now
    const price = Math.min(cost, burst)
    if (person.tokens < price)
      throw tooMany(
        Math.ceil((price - person.tokens) / rate),
        `You may send ${rate} requests a second, and ${burst} at once`,
      )
    person.tokens -= price
  }

  #personOf(userId: string): Person {
    const found = this.#people.get(userId)
    if (found) return found
    if (this.#people.size >= maxIdleUsers) this.#forgetIdle()
    const { request_burst: tokens } = this.services.settings.limits
    const at = this.services.clock().getTime()
    const person = { tokens, at, running: 0, heavy: 0, unsent: 0, waiting: [] }
    this.#people.set(userId, person)
    return person
  }

  /** Users with a full bucket need no entry. */
  #forgetIdle(): void {
    const { requests_per_second: rate, request_burst: burst } = this.services.settings.limits
    const now = this.services.clock().getTime()
    for (const [id, { tokens, at, running }] of this.#people)
      if (running === 0 && tokens + ((now - at) / 1000) * rate >= burst) this.#people.delete(id)
  }
}

function tooMany(retryAfter: number, fact: string): Refusal {
  return new Refusal('TooManyRequests', 'too many requests', {
    help: `${fact}. Wait ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}, then try again.`,
    retryAfter,
  })
}

/** Items of lists that cost as much as a small request: a body of 1,000 firewall rules has ten thousand. */
const itemsForEach = 50

/** The cost of the items of a body's lists, each of which is validated and evaluated. */
export const costOfItems = (items: number): number => Math.floor(items / itemsForEach)

/**
 * The cost of a request: one, plus more for a long page or a large JSON body. A piece of an upload costs one,
 * because it is streamed to disk and the volume's reserve bounds it. No body costs more than the largest that
 * may be read.
 */
export function costOf(
  { encoding, body, bodyMax }: Pick<Operation, 'encoding' | 'body' | 'bodyMax'>,
  url: URL,
  request: Request,
): number {
  const rows = Number(url.searchParams.get('limit') ?? 0)
  // A body whose length is not given can have any.
  const length = Number(request.headers.get('content-length') ?? (body ? bodyMax : 0))
  const bytes = encoding === 'bytes' ? 0 : Math.min(length, bodyMax)
  const more = (amount: number, each: number): number => (amount > each ? Math.ceil(amount / each) : 0)
  return 1 + more(Math.min(rows, 10_000), 1000) + more(bytes, 64 * 1024)
}
