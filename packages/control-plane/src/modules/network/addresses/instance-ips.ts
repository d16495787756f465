import { instanceAllows, instanceLimits } from '@gantry/api/compute/instance.rules'
import { allows } from '@gantry/api/base/state.rules'
import type { PoolSelector } from '@gantry/api/network/pool-selector'
import type { Row } from '@gantry/control-plane/db/tables'
import { type Change, change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { need, type Selectors } from '@gantry/control-plane/lookup/need'
import { invalid, Refusal, refuseIf, unavailable } from '@gantry/control-plane/context/refusal'
import {
  allocateEphemeral,
  primaryOf,
  primaryProblem,
  removeExternalIp,
  tooManyExternalIps,
  type Version,
  versionOf,
} from './external-ips.ts'
import { needLinkedPool, selectedPool } from './pools.ts'

type Instance = Row<'instance'>
type ExternalIp = Row<'external_ip'>

/** An instance has at most one of each IP version; a repeated request returns it, whatever pool is named (B 4.4). */
export async function attachEphemeral(cx: Cx, at: Selectors, selector: PoolSelector): Promise<ExternalIp> {
  const { row, scope } = await need(cx, 'instance', at, 'modify')
  const siloId = scope.silo_id ?? ''
  if (selector.type === 'explicit') await needLinkedPool(cx.db, siloId, selector.pool)
  return change(cx, scope, async (tx) => {
    const instance = await tx.lock('instance', row)
    const held = await ephemeralIps(tx, instance)
    const version = await versionWanted(tx, siloId, selector, held)
    const existing = held.find((one) => versionOf(one) === version)
    if (existing) return existing
    refuseIf(stateProblem(instance, 'attach', 'ephemeral'))
    refuseIf(await roomProblem(tx, instance))
    const wanted = { kind: 'ephemeral', instance_id: instance.id } as const
    refuseIf(primaryProblem(await primaryOf(tx, instance.id), wanted, version))
    return allocateEphemeral(tx, siloId, instance.id, selector)
  })
}

/** That of the pool. Without a default pool, an address from before still answers a repeated request. */
async function versionWanted(
  tx: Change,
  siloId: string,
  selector: PoolSelector,
  held: readonly ExternalIp[],
): Promise<Version> {
  if (selector.type === 'auto' && selector.ip_version) return selector.ip_version
  try {
    return (await selectedPool(tx.read, siloId, selector)).ip_version
  } catch (error) {
    const [only] = held
    if (
      !only ||
      selector.type === 'explicit' ||
      !(error instanceof Refusal && error.code === 'ObjectNotFound')
    )
      throw error
    return versionOf(only)
  }
}

/** One of two is named by its version. */
export async function detachEphemeral(
  cx: Cx,
  { ip_version, ...at }: Selectors & { ip_version?: 'v4' | 'v6' | null | undefined },
): Promise<void> {
  const { row, scope } = await need(cx, 'instance', at, 'modify')
  await change(cx, scope, async (tx) => {
    const instance = await tx.lock('instance', row)
    const held = await ephemeralIps(tx, instance)
    const [existing, another] = ip_version ? held.filter((one) => versionOf(one) === ip_version) : held
    if (!existing)
      throw invalid('instance does not have an ephemeral IP attached', 'There is nothing to detach.')
    if (another)
      throw invalid(
        'instance has an ephemeral IP of each IP version attached',
        `Name the version: \`ip_version=v4\` for ${held.map(({ ip }) => ip).join(', or `v6` for ')}.`,
      )
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

/** That of IPv4 first. */
const ephemeralIps = (tx: Change, instance: Instance): Promise<ExternalIp[]> =>
  tx.read
    .selectFrom('external_ip')
    .selectAll()
    .where('instance_id', '=', instance.id)
    .where('kind', '=', 'ephemeral')
    .where('time_deleted', 'is', null)
    .orderBy('ip_key')
    .forUpdate()
    .execute()
