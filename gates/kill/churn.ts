import { acts } from './acts.ts'
import { weightedPick } from './chance.ts'
import { type Load, repeatUntil } from './load.ts'

/** Acts in sequence until it is over. */
export const churn = (load: Load, isOver: () => boolean): Promise<void> =>
  repeatUntil(isOver, () => weightedPick(load.chance, acts).run(load))
