import type { LinkTarget } from '#/kit/links/link-target.ts'

export const instanceSnapshotsLink = (project: string) =>
  ({ to: '/projects/$project/instance-snapshots', params: { project } }) satisfies LinkTarget
export const instanceSnapshotLink = (project: string, instanceSnapshot: string) =>
  ({
    to: '/projects/$project/instance-snapshots/$instanceSnapshot',
    params: { project, instanceSnapshot },
  }) satisfies LinkTarget
