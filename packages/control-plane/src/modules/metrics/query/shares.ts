import { FairQueue, type Place } from '@gantry/control-plane/work/fair-queue'

/** An evaluation that has read more than this is large. Charts of a day of a few vCPUs stay below. */
const smallPoints = 50_000

const waits = { waitingEach: 64, waiting: 1000 }
/** Two of one person: charts of a page load side by side, and however many queries they send hold up nobody. */
const evaluations = new FairQueue({ atOnce: 32, atOnceEach: 2, ...waits })
/** A large one may hold a million samples, so a process runs two at a time, each of another person. */
const largeEvaluations = new FairQueue({ atOnce: 2, atOnceEach: 1, ...waits })

/** Whoever sent a query, and whether they still want its result. */
export interface Asker {
  user: string
  signal: AbortSignal | undefined
}

/** Charges work in points of samples. A promise: the work has become large and waits for its place. */
export type Spend = (points: number) => Promise<void> | undefined

/**
 * Runs an evaluation of samples within the share of the person who asks for it. A small one waits for no large one:
 * only what turns out to be large waits for others that are.
 */
export async function inShare<Result>(
  { user, signal }: Asker,
  work: (spend: Spend) => Promise<Result>,
): Promise<Result> {
  const place = await evaluations.enter(user, signal)
  let large: Place | undefined
  let spent = 0
  try {
    return await work((points) => {
      place.spend(points)
      large?.spend(points)
      spent += points
      if (large || spent <= smallPoints) return undefined
      return largeEvaluations.enter(user, signal).then((entered) => {
        large = entered
        entered.spend(spent)
      })
    })
  } finally {
    large?.leave()
    place.leave()
  }
}
