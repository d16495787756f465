/** So many do this already, and so many more wait for it: another one would only wait longer. */
export class TooBusy extends Error {
  override readonly name = 'TooBusy'
}

/** Runs so much work at once, lets so much more wait in the order it came, and refuses the rest. */
export function boundedTurns({ atOnce, waiting }: { atOnce: number; waiting: number }) {
  const queue: (() => void)[] = []
  let running = 0
  return async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running < atOnce) running += 1
    else if (queue.length >= waiting) throw new TooBusy('too much of this is waiting already')
    // Whoever is done hands its turn over, so nobody new gets in between.
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
