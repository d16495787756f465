import { activityKeys, type ActivitySearch } from '#/features/activity/search.ts'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { texts } from '#/kit/list/use-list-page.ts'

const receiverTabs = ['deliveries', 'subscriptions', 'secrets', 'activity'] as const
export type ReceiverTab = (typeof receiverTabs)[number]

/** The URL's search parameters for a receiver's page. */
export interface ReceiverSearch extends ActivitySearch {
  tab?: string | undefined
  /** Only deliveries in this state. */
  state?: string | undefined
  /** The open delivery. */
  delivery?: string | undefined
}

export const receiverSearch: (search: Record<string, unknown>) => ReceiverSearch = texts(
  'tab',
  'state',
  'delivery',
  ...activityKeys,
)

/** The page of a receiver; its first tab needs no query. */
export const receiverLink = (receiver: string, tab: ReceiverTab = 'deliveries') =>
  ({
    to: '/system/alerts/$receiver',
    params: { receiver },
    ...(tab !== 'deliveries' && { search: { tab } }),
  }) satisfies LinkTarget

/** The tab that a query names; the first one for unknown values. */
export const receiverTabOf = (word: string | undefined): ReceiverTab =>
  receiverTabs.find((tab) => tab === word) ?? 'deliveries'
