import type { LinkTarget } from '#/features/common/link-target.ts'

export const affinityGroupLink = (project: string, group: string) =>
  ({ to: '/projects/$project/affinity/$group', params: { project, group } }) satisfies LinkTarget
