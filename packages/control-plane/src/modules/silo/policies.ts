import type { FleetPolicy, RolePolicy } from '@gantry/api/people/policy'
import { fleetId } from '../../authz/actor.ts'
import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { allow, know, need, needFleet, type Selectors } from '../../lookup/need.ts'
import { readPolicy, replacePolicy } from '../../change/policies.ts'

const fleet = { resource_type: 'fleet', resource_id: fleetId } as const
const ofSilo = (id: string) => ({ resource_type: 'silo', resource_id: id }) as const

export async function viewFleetPolicy(cx: Cx): Promise<FleetPolicy> {
  needFleet(cx, 'read')
  return readPolicy(cx.db, fleet)
}

/**
 * Returns the order of every later view. Nothing stops a caller from removing their own role, or the last
 * one.
 */
export async function updateFleetPolicy(cx: Cx, { role_assignments }: FleetPolicy): Promise<FleetPolicy> {
  needFleet(cx, 'modify')
  return change(cx, { silo_id: null, project_id: null }, async (tx) => {
    await replacePolicy(tx, fleet, role_assignments)
    return readPolicy(tx.read, fleet)
  })
}

export async function viewSiloPolicy(cx: Cx, at: Selectors): Promise<RolePolicy> {
  const { row } = await need(cx, 'silo', at, 'read')
  return readPolicy(cx.db, ofSilo(row.id))
}

export async function updateSiloPolicy(
  cx: Cx,
  at: Selectors,
  { role_assignments }: RolePolicy,
): Promise<RolePolicy> {
  const silo = await know(cx, 'silo', at)
  allow(cx, silo, 'modify')
  const { id } = silo.row
  return change(cx, silo.scope, async (tx) => {
    await tx.hold('silo', id)
    await replacePolicy(tx, ofSilo(id), role_assignments)
    return readPolicy(tx.read, ofSilo(id))
  })
}
