import type { FloatingIpCreate, FloatingIpUpdate } from '@gantry/api/network/floating-ip'
import { isUuid } from '@gantry/api/base/name.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { need, type Selectors } from '@gantry/control-plane/lookup/need'
import { invalid, refuseIf } from '@gantry/control-plane/context/refusal'
import { lostRace } from '@gantry/control-plane/change/retry'
import { recycle } from '../../recycle-bin/recycle.ts'
import {
  allocateFloating,
  attachProblem,
  needExternal,
  primaryOf,
  primaryProblem,
  versionOf,
} from './external-ips.ts'
import { release } from './free-address.ts'
import { roomProblem, stateProblem } from './instance-ips.ts'

type ExternalIp = Row<'external_ip'>

export async function createFloatingIp(cx: Cx, at: Selectors, body: FloatingIpCreate): Promise<ExternalIp> {
  const { row: project, scope } = await need(cx, 'project', at, 'create_child')
  return change(cx, scope, async (tx) => {
    await tx.hold('project', project.id)
    return allocateFloating(tx, project, body)
  })
}

export async function updateFloatingIp(cx: Cx, at: Selectors, body: FloatingIpUpdate): Promise<ExternalIp> {
  const { row, scope } = await need(cx, 'external_ip', at, 'modify')
  return change(cx, scope, async (tx) => {
    const floating = await tx.lock('external_ip', row)
    return tx.update('external_ip', floating, {
      name: body.name ?? floating.name,
      description: body.description ?? floating.description,
    })
  })
}

export async function deleteFloatingIp(cx: Cx, at: Selectors): Promise<void> {
  const { row, scope } = await need(cx, 'external_ip', at, 'modify')
  await change(cx, scope, async (tx) => {
    const floating = await tx.lockToDelete('external_ip', row)
    if (floating.instance_id !== null)
      throw invalid('Floating IP cannot be deleted while attached to an instance', 'Detach it first.')
    await tx.remove('external_ip', floating)
    const isKept = await recycle(tx, {
      kind: 'floating-ip',
      row: floating,
      silo_id: scope.silo_id,
      project_id: scope.project_id,
      address: floating,
    })
    if (!isKept) await release(tx, floating)
  })
}

/** A name refers to the address's project; an id elsewhere is refused. */
export async function attachFloatingIp(cx: Cx, at: Selectors, parent: string): Promise<ExternalIp> {
  const found = await need(cx, 'external_ip', at, 'modify')
  const instanceAt = isUuid(parent)
    ? { instance: parent }
    : { instance: parent, project: found.row.project_id }
  const { row } = await need(cx, 'instance', instanceAt, 'modify')
  needExternal({ cx })
  return change(cx, found.scope, async (tx) => {
    const instance = await tx.lock('instance', row)
    const floating = await tx.lock('external_ip', found.row)
    needExternal(tx, floating)
    refuseIf(attachProblem(instance, floating))
    if (floating.instance_id === instance.id) return floating
    refuseIf(stateProblem(instance, 'attach', 'floating'))
    refuseIf(await roomProblem(tx, instance))
    const wanted = { kind: 'floating', instance_id: instance.id } as const
    refuseIf(primaryProblem(await primaryOf(tx, instance.id), wanted, versionOf(floating)))
    return tx.update('external_ip', floating, { instance_id: instance.id })
  })
}

export async function detachFloatingIp(cx: Cx, at: Selectors): Promise<ExternalIp> {
  const { row, scope } = await need(cx, 'external_ip', at, 'modify')
  return change(cx, scope, async (tx) => {
    const seen = await tx.read
      .selectFrom('external_ip')
      .select('instance_id')
      .where('id', '=', row.id)
      .executeTakeFirst()
    const instance = seen?.instance_id ? await tx.lockById('instance', seen.instance_id) : undefined
    const floating = await tx.lock('external_ip', row)
    // The instance is locked before its address; if the address was attached elsewhere meanwhile, start over.
    if (floating.instance_id !== (instance?.id ?? null)) throw lostRace('a floating IP')
    if (!instance) return floating
    refuseIf(stateProblem(instance, 'detach', 'floating'))
    return tx.update('external_ip', floating, { instance_id: null })
  })
}
