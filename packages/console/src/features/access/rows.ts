import type { OutputOf } from '@gantry/api/client/client'
import { policyMaxAssignments, type RoleName, roleOrder } from '@gantry/api/base/roles.rules'
import type { Assignment, Identity } from './assignments.ts'
import type { PolicyOwner } from './policy-owner.ts'

/** A policy in effect on a page. */
export interface LevelPolicy {
  level: PolicyOwner['level']
  assignments: readonly Assignment[]
}

export interface AccessRow {
  id: string
  type: Identity['identityType']
  /** Empty if the user or group was deleted, or is not readable. */
  name: string
  /** The strongest first; among equal ones the wider. */
  roles: { level: PolicyOwner['level']; role: RoleName }[]
}

/** Users before groups, then by name. */
const byKindAndName = (a: AccessRow, b: AccessRow): number =>
  kindOrder.indexOf(a.type) - kindOrder.indexOf(b.type) ||
  a.name.localeCompare(b.name) ||
  a.id.localeCompare(b.id)
const kindOrder: readonly Identity['identityType'][] = ['silo_user', 'silo_group']

/** One row for each user or group with a role in any of the policies, the wider policy first. */
export function accessRows(
  policies: readonly LevelPolicy[],
  names: ReadonlyMap<string, string>,
): AccessRow[] {
  const rows = new Map<string, AccessRow>()
  for (const { level, assignments } of policies) {
    for (const { identityId: id, identityType: type, roleName: role } of assignments) {
      const row = rows.get(id) ?? { id, type, name: names.get(id) ?? '', roles: [] }
      row.roles.push({ level, role })
      rows.set(id, row)
    }
  }
  for (const row of rows.values())
    row.roles.sort((a, b) => roleOrder.indexOf(a.role) - roleOrder.indexOf(b.role))
  return [...rows.values()].sort(byKindAndName)
}

/** The name used in a sentence. */
export const nameInText = ({ name, id }: Pick<AccessRow, 'name' | 'id'>): string => name || id

interface Person {
  id: string
  displayName: string
}

/** Users and groups without a role in this policy. */
export function assignable(
  users: readonly Person[],
  groups: readonly Person[],
  assignments: readonly Assignment[],
): AccessRow[] {
  const assigned = new Set(assignments.map(({ identityId }) => identityId))
  const rowsOf = (people: readonly Person[], type: AccessRow['type']): AccessRow[] =>
    people
      .filter(({ id }) => !assigned.has(id))
      .map(({ id, displayName }) => ({ id, type, name: displayName, roles: [] }))
  return [...rowsOf(users, 'silo_user'), ...rowsOf(groups, 'silo_group')].sort(byKindAndName)
}

/** Why no user or group can be added: a policy has a length limit. */
export const whyNoMore = (assignments: readonly Assignment[]): string | undefined =>
  assignments.length < policyMaxAssignments
    ? undefined
    : `At most ${policyMaxAssignments} roles can be assigned here. Assign one to a group instead of to many users.`

/** Why a row has no role to change here. */
export const whyNotHere = ({ roles }: AccessRow, level: PolicyOwner['level']): string | undefined =>
  roles.some((one) => one.level === level)
    ? undefined
    : 'This role comes from the silo. Change it under Silo Access.'

type FleetAssignment = OutputOf<'fleetAccessView'>['assignments'][number]

/** Names by id of all members of the fleet's policy. Users of other silos carry their silo's name. */
export const namesAcross = (
  assignments: readonly Pick<FleetAssignment, 'identityId' | 'displayName' | 'silo'>[],
  ownSilo: string,
): ReadonlyMap<string, string> =>
  new Map(
    assignments.flatMap(({ identityId, displayName, silo }) => {
      if (displayName === null) return []
      const isElsewhere = silo !== null && silo.name !== ownSilo
      return [[identityId, isElsewhere ? `${displayName} (silo ${silo.name})` : displayName] as const]
    }),
  )
