import type { LinkTarget } from '#/features/common/link-target.ts'

export const projectLink = (project: string) =>
  ({ to: '/projects/$project/instances', params: { project } }) satisfies LinkTarget
