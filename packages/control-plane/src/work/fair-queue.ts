import { Refusal } from '../context/refusal.ts'

export interface QueueBounds {
  /** Places: pieces of work that run concurrently. */
  atOnce: number
  /** Places that one owner may hold; fewer than all, so that no owner waits for the end of another one's work. */
  atOnceEach: number
  /** Pieces that one owner may have waiting; more are refused. */
  waitingEach: number
  /** Pieces waiting in total; beyond that, the owner with the most waiting loses the newest. */
  waiting: number
  /** What is thrown for a piece beyond them. */
  refusal?: (fact: string) => Error
}

export interface Asker {
  owner: string
  /** Goes before others who have spent as much. */
  isPreferred?: boolean
  /** Aborts when the caller is gone. */
  signal?: AbortSignal | undefined
}

/** A request of a user. */
export interface UserRequest {
  user: () => { user_id: string }
  raw?: Pick<Request, 'signal'>
  othersRan: boolean
}

/** A place in the queue's work, held until `leave`. */
export interface Place {
  /** Charges the owner for work done, in any unit: a free place goes to the owner that has spent least. */
  spend: (amount: number) => void
  leave: () => void
}

interface Waiting {
  number: number
  begin: () => void
  refuse: (reason: unknown) => void
}

interface Owner {
  isPreferred: boolean
  spent: number
  running: number
  waiting: Waiting[]
}

/**
 * Shares a few places among owners, usually people, by the work that each causes: however much one of them queues, the
 * others wait for a piece of it at most. Callers who are gone leave the queue.
 */
export class FairQueue {
  /** Only owners with work here. A returning one starts beside the one that has spent least. */
  readonly #owners = new Map<string, Owner>()
  #running = 0
  #waiting = 0
  #arrivals = 0

  constructor(private readonly bounds: QueueBounds) {}

  /** Enters for the user of a request. What they may do can change meanwhile, so it is looked up again afterwards. */
  enterFor(request: UserRequest): Promise<Place> {
    request.othersRan = true
    return this.enter({ owner: request.user().user_id, signal: request.raw?.signal })
  }

  /** Does a piece of work in a place of its own. */
  async run<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result> {
    const place = await this.enter(asker)
    try {
      return await work()
    } finally {
      place.leave()
    }
  }

  async enter({ owner: name, isPreferred = false, signal }: Asker): Promise<Place> {
    signal?.throwIfAborted()
    const owner = this.#ownerOf(name, isPreferred)
    if (this.#running < this.bounds.atOnce && owner.running < this.bounds.atOnceEach) this.#begin(owner)
    else await this.#wait(name, owner, signal)
    let left = false
    return {
      spend: (amount) => {
        owner.spent += amount
      },
      leave: () => {
        if (left) return
        left = true
        this.#running--
        owner.running--
        this.#next()
        this.#forgetIdle(name, owner)
      },
    }
  }

  #ownerOf(name: string, isPreferred: boolean): Owner {
    const known = this.#owners.get(name)
    if (known) return known
    let least = Infinity
    for (const { spent } of this.#owners.values()) least = Math.min(least, spent)
    const owner = { isPreferred, spent: least === Infinity ? 0 : least, running: 0, waiting: [] }
    this.#owners.set(name, owner)
    return owner
  }

  /** Each piece counts at least one, so that pieces that charge nothing take turns. */
  #begin(owner: Owner): void {
    this.#running++
    owner.running++
    owner.spent++
  }

  async #wait(name: string, owner: Owner, signal: AbortSignal | undefined): Promise<void> {
    const { waiting: most, waitingEach } = this.bounds
    if (owner.waiting.length >= waitingEach)
      throw this.#refusal(`You have ${owner.running} running and ${owner.waiting.length} waiting`)
    let onAbort: (() => void) | undefined
    try {
      await new Promise<void>((begin, refuse) => {
        const waiting = { number: this.#arrivals++, begin, refuse }
        owner.waiting.push(waiting)
        this.#waiting++
        onAbort = () => {
          const at = owner.waiting.indexOf(waiting)
          if (at === -1) return
          this.#drop(owner, at, signal?.reason)
          this.#forgetIdle(name, owner)
        }
        signal?.addEventListener('abort', onAbort)
        if (this.#waiting > most) this.#refuseOne()
      })
    } finally {
      if (onAbort) signal?.removeEventListener('abort', onAbort)
    }
  }

  #drop(owner: Owner, at: number, reason: unknown): void {
    const [dropped] = owner.waiting.splice(at, 1)
    this.#waiting--
    dropped?.refuse(reason)
  }

  /** The owner with the most waiting fills the queue; among equals, the one who came last. */
  #refuseOne(): void {
    let longest: [string, Owner] | undefined
    for (const entry of this.#owners) if (!longest || isFuller(entry[1], longest[1])) longest = entry
    if (!longest) return
    const [name, owner] = longest
    const fact = 'This server has more of them waiting than it takes'
    this.#drop(owner, owner.waiting.length - 1, this.#refusal(fact))
    this.#forgetIdle(name, owner)
  }

  #refusal(fact: string): Error {
    return (this.bounds.refusal ?? tooMuch)(fact)
  }

  /** Gives free places to those who have spent least; among equals, to preferred ones, then to the longest waiting. */
  #next(): void {
    while (this.#running < this.bounds.atOnce) {
      let next: Owner | undefined
      for (const owner of this.#owners.values())
        if (owner.running < this.bounds.atOnceEach && owner.waiting.length > 0 && isBefore(owner, next))
          next = owner
      const waiting = next?.waiting.shift()
      if (!next || !waiting) return
      this.#waiting--
      this.#begin(next)
      waiting.begin()
    }
  }

  #forgetIdle(name: string, owner: Owner): void {
    if (owner.running === 0 && owner.waiting.length === 0) this.#owners.delete(name)
  }
}

function isBefore(owner: Owner, other: Owner | undefined): boolean {
  if (!other) return true
  const [one, another] = [owner.waiting[0], other.waiting[0]]
  if (owner.spent !== other.spent || !one || !another) return owner.spent < other.spent
  if (owner.isPreferred !== other.isPreferred) return owner.isPreferred
  return one.number < another.number
}

function isFuller(owner: Owner, other: Owner): boolean {
  const [one, another] = [owner.waiting.at(-1), other.waiting.at(-1)]
  if (owner.waiting.length !== other.waiting.length || !one || !another)
    return owner.waiting.length > other.waiting.length
  if (owner.isPreferred !== other.isPreferred) return other.isPreferred
  return one.number > another.number
}

const tooMuch = (fact: string): Refusal =>
  new Refusal('TooManyRequests', 'too many requests', {
    help: `${fact}. Wait a second, then try again.`,
    retryAfter: 1,
  })
