/** The two families of groups: members share a sled, or are separated. */
export const affinityFamilies = ['affinity', 'anti-affinity'] as const
export type AffinityFamily = (typeof affinityFamilies)[number]

export const affinityLimits = {
  membersPerGroup: 32,
  /** Per family. */
  groupsPerInstance: 16,
} as const

/** Why an instance cannot join a group, in the API's words (control plane reference, B 5.3). */
export const joinProblems = {
  groupFull: (family: AffinityFamily): string =>
    `${family === 'affinity' ? 'Affinity' : 'Anti-affinity'} group already has maximum allowed members (${affinityLimits.membersPerGroup})`,
  tooManyGroups: (family: AffinityFamily): string =>
    `Instance already belongs to maximum allowed ${family} groups (${affinityLimits.groupsPerInstance})`,
  hasReservation: (family: AffinityFamily): string =>
    `Instance cannot be added to ${family} group with reservation`,
} as const
