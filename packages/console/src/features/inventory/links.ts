import type { LinkTarget } from '#/kit/links/link-target.ts'

export const sledLink = (sled: string) =>
  ({ to: '/system/inventory/sleds/$sled/instances', params: { sled } }) satisfies LinkTarget
export const sledActivityLink = (sled: string) =>
  ({ to: '/system/inventory/sleds/$sled/activity', params: { sled } }) satisfies LinkTarget
export const sledDisksLink = (sled: string) =>
  ({ to: '/system/inventory/sleds/$sled/disks', params: { sled } }) satisfies LinkTarget
