import type { LinkTarget } from '#/kit/links/link-target.ts'

type DiskTab = 'metrics' | 'activity'

/** Without a tab, the link leads to where the disk is used. */
export const diskLink = (project: string, disk: string, tab?: DiskTab) =>
  ({
    to: '/projects/$project/disks/$disk',
    params: { project, disk },
    ...(tab && { search: { tab } }),
  }) satisfies LinkTarget
