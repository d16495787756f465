import type { Cx } from '@gantry/control-plane/context/cx'
import { Refusal } from '@gantry/control-plane/context/refusal'
import { from } from './limits.ts'
import { onceEach } from '@gantry/control-plane/context/once-each'
import type { Services } from '@gantry/control-plane/context/services'

interface Waiting {
  /** An account for a known device, an address for strangers. */
  source: string
  /** Number of earlier entries from the same source: the first of each goes before the second of any. */
  round: number
  /** Known devices go before strangers of the same round. */
  isKnown: boolean
  begin: () => void
  refuse: (refusal: Refusal) => void
}

/**
 * Limits concurrent work and the queue for it. A flooding source queues behind everyone else, and is refused
 * first when the queue is full.
 */
export class Turns {
  #running = 0
  /** In order of turns. */
  readonly #waiting: Waiting[] = []

  constructor(
    private readonly atOnce: number,
    private readonly maxWaiting: number,
  ) {}

  async take<Result>(who: Pick<Waiting, 'source' | 'isKnown'>, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.atOnce) this.#running++
    else
      await new Promise<void>((begin, refuse) =>
        this.#wait({ ...who, round: this.#roundOf(who.source), begin, refuse }),
      )
    try {
      return await work()
    } finally {
      // The slot passes directly to the next one.
      const next = this.#waiting.shift()
      if (next) next.begin()
      else this.#running--
    }
  }

  #roundOf(source: string): number {
    return this.#waiting.filter((other) => other.source === source).length
  }

  #wait(waiting: Waiting): void {
    const after = this.#waiting.findIndex((other) => isBefore(waiting, other))
    this.#waiting.splice(after === -1 ? this.#waiting.length : after, 0, waiting)
    if (this.#waiting.length > this.maxWaiting) this.#waiting.pop()?.refuse(busy())
  }
}

function isBefore(one: Waiting, other: Waiting): boolean {
  return one.round === other.round ? one.isKnown && !other.isKnown : one.round < other.round
}

const busySeconds = 5
const busy = (): Refusal =>
  new Refusal('TooManyRequests', 'too many people are signing in', {
    help: `Wait ${busySeconds} seconds, then try again.`,
    retryAfter: busySeconds,
  })

const turnsOf = onceEach(
  ({ settings: { sign_in } }: Services) =>
    new Turns(sign_in.password_checks_at_once, sign_in.password_checks_waiting),
)

/**
 * Checking and hashing passwords takes memory and a thread for long: a flood of it must not block everything
 * else. One account counts once, however many devices have signed in to it.
 */
export function passwordTurn<Result>(
  cx: Cx,
  knownAccount: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  return turnsOf(cx.services).take(
    { source: knownAccount ?? from(cx), isKnown: knownAccount !== undefined },
    work,
  )
}
