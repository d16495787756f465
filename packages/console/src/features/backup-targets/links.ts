import type { LinkTarget } from '#/kit/links/link-target.ts'

export const targetLink = (target: string) =>
  ({ to: '/system/backup-targets/$target', params: { target } }) satisfies LinkTarget
export const editTargetLink = (target: string) =>
  ({ to: '/system/backup-targets/$target/edit', params: { target } }) satisfies LinkTarget
