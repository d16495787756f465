import { instanceAllows, instanceLimits } from '@gantry/api/compute/instance.rules'
import { allows } from '@gantry/api/base/state.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import { type Change, change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { need, type Selectors } from '@gantry/control-plane/lookup/need'
import { invalid, refuseIf, type Refusal, unavailable } from '@gantry/control-plane/context/refusal'
import { allocateEphemeral, primaryProblem, removeExternalIp, tooManyExternalIps } from './external-ips.ts'
import { needLinkedPool } from './pools.ts'

type Instance = Row<'instance'>
type ExternalIp = Row<'external_ip'>

/** An instance has at most one; a repeated request returns it, whatever pool is named (B 4.4). */
export async function attachEphemeral(cx: Cx, at: Selectors, poolNameOrId?: string): Promise<ExternalIp> {
  const { row, scope } = await need(cx, 'instance', at, 'modify')
  const siloId = scope.silo_id ?? ''
  if (poolNameOrId !== undefined) await needLinkedPool(cx.db, siloId, poolNameOrId)
  return change(cx, scope, async (tx) => {
    const instance = await tx.lock('instance', row)
    const existing = await findEphemeral(tx, instance)
    if (existing) return existing
    refuseIf(stateProblem(instance, 'attach', 'ephemeral'))
    refuseIf(await roomProblem(tx, instance))
    refuseIf(await primaryProblem(tx, instance.id, 'ephemeral'))
    return allocateEphemeral(tx, siloId, instance.id, poolNameOrId)
  })
}

/** Addresses of this platform are of IPv4, so there is none of another version. */
export async function detachEphemeral(
  cx: Cx,
  { ip_version, ...at }: Selectors & { ip_version?: 'v4' | 'v6' | null | undefined },
): Promise<void> {
  const { row, scope } = await need(cx, 'instance', at, 'modify')
  await change(cx, scope, async (tx) => {
    const instance = await tx.lock('instance', row)
    const existing = await findEphemeral(tx, instance)
    if (!existing || ip_version === 'v6')
      throw invalid('instance does not have an ephemeral IP attached', 'There is nothing to detach.')
    refuseIf(stateProblem(instance, 'detach', 'ephemeral'))
    await removeExternalIp(tx, existing)
  })
}

const byVerb = {
  attach: { action: 'attachExternalIp', preposition: 'to' },
  detach: { action: 'detachExternalIp', preposition: 'from' },
} as const

/** Why an instance's addresses cannot change in its current state (control plane reference, B 4.4). */
export function stateProblem(
  { run_state }: Pick<Instance, 'run_state'>,
  verb: 'attach' | 'detach',
  kind: 'ephemeral' | 'floating',
): Refusal | undefined {
  const { action, preposition } = byVerb[verb]
  if (allows(instanceAllows, action, run_state)) return undefined
  if (run_state === 'creating')
    return invalid(
      'cannot modify instance IPs, instance is still being created',
      'Wait until the instance is created.',
    )
  if (run_state === 'failed')
    return invalid(
      `cannot ${verb} ${kind} IP ${preposition} instance in failed state`,
      'Stop the instance to clear the failed state, then try again.',
    )
  return unavailable(`The instance is ${run_state}. Try again when the transition is complete.`)
}

/** SNAT ports do not count (control plane reference, B 15.4). */
export async function roomProblem(tx: Change, instance: Instance): Promise<Refusal | undefined> {
  const { count } = await tx.read
    .selectFrom('external_ip')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('instance_id', '=', instance.id)
    .where('kind', '<>', 'snat')
    .where('time_deleted', 'is', null)
    .executeTakeFirstOrThrow()
  return count >= instanceLimits.externalIps ? tooManyExternalIps : undefined
}

const findEphemeral = (tx: Change, instance: Instance): Promise<ExternalIp | undefined> =>
  tx.read
    .selectFrom('external_ip')
    .selectAll()
    .where('instance_id', '=', instance.id)
    .where('kind', '=', 'ephemeral')
    .where('time_deleted', 'is', null)
    .forUpdate()
    .executeTakeFirst()
