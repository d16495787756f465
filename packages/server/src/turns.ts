/** All slots and the whole queue are in use: more work would only wait longer. */
export class TooBusy extends Error {
  override readonly name = 'TooBusy'
}

/** Runs limited work at once, queues a limited amount in order, and refuses the rest. */
export function boundedTurns({ atOnce, waiting }: { atOnce: number; waiting: number }) {
  const queue: (() => void)[] = []
  let running = 0
  return async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running < atOnce) running += 1
    else if (queue.length >= waiting) throw new TooBusy('too much of this is waiting already')
    // A finished one hands its slot over, so that no newcomer overtakes the queue.
    else await new Promise<void>((turn) => queue.push(turn))
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }
}
