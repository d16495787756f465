import type { LinkTarget } from '#/features/common/link-target.ts'

export const settingsLink = (settings: string) =>
  ({ to: '/system/networking/port-settings/$settings', params: { settings } }) satisfies LinkTarget
