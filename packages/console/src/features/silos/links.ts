import type { LinkTarget } from '#/kit/links/link-target.ts'

export const siloTabs = [
  'idps',
  'users',
  'groups',
  'projects',
  'quotas',
  'ip-pools',
  'fleet-roles',
  'scim',
  'certificates',
  'activity',
] as const
type SiloTab = (typeof siloTabs)[number]

export const siloLink = (silo: string, tab: SiloTab = 'idps') =>
  ({ to: `/system/silos/$silo/${tab}` as const, params: { silo } }) satisfies LinkTarget

export const siloUserLink = (silo: string, user: string) =>
  ({ to: '/system/silos/$silo/users/$user', params: { silo, user } }) satisfies LinkTarget

export const samlProviderLink = (silo: string, provider: string) =>
  ({ to: '/system/silos/$silo/idps/saml/$provider', params: { silo, provider } }) satisfies LinkTarget
