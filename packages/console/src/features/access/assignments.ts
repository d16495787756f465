import type { OutputOf } from '@gantry/api/client/client'
import { type RoleName, strongestRole } from '@gantry/api/base/roles.rules'

export type Assignment = OutputOf<'policyView'>['roleAssignments'][number]
export type Identity = Pick<Assignment, 'identityId' | 'identityType'>

/** One change to a policy: the role to assign, or none to remove it. */
export interface Edit extends Identity {
  role: RoleName | undefined
  /** The role on screen when the user decided. */
  seen: RoleName | undefined
}

export const roleIn = (
  assignments: readonly Assignment[],
  { identityId }: Pick<Identity, 'identityId'>,
): RoleName | undefined =>
  strongestRole(assignments.filter((one) => one.identityId === identityId).map(({ roleName }) => roleName))

/** A role replaces any other of the same identity; all others stay unchanged. */
export function edited(
  assignments: readonly Assignment[],
  { identityId, identityType, role }: Omit<Edit, 'seen'>,
): Assignment[] {
  const others = assignments.filter((one) => one.identityId !== identityId)
  return role ? [...others, { identityId, identityType, roleName: role }] : others
}

/** Whether the change is already in effect, for example because another user made it. */
export function isDone(assignments: readonly Assignment[], { identityId, role }: Edit): boolean {
  const current = assignments.filter((one) => one.identityId === identityId)
  return role ? current.length === 1 && current[0]?.roleName === role : current.length === 0
}

/** Whether another user changed this identity's role since it was read. */
export const hasConcurrentChange = (assignments: readonly Assignment[], edit: Edit): boolean =>
  !isDone(assignments, edit) && roleIn(assignments, edit) !== edit.seen
