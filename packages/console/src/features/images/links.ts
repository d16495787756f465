import type { LinkTarget } from '#/kit/links/link-target.ts'

export const siloImageLink = (image: string) =>
  ({ to: '/images/$image', params: { image } }) satisfies LinkTarget

export const projectImageLink = (project: string, image: string) =>
  ({ to: '/projects/$project/images/$image', params: { project, image } }) satisfies LinkTarget

/** The page of an image, of a project or of the silo, seen from a project. */
export const imageLinkFrom = (
  project: string,
  { name, projectId }: { name: string; projectId?: string | null },
) => (projectId ? projectImageLink(project, name) : siloImageLink(name))
