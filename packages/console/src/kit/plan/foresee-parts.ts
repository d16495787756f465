// @chunk change-plans: of reviews and confirmations, which users open after the page.
import { asFailure } from '#/data/failure.ts'
import { inParallel } from '#/data/in-parallel.ts'
import type { PlannedPart } from '../feedback/confirm.tsx'
import { failureText } from '../feedback/failure-text.ts'
import { askPlan } from './ask-plan.ts'
import type { Asked, Plan } from './plan.ts'

/** What would happen, as far as it was asked. */
export interface Foresight {
  plan?: Plan | undefined
  /** Of a single request, which can be saved with its plan. */
  asked?: Asked
  /** Objects for which it would be refused, with the reason. */
  refused?: readonly string[]
  /** Objects that were skipped. */
  left?: number
}

/** Each plan is a transaction of its own, so of many objects only the first are asked about. */
const asked = 20
const atOnce = 4

/** What an action on several objects would do, from the plans of the single ones. */
export async function foreseeParts(parts: readonly PlannedPart[], signal: AbortSignal): Promise<Foresight> {
  const refused: string[] = []
  const plans: Plan[] = []
  await inParallel(parts.slice(0, asked), atOnce, signal, async ({ name, run }) => {
    try {
      plans.push((await askPlan(run)).plan)
    } catch (error) {
      const failure = asFailure(error)
      if (failure.statusCode !== 404 || failure.errorCode) refused.push(`${name}: ${failureText(failure)}`)
    }
  })
  return { plan: together(plans), refused, left: Math.max(0, parts.length - asked) }
}

/** Plans as one: they concern different objects. */
function together(plans: readonly Plan[]): Plan | undefined {
  const [first] = plans
  if (!first) return undefined
  const sum = (amount: (quota: Plan['quota']) => number) =>
    plans.reduce((total, { quota }) => total + amount(quota), 0)
  return {
    ...first,
    changes: plans.flatMap(({ changes }) => changes),
    changeCount: plans.reduce((total, { changeCount }) => total + changeCount, 0),
    quota: {
      cpus: sum(({ cpus }) => cpus),
      memory: sum(({ memory }) => memory),
      storage: sum(({ storage }) => storage),
    },
    restarts: plans.flatMap(({ restarts }) => restarts),
    people: plans.flatMap(({ people }) => people),
    packets: {
      tried: plans.reduce((total, { packets }) => total + packets.tried, 0),
      changed: plans.flatMap(({ packets }) => packets.changed),
    },
  }
}
