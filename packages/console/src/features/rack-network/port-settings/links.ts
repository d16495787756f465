import type { LinkTarget } from '#/kit/links/link-target.ts'

export const settingsLink = (settings: string) =>
  ({ to: '/system/networking/port-settings/$settings', params: { settings } }) satisfies LinkTarget
