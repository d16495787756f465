import { OxqlError } from './oxql-error.ts'

export interface Limits {
  /** Samples read, and also points made by alignment. */
  points: number
  timeseries: number
  durationMs: number
}

/** Points handled before other requests get their turn. */
const pointsPerTurn = 20_000
/** The points of a source's step, which costs a statement or the decoding of an object's samples. */
const pointsOfStep = 500

export interface Surroundings {
  limits: Limits
  /** Milliseconds, for the deadline. */
  clock: () => number
  /** Ends the query, for example when its caller has left. */
  signal?: AbortSignal | undefined
  /** Charges the query's work to its sender, in points. A promise: the query waits for its share first. */
  spend?: ((points: number) => Promise<void> | undefined) | undefined
}

/** The part of its limits that a query has used. */
export class Budget {
  private read = 0
  private made = 0
  private timeseries = 0
  private sincePause = 0
  private deadline: number

  constructor(private readonly surroundings: Surroundings) {
    this.deadline = surroundings.clock() + surroundings.limits.durationMs
  }

  get pointsLeft(): number {
    return this.surroundings.limits.points - this.read
  }

  /** Counts a timeseries that was read. */
  async take(points: number): Promise<void> {
    const { limits } = this.surroundings
    this.read += points
    this.timeseries++
    if (this.read > limits.points) throw tooMuch(limits.points, 'data points')
    if (this.timeseries > limits.timeseries) throw tooMuch(limits.timeseries, 'timeseries')
    await this.giveWay(points)
  }

  /** A step of a source, which may read for long without returning anything, or the samples that it has handled. */
  step(samples = pointsOfStep): Promise<void> {
    return this.giveWay(samples)
  }

  /** Lets other requests have their turn from time to time. */
  async giveWay(points: number): Promise<void> {
    this.check()
    const share = this.surroundings.spend?.(points + 1)
    if (share) await this.wait(share)
    this.sincePause += points + 1
    if (this.sincePause < pointsPerTurn) return
    this.sincePause = 0
    await new Promise((resolve) => setTimeout(resolve))
    this.check()
  }

  /** Waiting for others is none of the query's own time. */
  private async wait(share: Promise<void>): Promise<void> {
    const { clock } = this.surroundings
    const before = clock()
    await share
    this.deadline += clock() - before
    this.check()
  }

  /** Counts points that alignment is about to make, of which a short period makes many from few. */
  make(points: number): void {
    this.made += points
    if (this.made > this.surroundings.limits.points)
      throw new OxqlError(
        `Query produces more than the current limit of ${this.surroundings.limits.points} data points`,
        undefined,
        'Choose a longer alignment period or a shorter time range.',
      )
  }

  check(): void {
    const { signal, clock, limits } = this.surroundings
    signal?.throwIfAborted()
    if (clock() > this.deadline)
      throw new OxqlError(
        `Query takes longer than the current limit of ${limits.durationMs / 1000} seconds`,
        undefined,
        'Filter on more fields, or ask for a shorter time range.',
      )
  }
}

const tooMuch = (limit: number, what: string): OxqlError =>
  new OxqlError(
    `Query requires fetching more than the current limit of ${limit} ${what} from the timeseries database`,
    undefined,
    'Filter on more fields, or ask for a shorter time range.',
  )
