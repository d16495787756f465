import type { Operation } from '@gantry/api/op'
import type { Services } from './services.ts'
import { Refusal } from './refusal.ts'

/** Requests of one user that may queue, per concurrent slot. */
const waitingForEach = 10
/** Above this many users, idle ones are forgotten. */
const maxIdleUsers = 10_000

interface Person {
  /** Requests that may start now; refilled over time up to the burst. */
  tokens: number
  /** Time of the last refill, in ms. */
  at: number
  running: number
  waiting: (() => void)[]
}

/**
 * Limits the share of this process that one user can take: a request rate with a burst, and a number of
 * concurrent requests, beyond which they queue. Each process counts separately.
 */
export class Admission {
  readonly #people = new Map<string, Person>()

  constructor(private readonly services: Pick<Services, 'settings' | 'clock'>) {}

  /**
   * Resolves when the request may start, with a function to call when it ends; refuses when the queue is
   * full.
   */
  async enter(userId: string, cost: number): Promise<() => void> {
    const person = this.#personOf(userId)
    this.#pay(person, cost)
    const { requests_at_once: places } = this.services.settings.limits
    if (person.running >= places) {
      if (person.waiting.length >= places * waitingForEach)
        throw tooMany(1, `You have ${places} requests running and ${person.waiting.length} waiting`)
      // A finishing request hands its slot over.
      await new Promise<void>((resolve) => person.waiting.push(resolve))
    } else person.running++
    let left = false
    return () => {
      if (left) return
      left = true
      const next = person.waiting.shift()
      if (next) next()
      else person.running--
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
    const person = { tokens, at: this.services.clock().getTime(), running: 0, waiting: [] }
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
