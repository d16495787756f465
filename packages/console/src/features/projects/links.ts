import type { LinkTarget } from '#/kit/links/link-target.ts'

export const projectLink = (project: string) =>
  ({ to: '/projects/$project/instances', params: { project } }) satisfies LinkTarget
