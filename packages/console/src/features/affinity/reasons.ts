// @chunk affinity-shared: every user of its operations needs this.
import { type AffinityFamily, affinityLimits } from '@gantry/api/compute/affinity.rules'
import { kindOf } from './words.tsx'

interface Identified {
  id: string
}

/** Items missing from the others. */
export function notIn<Item extends Identified>(
  items: readonly Item[],
  others: readonly Identified[],
): Item[] {
  const ids = new Set(others.map(({ id }) => id))
  return items.filter(({ id }) => !ids.has(id))
}

/** Why no instance can be added to a group. The project's instances may still be loading. */
export function whyNoMoreMembers(
  members: readonly Identified[],
  instances: readonly Identified[] | undefined,
): string | undefined {
  const max = affinityLimits.membersPerGroup
  if (members.length >= max) return `A group has at most ${max} members`
  if (!instances) return undefined
  if (instances.length === 0) return 'Create an instance in this project first'
  return notIn(instances, members).length === 0
    ? 'All instances in this project are already members'
    : undefined
}

/** Why an instance cannot join any group, for reasons that concern the groups. */
export function whyNoMoreGroups(
  family: AffinityFamily,
  joined: readonly Identified[],
  groups: readonly Identified[],
): string | undefined {
  const max = affinityLimits.groupsPerInstance
  if (groups.length === 0) return `Create an ${kindOf(family)} in this project first`
  if (notIn(groups, joined).length === 0) return 'The instance is already in every group in this project'
  return joined.length >= max ? `An instance can be in at most ${max} groups` : undefined
}
