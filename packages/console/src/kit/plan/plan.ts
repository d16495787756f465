// @chunk form-parts: of forms and of what stands beside them, neither of which shall load the other.
import { type Camel, fromWire } from '@gantry/api/client/camel'
import type { InputOf, OpRef } from '@gantry/api/client/client'
import { recordKeys } from '@gantry/api/client/records.gen'
import type { ChangePlan } from '@gantry/api/history/plan'
import type { OpName } from '@gantry/api/registry'
import type { Tag } from '@gantry/api/tags/tag.rules'
import { isAbsent } from '#/data/extensions.ts'
import { Failure } from '#/data/failure.ts'
import { useHasExtensions } from '../page/use-served.ts'

/** What a request would do. */
export type Plan = Camel<ChangePlan>

/** A plan with the request that it is of. */
export interface Asked {
  plan: Plan
  op: OpRef
  input: InputOf<OpName>
  /** Of what it creates. */
  tags?: readonly Tag[] | undefined
  /** When it was asked. */
  time: Date
}

/** A plan has the path of its request, so all of them are asked for by one name of our own. */
export const planName = 'plan' as OpName

/** Whether this server says what a request would do. */
export const usePlansOffered = (): boolean => useHasExtensions() && !isAbsent({ name: planName })

/** The plan of now, if a request was refused because it would no longer do what its plan says. */
export function movedPlan(error: unknown): Plan | undefined {
  if (!(error instanceof Failure) || error.statusCode !== 409) return undefined
  const { plan } = (error.details ?? {}) as { plan?: object }
  // Details are of any form, so the client leaves their names alone.
  return plan && (fromWire(plan, recordKeys) as Plan)
}

/** Whether a request was refused because the silo demands that another user commits it. */
export const needsSecond = (error: unknown): boolean =>
  error instanceof Failure &&
  (error.details as { is_savable?: boolean } | null | undefined)?.is_savable === true
