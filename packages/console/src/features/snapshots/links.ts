import type { LinkTarget } from '#/kit/links/link-target.ts'

export const snapshotLink = (project: string, snapshot: string) =>
  ({ to: '/projects/$project/snapshots/$snapshot', params: { project, snapshot } }) satisfies LinkTarget
