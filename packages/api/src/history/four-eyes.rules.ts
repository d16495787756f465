/** What a silo can demand a second person for, with the words of a sentence about it. */
export const fourEyesWords = {
  firewall: 'firewall rules',
  routing: 'routers and routes',
  roles: 'roles',
  quotas: 'quotas of silos',
  pools: 'IP pools',
  deletions: 'deletions and restores',
} as const
export type FourEyesKind = keyof typeof fourEyesWords
export const fourEyesKinds = Object.keys(fourEyesWords) as [FourEyesKind, ...FourEyesKind[]]
