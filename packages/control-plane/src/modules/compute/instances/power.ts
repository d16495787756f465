import { instanceAllows } from '@gantry/api/compute/instance.rules'
import { allows } from '@gantry/api/base/state.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import { type Change, change, changeBefore } from '@gantry/control-plane/change/change'
import { refuseProtected } from '@gantry/control-plane/change/protection'
import type { Cx } from '@gantry/control-plane/context/cx'
import { type Authorised, need, type Selectors } from '@gantry/control-plane/lookup/need'
import { conflict, invalid, refuseIf, type Refusal } from '@gantry/control-plane/context/refusal'
import { moveTo, releaseVmm } from '../machines/lifecycle.ts'
import { start } from '../machines/start.ts'
import { settingsOfStart } from '../pending/pending.ts'
import { requestForceOff, requestReboot, requestStop } from '../machines/wanted.ts'

type Instance = Row<'instance'>

const stillCreating = () =>
  invalid('cannot change instance state while it is still being created', 'Wait until it is created.')

/** What is to stop. One that is stopped stays so, which its protection allows. */
async function lockToStop(tx: Change, row: Authorised<'instance'>): Promise<Instance> {
  const instance = await tx.lock('instance', row)
  if (instance.run_state !== 'stopped') await refuseProtected(tx, 'instance', instance, 'stop')
  return instance
}

/** Stores the intended state before any check but that of its protection, so it is kept even if the request then fails. */
async function intend(cx: Cx, at: Selectors, intended_state: 'running' | 'stopped') {
  const found = await need(cx, 'instance', at, 'modify')
  await changeBefore(cx, found.scope, async (tx) => {
    const lock = intended_state === 'stopped' ? lockToStop(tx, found.row) : tx.lock('instance', found.row)
    const instance = await lock
    if (instance.intended_state !== intended_state) await tx.update('instance', instance, { intended_state })
  })
  return { row: found.row, scope: found.scope, silo_id: found.scope.silo_id ?? '' }
}

export async function startInstance(cx: Cx, at: Selectors): Promise<Instance> {
  const { row, scope, silo_id } = await intend(cx, at, 'running')
  return change(cx, scope, async (tx) => {
    const instance = await tx.lock('instance', row)
    switch (instance.run_state) {
      case 'stopped':
      case 'failed':
        return start(tx, instance, silo_id, await settingsOfStart(tx, instance))
      case 'starting':
      case 'running':
      case 'rebooting':
      case 'migrating':
        return instance
      case 'stopping':
        throw conflict('instance must finish stopping before it can be started', 'Try again in a moment.')
      case 'creating':
      case 'repairing':
      case 'destroyed':
        throw conflict(`instance is in state ${instance.run_state} but it must be stopped to be started`)
      default:
        return instance.run_state satisfies never
    }
  })
}

export async function stopInstance(cx: Cx, at: Selectors): Promise<Instance> {
  const { row, scope, silo_id } = await intend(cx, at, 'stopped')
  return change(cx, scope, async (tx) => {
    const instance = await lockToStop(tx, row)
    switch (instance.run_state) {
      case 'stopped':
      case 'stopping':
        return instance
      case 'creating':
        throw stillCreating()
      case 'failed':
        return moveTo(tx, instance, 'stopped', { failure: null, is_interrupted: false })
      case 'starting':
      case 'running':
      case 'rebooting':
      case 'migrating':
      case 'repairing':
      case 'destroyed': {
        // A VM that has not reached its sled yet has nothing to shut down.
        if (instance.vmm_id && (await requestStop(tx, instance.vmm_id)))
          return moveTo(tx, instance, 'stopping')
        await releaseVmm(tx, instance, silo_id)
        return moveTo(tx, instance, 'stopped', { vmm_id: null, failure: null })
      }
      default:
        return instance.run_state satisfies never
    }
  })
}

/** Cuts the power of an instance that a stop does not end, or not soon enough. One that is stopped stays so. */
export async function forceOffInstance(cx: Cx, at: Selectors): Promise<Instance> {
  const { row, scope } = await need(cx, 'instance', at, 'modify')
  return change(cx, scope, async (tx) => {
    const instance = await lockToStop(tx, row)
    if (instance.run_state === 'stopped') return instance
    if (!allows(instanceAllows, 'forceOff', instance.run_state) || !instance.vmm_id)
      throw conflict(
        `instance in state ${instance.run_state} has no power to cut`,
        'Stop it instead, or wait.',
      )
    const intended = { intended_state: 'stopped' } as const
    if (await requestForceOff(tx, instance.vmm_id)) return moveTo(tx, instance, 'stopping', intended)
    await releaseVmm(tx, instance, scope.silo_id ?? '')
    return moveTo(tx, instance, 'stopped', { ...intended, vmm_id: null, failure: null })
  })
}

/** Why an instance in this state cannot be rebooted. */
function rebootProblem(state: Instance['run_state']): Refusal | undefined {
  switch (state) {
    case 'stopped':
      return invalid('cannot reboot an instance in state stopped with no VMM', 'Start it instead.')
    case 'failed':
    case 'stopping':
    case 'destroyed':
      return invalid(`instance state cannot be changed from ${state}`, 'Wait, or start it.')
    case 'creating':
      return stillCreating()
    default:
      return undefined
  }
}

export async function rebootInstance(cx: Cx, at: Selectors): Promise<Instance> {
  const { row, scope } = await intend(cx, at, 'running')
  return change(cx, scope, async (tx) => {
    const instance = await tx.lock('instance', row)
    refuseIf(rebootProblem(instance.run_state))
    if (instance.run_state !== 'running' || !instance.vmm_id) return instance
    await requestReboot(tx, instance.vmm_id)
    return moveTo(tx, instance, 'rebooting')
  })
}
