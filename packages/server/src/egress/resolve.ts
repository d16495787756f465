import { lookup } from 'node:dns/promises'
import { boundedTurns } from '../turns.ts'

/** The IP addresses of a name, none where it has none. */
export type Resolve = (hostname: string) => Promise<string[]>

/**
 * Few at once: each holds one of the four threads in which passwords are checked and files read, for as long as a name
 * server that somebody else chose takes to answer.
 */
const inTurn = boundedTurns({ atOnce: 2, waiting: 16 })

export const lookedUp: Resolve = (hostname) =>
  inTurn(() =>
    lookup(hostname, { all: true }).then(
      (found) => found.map(({ address }) => address),
      () => [],
    ),
  )
