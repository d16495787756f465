import type { Condition } from './condition.ts'
import { testsOf } from './condition.ts'
import type { Limit } from './model.ts'

/** The operations after a `get` that decide how far a limit moves. */
export type Step = { kind: 'filter'; condition: Condition } | { kind: 'limit'; limit: Limit }

/** The time comparisons that keep the points a limit keeps. */
const compatible: Record<Limit['kind'], readonly string[]> = { first: ['<', '<='], last: ['>', '>='] }

/**
 * The limit that applies when samples are loaded (reference B 20.10). It moves across everything but a filter
 * on the times that it would cut differently: also across alignment and filters on data, where it
 * changes the answer, as the reference describes.
 */
export function pushedLimit(steps: readonly Step[]): Limit | undefined {
  let pushed: Limit | undefined
  const filters: Condition[] = []
  for (const step of steps) {
    if (step.kind === 'filter') filters.push(step.condition)
    // Of limits of different kinds the inner one is pushed, and stops the outer one.
    else if (pushed && pushed.kind !== step.limit.kind) return pushed
    else if (!filters.every((condition) => crosses(step.limit, condition))) return pushed
    else if (!pushed || step.limit.count < pushed.count) pushed = step.limit
  }
  return pushed
}

const crosses = ({ kind }: Limit, condition: Condition): boolean =>
  testsOf(condition).every(
    (test) =>
      test.kind !== 'time' || (test.column === 'timestamp' && compatible[kind].includes(test.operator)),
  )
