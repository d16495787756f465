import { FairQueue } from './fair-queue.ts'

/** All slots and the whole queue are in use: more work would only wait longer. */
export class TooBusy extends Error {
  override readonly name = 'TooBusy'
}

/** Limits work that is no single user's: it runs in order, and is refused with `TooBusy` beyond the queue. */
export function boundedTurns({ atOnce, waiting }: { atOnce: number; waiting: number }) {
  const bounds = { atOnce, atOnceEach: atOnce, waiting, waitingEach: waiting }
  const queue = new FairQueue({
    ...bounds,
    refusal: () => new TooBusy('too much of this is waiting already'),
  })
  return <Result>(work: () => Promise<Result>): Promise<Result> => queue.run({ owner: '' }, work)
}
