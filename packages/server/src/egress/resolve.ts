import { lookup } from 'node:dns/promises'
import { boundedTurns } from '@gantry/control-plane/work/turns'

/** The IP addresses of a name; empty if it has none. */
export type Resolve = (hostname: string) => Promise<string[]>

/**
 * Few at once: each occupies one of the four threads that also check passwords and read files, for as long as
 * a foreign name server takes to answer.
 */
const inTurn = boundedTurns({ atOnce: 2, waiting: 16 })

export const lookUp: Resolve = (hostname) =>
  inTurn(() =>
    lookup(hostname, { all: true }).then(
      (found) => found.map(({ address }) => address),
      () => [],
    ),
  )

/** A name look-up cannot be aborted. */
export function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    work.then(resolve, reject)
  })
}
