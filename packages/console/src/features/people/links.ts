import type { LinkTarget } from '#/kit/links/link-target.ts'

export const userLink = (user: string) => ({ to: '/users/$user', params: { user } }) satisfies LinkTarget

export const groupLink = (group: string) =>
  ({ to: '/users/groups/$group', params: { group } }) satisfies LinkTarget
