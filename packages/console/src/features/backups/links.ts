import type { LinkTarget } from '#/kit/links/link-target.ts'

export const backupsLink = (project: string) =>
  ({ to: '/projects/$project/backups', params: { project } }) satisfies LinkTarget
/** Opens a panel over the list. */
export const backupLink = (project: string, backup: string) =>
  ({ to: '/projects/$project/backups/$backup', params: { project, backup } }) satisfies LinkTarget
