import type { LinkTarget } from '#/kit/links/link-target.ts'

const poolTabs = ['ranges', 'silos', 'addresses', 'activity'] as const
export type PoolTab = (typeof poolTabs)[number]

/** The page of a pool; its first tab needs no query. */
export const poolLink = (pool: string, tab: PoolTab = 'ranges') =>
  ({
    to: '/system/networking/ip-pools/$pool',
    params: { pool },
    ...(tab !== 'ranges' && { search: { tab } }),
  }) satisfies LinkTarget

/** The tab that a query names; the first one for unknown values. */
export const poolTabOf = (word: string | undefined): PoolTab =>
  poolTabs.find((tab) => tab === word) ?? 'ranges'
