import { isPlannable } from '@gantry/api/history/plan.rules'
import type { ChangePlan } from '@gantry/api/history/plan'
import type { OpName } from '@gantry/api/registry'
import { perform, rehearse, type Rehearsal } from '../../change/rehearsal.ts'
import type { Cx } from '../../context/cx.ts'
import { invalid, Refusal } from '../../context/refusal.ts'
import { describe, type Described, planOf, usageOf } from './plan.ts'

/**
 * Runs a request in one transaction. Of one that asks for its plan nothing stays; one that names a plan is kept if it
 * did what the plan says, and otherwise refused with the plan of now.
 */
export async function plannedRequest(cx: Cx, name: OpName, input: object): Promise<unknown> {
  if (!isPlannable(name))
    throw invalid('this operation cannot be planned', 'Send the request itself, without a plan.')
  const { plan } = cx.request
  return plan === 'asked' ? askedPlan(cx, name, input) : carryOut(cx, name, input, { hash: plan?.hash })
}

/** What a request would do; the context learns what it is about. */
export async function askedPlan(cx: Cx, name: OpName, input: object): Promise<ChangePlan> {
  const tried = await rehearse(cx.services, (rehearsal) => tryOut(cx, name, input, rehearsal))
  cx.about = tried.own.about
  return planOf(cx, tried)
}

interface Condition {
  /** Of the plan that the request must fulfil. */
  hash: string | undefined
  /** Writes first, in the same transaction. */
  before?: (own: Cx) => Promise<void>
}

/** Does what a plan says, or nothing. */
export async function carryOut(
  cx: Cx,
  name: OpName,
  input: object,
  { hash, before }: Condition,
): Promise<unknown> {
  try {
    const { result, own } = await perform(cx.services, async (rehearsal) => {
      await before?.(cx.inner({ services: rehearsal.services }))
      const tried = await tryOut(cx, name, input, rehearsal)
      if (tried.plan.hash !== hash) throw new Other(tried)
      return tried
    })
    cx.audited = own.audited
    cx.about = own.about
    cx.request.entry = own.request.entry
    return result
  } catch (error) {
    if (!(error instanceof Other)) throw error
    throw new Refusal('Conflict', 'what this would do has changed', {
      help: 'Review what it would do now, then try again.',
      details: { plan: await planOf(cx, error.described) },
    })
  }
}

/** It would do something else than planned, and is rolled back. */
class Other extends Error {
  constructor(readonly described: Described) {
    super('the request does not do what its plan says')
  }
}

interface Tried extends Described {
  result: unknown
  own: Cx
}

/** The request itself, with services that nothing leaves. */
async function tryOut(cx: Cx, name: OpName, input: object, { services, changes }: Rehearsal): Promise<Tried> {
  const own = cx.inner({ services })
  const before = await usageOf(own)
  const handler = services.handlers[name] as (cx: Cx, input: object) => Promise<unknown>
  const result = await handler(own, input)
  return { result, own, ...(await describe(own, { name, input, changes, before })) }
}
