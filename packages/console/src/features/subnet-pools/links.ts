import type { LinkTarget } from '#/kit/links/link-target.ts'

const poolTabs = ['members', 'silos', 'activity'] as const
export type SubnetPoolTab = (typeof poolTabs)[number]

/** The page of a pool; its first tab needs no query. */
export const subnetPoolLink = (pool: string, tab: SubnetPoolTab = 'members') =>
  ({
    to: '/system/networking/subnet-pools/$pool',
    params: { pool },
    ...(tab !== 'members' && { search: { tab } }),
  }) satisfies LinkTarget

/** The tab that a query names; the first one for unknown values. */
export const subnetPoolTabOf = (word: string | undefined): SubnetPoolTab =>
  poolTabs.find((tab) => tab === word) ?? 'members'
