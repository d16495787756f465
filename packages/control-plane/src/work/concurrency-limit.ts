/** Runs up to `limit` pieces of work concurrently; the others wait in order. */
export function fewAtOnce(limit: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < limit) running++
    else await new Promise<void>((begin) => waiting.push(begin))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The slot passes to the next in line.
      if (next) next()
      else running--
    }
  }
}
