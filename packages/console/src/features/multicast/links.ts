import type { LinkTarget } from '#/kit/links/link-target.ts'

export const multicastGroupLink = (group: string) =>
  ({ to: '/multicast-groups/$group', params: { group } }) satisfies LinkTarget
