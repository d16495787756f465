import { instanceAllows, instanceLimits } from '@gantry/api/compute/instance.rules'
import type { InterfaceCreate, InterfaceUpdate } from '@gantry/api/network/network-interface'
import { transitIpsProblem } from '@gantry/api/network/network-interface.rules'
import { allows } from '@gantry/api/base/state.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import { type Change, change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { liveRows } from '@gantry/control-plane/change/children'
import { need, type Selectors } from '@gantry/control-plane/lookup/need'
import { alreadyExists, invalid, type Refusal, refuseIf } from '@gantry/control-plane/context/refusal'
import { versionNames, versionOf } from '../addresses/external-ips.ts'
import {
  insertInterface,
  instanceIdOf,
  interfacesOf,
  lockSubnet,
  noteInterfaces,
  removeInterface,
  sameSubnet,
} from './interfaces.ts'

type Instance = Row<'instance'>
type Interface = Row<'network_interface'>

/** Names of VPC and subnet refer to the instance's project; the first interface is primary (B 14.2). */
export async function createInterface(cx: Cx, at: Selectors, body: InterfaceCreate): Promise<Interface> {
  const { row, scope } = await need(cx, 'instance', at, 'create_child')
  return change(cx, scope, async (tx) => {
    const instance = await tx.lock('instance', row)
    const subnet = await lockSubnet(tx, { id: row.project_id }, body)
    refuseIf(stateProblem(instance, 'attachNetworkInterface', 'stopped to attach a new network interface'))
    const others = await interfacesOf(tx, instance.id)
    refuseIf(createProblem(others, subnet, body.name))
    const slot = { subnet, slot: lowestFreeSlot(others), is_primary: others.length === 0 }
    const made = await insertInterface(tx, { instance_id: instance.id, probe_id: null }, slot, body)
    await noteInterfaces(tx, instance.id)
    return made
  })
}

function createProblem(
  others: readonly Interface[],
  subnet: Row<'vpc_subnet'>,
  name: string,
): Refusal | undefined {
  if (others.some((other) => other.name === name)) return alreadyExists('instance-network-interface', name)
  if (others.some((other) => other.vpc_id !== subnet.vpc_id))
    return invalid(
      'Networking may not span multiple VPCs, but the requested resource is associated with another VPC',
      'Choose a subnet in the VPC of the other interfaces.',
    )
  if (others.some((other) => other.subnet_id === subnet.id)) return sameSubnet
  const limit = instanceLimits.networkInterfaces
  return others.length >= limit
    ? invalid(
        `May not attach more than ${limit} network interfaces`,
        'Delete an unused one, then add this one.',
      )
    : undefined
}

function lowestFreeSlot(others: readonly Interface[]): number {
  const taken = new Set(others.map((other) => other.slot))
  let slot = 0
  while (taken.has(slot)) slot++
  return slot
}

/**
 * Transit networks are replaced, so an absent list empties them. A primary interface is never demoted
 * directly: another one is made primary instead (control plane reference, B 14.3).
 */
export async function updateInterface(cx: Cx, at: Selectors, body: InterfaceUpdate): Promise<Interface> {
  const { row, scope } = await need(cx, 'network_interface', at, 'modify')
  return change(cx, scope, async (tx) => {
    const instance = await tx.lockById('instance', instanceIdOf(row))
    const one = await tx.lock('network_interface', row)
    refuseIf(stateProblem(instance, 'updateNetworkInterface', 'stopped to update its network interfaces'))
    const problem = transitIpsProblem(body.transit_ips)
    if (problem)
      throw invalid(problem, 'Use whole networks that do not overlap and are neither multicast nor loopback.')
    const promoted = body.primary && !one.is_primary
    if (promoted) {
      refuseIf(await promotionProblem(tx, one))
      await demotePrimary(tx, instance)
    }
    return tx.update('network_interface', one, {
      name: body.name ?? one.name,
      description: body.description ?? one.description,
      is_primary: one.is_primary || promoted,
      transit_ips: JSON.stringify(body.transit_ips),
    })
  })
}

/**
 * External addresses reach the instance by the primary interface's address of their version. The shared one of outgoing
 * connections, which no user can detach, keeps none from being promoted.
 */
async function promotionProblem(
  tx: Change,
  { ip, ipv6, instance_id }: Interface,
): Promise<Refusal | undefined> {
  if (ip !== null && ipv6 !== null) return undefined
  const version = ip === null ? 'v4' : 'v6'
  const addresses = await liveRows(tx, 'external_ip', 'instance_id', instance_id ?? '')
  if (!addresses.some((one) => one.kind !== 'snat' && versionOf(one) === version)) return undefined
  const name = versionNames[version]
  return invalid(
    `the instance has external ${name} addresses, and the network interface has no private ${name} address`,
    `Detach the external addresses first, or make an interface with an ${name} address the primary one.`,
  )
}

async function demotePrimary(tx: Change, instance: Instance): Promise<void> {
  for (const other of await interfacesOf(tx, instance.id))
    if (other.is_primary) await tx.update('network_interface', other, { is_primary: false })
}

export async function deleteInterface(cx: Cx, at: Selectors): Promise<void> {
  const { row, scope } = await need(cx, 'network_interface', at, 'modify')
  await change(cx, scope, async (tx) => {
    const instance = await tx.lockById('instance', instanceIdOf(row))
    const one = await tx.lock('network_interface', row)
    refuseIf(
      stateProblem(instance, 'detachNetworkInterface', 'stopped or failed to detach a network interface'),
    )
    const others = await interfacesOf(tx, instance.id)
    if (one.is_primary && others.length > 1)
      throw invalid(
        'The primary interface may not be deleted while secondary interfaces are still attached',
        'Make another interface the primary one, or delete the others first.',
      )
    await removeInterface(tx, one)
    await noteInterfaces(tx, instance.id)
  })
}

const stateProblem = (
  { run_state }: Instance,
  action: 'attachNetworkInterface' | 'updateNetworkInterface' | 'detachNetworkInterface',
  must: string,
): Refusal | undefined =>
  allows(instanceAllows, action, run_state)
    ? undefined
    : invalid(`Instance must be ${must}`, 'Stop the instance first.')
