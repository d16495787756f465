import type { Operation } from '@gantry/api/op'
import type { Services } from './cx.ts'
import { Refusal } from './refusal.ts'

/** Requests of one person that may wait for a place, for each place that there is. */
const waitingForEach = 10
/** Idle people are forgotten when so many are known. */
const known = 10_000

interface Person {
  /** Requests that may come at once; it grows with time up to the burst. */
  tokens: number
  /** When the tokens were counted, in ms. */
  at: number
  running: number
  waiting: (() => void)[]
}

/**
 * How much of this process one person may have, whatever they do with it: requests a second with a burst, and requests
 * at once, beyond which they wait in turn. Each process counts for itself.
 */
export class Admission {
  readonly #people = new Map<string, Person>()

  constructor(private readonly services: Pick<Services, 'settings' | 'clock'>) {}

  /** Resolves when it is the request's turn, with what to call at its end; refuses what is too much. */
  async enter(userId: string, cost: number): Promise<() => void> {
    const person = this.#personOf(userId)
    this.#pay(person, cost)
    const { requests_at_once: places } = this.services.settings.limits
    if (person.running >= places) {
      if (person.waiting.length >= places * waitingForEach)
        throw tooMany(1, `You have ${places} requests running and ${person.waiting.length} waiting`)
      // The place is handed on by the one that leaves it.
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
    // A clock that went back gives nothing, and takes nothing.
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
    if (this.#people.size >= known) this.#forgetIdle()
    const { request_burst: tokens } = this.services.settings.limits
    const person = { tokens, at: this.services.clock().getTime(), running: 0, waiting: [] }
    this.#people.set(userId, person)
    return person
  }

  /** Those with a full burst again are as good as new. */
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
 * What a request counts for: one, and more for a long page or a large body of JSON. Pieces of an upload count once:
 * they are written as they come, and the reserve of the volume bounds them. No body counts for more than may be read.
 */
export function costOf(
  { encoding, bodyMax }: Pick<Operation, 'encoding' | 'bodyMax'>,
  url: URL,
  request: Request,
): number {
  const rows = Number(url.searchParams.get('limit') ?? 0)
  const told = Number(request.headers.get('content-length') ?? 0)
  const bytes = encoding === 'bytes' ? 0 : Math.min(told, bodyMax)
  const more = (amount: number, each: number): number => (amount > each ? Math.ceil(amount / each) : 0)
  return 1 + more(Math.min(rows, 10_000), 1000) + more(bytes, 64 * 1024)
}
