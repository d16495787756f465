import type { LinkTarget } from '#/kit/links/link-target.ts'

export const siloImageLink = (image: string) =>
  ({ to: '/images/$image/edit', params: { image } }) satisfies LinkTarget

export const projectImageLink = (project: string, image: string) =>
  ({ to: '/projects/$project/images/$image/edit', params: { project, image } }) satisfies LinkTarget
