import type { RolePolicy } from '@gantry/api/policy'
import { fleetId } from '../../authz/actor.ts'
import { change } from '../../kernel/change.ts'
import type { Cx } from '../../kernel/cx.ts'
import { readPolicy, replacePolicy } from '../../kernel/policies.ts'
import { needSilo } from './find.ts'

const fleet = { resource_type: 'fleet', resource_id: fleetId } as const
const ofSilo = (id: string) => ({ resource_type: 'silo', resource_id: id }) as const

export async function viewFleetPolicy(cx: Cx): Promise<RolePolicy> {
  cx.demand('read', { class: 'fleet' })
  return readPolicy(cx.db, fleet)
}

/** Answers in the order of every later view. Nobody is kept from taking away their own role, or the last one. */
export async function updateFleetPolicy(cx: Cx, { role_assignments }: RolePolicy): Promise<RolePolicy> {
  cx.demand('modify', { class: 'fleet' })
  return change(cx, { silo_id: null, project_id: null }, async (tx) => {
    await replacePolicy(tx, fleet, role_assignments)
    return readPolicy(tx.read, fleet)
  })
}

export async function viewSiloPolicy(cx: Cx, silo: string): Promise<RolePolicy> {
  const { id } = await needSilo(cx, silo, 'read')
  return readPolicy(cx.db, ofSilo(id))
}

export async function updateSiloPolicy(
  cx: Cx,
  silo: string,
  { role_assignments }: RolePolicy,
): Promise<RolePolicy> {
  const { id } = await needSilo(cx, silo, 'modify')
  return change(cx, { silo_id: id, project_id: null }, async (tx) => {
    await tx.hold('silo', id)
    await replacePolicy(tx, ofSilo(id), role_assignments)
    return readPolicy(tx.read, ofSilo(id))
  })
}
