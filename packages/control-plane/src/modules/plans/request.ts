import type { ChangePlan } from '@gantry/api/history/plan'
import { isPlannable } from '@gantry/api/history/plan.rules'
import type { OpName } from '@gantry/api/registry'
import { perform, rehearse, type Rehearsal } from '../../change/rehearsal.ts'
import { Cx } from '../../context/cx.ts'
import { invalid, Refusal } from '../../context/refusal.ts'
import { planOf, usageOf } from './plan.ts'

/**
 * Runs a request in one transaction. Of one that asks for its plan nothing stays; one that names a plan is kept if it
 * did what the plan says, and otherwise refused with the plan of now.
 */
export async function plannedRequest(cx: Cx, name: OpName, input: object): Promise<unknown> {
  if (!isPlannable(name))
    throw invalid('this operation cannot be planned', 'Send the request itself, without a plan.')
  const { plan } = cx.request
  if (plan === 'asked')
    return rehearse(cx.services, async (rehearsal) => (await tryOut(cx, name, input, rehearsal)).plan)
  const { result, own } = await perform(cx.services, async (rehearsal) => {
    const tried = await tryOut(cx, name, input, rehearsal)
    if (tried.plan.hash !== plan?.hash)
      throw new Refusal('Conflict', 'what this would do has changed', {
        help: 'Review what it would do now, then try again.',
        details: { plan: tried.plan },
      })
    return tried
  })
  cx.audited = own.audited
  cx.about = own.about
  cx.request.entry = own.request.entry
  return result
}

/** The request itself, with services that nothing leaves. */
async function tryOut(
  cx: Cx,
  name: OpName,
  input: object,
  { services, changes }: Rehearsal,
): Promise<{ result: unknown; plan: ChangePlan; own: Cx }> {
  const own = cx.inner({ services })
  const before = await usageOf(own)
  const handler = services.handlers[name] as (cx: Cx, input: object) => Promise<unknown>
  const result = await handler(own, input)
  return { result, own, plan: await planOf(own, { name, input, changes, before }) }
}
