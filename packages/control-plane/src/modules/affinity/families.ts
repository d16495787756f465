import type { AffinityFamily } from '@gantry/api/compute/affinity.rules'

/** The differences between the two families of groups; everything else is shared code. */
export interface Family {
  name: AffinityFamily
  groups: 'affinity_group' | 'anti_affinity_group'
  members: 'affinity_member' | 'anti_affinity_member'
  /** The word for a membership in messages and in the change stream. */
  membership: 'affinity-group-member' | 'anti-affinity-group-member'
}

export const affinity: Family = {
  name: 'affinity',
  groups: 'affinity_group',
  members: 'affinity_member',
  membership: 'affinity-group-member',
}

export const antiAffinity: Family = {
  name: 'anti-affinity',
  groups: 'anti_affinity_group',
  members: 'anti_affinity_member',
  membership: 'anti-affinity-group-member',
}
