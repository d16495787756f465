import { FairQueue, type Place, type UserRequest } from '@gantry/control-plane/work/fair-queue'

/** An evaluation that has read more than this is large. Charts of a day of a few vCPUs stay below. */
const smallPoints = 50_000

const waits = { waitingEach: 64, waiting: 1000 }
/** Two of one user: charts of a page load side by side, and many queries of one user delay no other user. */
const evaluations = new FairQueue({ atOnce: 32, atOnceEach: 2, ...waits })
/** A large one may hold a million samples, so a process runs two at a time, of different users. */
const largeEvaluations = new FairQueue({ atOnce: 2, atOnceEach: 1, ...waits })

/** Charges work in points of samples. A promise: the work has become large and waits for its place. */
export type Spend = (points: number) => Promise<void> | undefined

/**
 * Runs an evaluation of samples within the caller's share. A small one waits for no large one: only
 * one that turns out to be large waits for other large ones.
 */
export async function inShare<Result>(
  request: UserRequest,
  work: (spend: Spend) => Promise<Result>,
): Promise<Result> {
  const place = await evaluations.enterFor(request)
  let large: Place | undefined
  let spent = 0
  try {
    return await work((points) => {
      place.spend(points)
      large?.spend(points)
      spent += points
      if (large || spent <= smallPoints) return undefined
      return largeEvaluations.enterFor(request).then((entered) => {
        large = entered
        entered.spend(spent)
      })
    })
  } finally {
    large?.leave()
    place.leave()
  }
}
