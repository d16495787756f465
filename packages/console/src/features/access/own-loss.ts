import { roleCovers, type RoleName, strongestRole } from '@gantry/api/base/roles.rules'
import { spoken } from '@gantry/api/base/state.rules'
import { type Edit, edited } from './assignments.ts'
import { type PolicyOwner, ownerName } from './policy-owner.ts'
import type { LevelPolicy } from './rows.ts'

/** The strongest role of the signed-in user, directly or through a group. */
const roleOf = (mine: ReadonlySet<string>, policies: readonly LevelPolicy[]): RoleName | undefined =>
  strongestRole(
    policies.flatMap(({ assignments }) =>
      assignments.filter(({ identityId }) => mine.has(identityId)).map(({ roleName }) => roleName),
    ),
  )

/** The role that the signed-in user would be left with, if weaker than before. */
export function ownLoss(
  mine: ReadonlySet<string>,
  policies: readonly LevelPolicy[],
  level: PolicyOwner['level'],
  edit: Omit<Edit, 'seen'>,
): { left: RoleName | undefined } | undefined {
  const before = roleOf(mine, policies)
  const left = roleOf(
    mine,
    policies.map((policy): LevelPolicy =>
      policy.level === level ? { level, assignments: edited(policy.assignments, edit) } : policy,
    ),
  )
  return before === undefined || roleCovers(left, before) ? undefined : { left }
}

/** The warning shown then. */
export const lossWords = (owner: Pick<PolicyOwner, 'level' | 'name'>, left: RoleName | undefined): string =>
  left
    ? `This reduces your own role to ${spoken(left)} on ${ownerName(owner)}.`
    : `This removes your own role on ${ownerName(owner)}.`
