import type { OutputOf } from '@gantry/api/client/client'
import { type RoleName, strongestRole } from '@gantry/api/roles.rules'

export type Assignment = OutputOf<'policyView'>['roleAssignments'][number]
export type Identity = Pick<Assignment, 'identityId' | 'identityType'>

/** One change of a policy: the role that somebody is given, or none, which takes theirs away. */
export interface Edit extends Identity {
  role: RoleName | undefined
  /** The role that was shown to whoever decided this. */
  seen: RoleName | undefined
}

export const roleIn = (
  assignments: readonly Assignment[],
  { identityId }: Pick<Identity, 'identityId'>,
): RoleName | undefined =>
  strongestRole(assignments.filter((one) => one.identityId === identityId).map(({ roleName }) => roleName))

/** A role replaces any other of the same identity; everybody else's stays as it is. */
export function edited(
  assignments: readonly Assignment[],
  { identityId, identityType, role }: Omit<Edit, 'seen'>,
): Assignment[] {
  const others = assignments.filter((one) => one.identityId !== identityId)
  return role ? [...others, { identityId, identityType, roleName: role }] : others
}

/** Whether it is so already, for example because somebody else did the same. */
export function isDone(assignments: readonly Assignment[], { identityId, role }: Edit): boolean {
  const held = assignments.filter((one) => one.identityId === identityId)
  return role ? held.length === 1 && held[0]?.roleName === role : held.length === 0
}

/** Whether somebody else gave this very identity another role since it was looked at. */
export const isOvertaken = (assignments: readonly Assignment[], edit: Edit): boolean =>
  !isDone(assignments, edit) && roleIn(assignments, edit) !== edit.seen
