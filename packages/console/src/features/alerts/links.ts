import type { LinkTarget } from '#/features/common/link-target.ts'
import { texts } from '#/features/common/use-list-page.ts'

const receiverTabs = ['deliveries', 'subscriptions', 'secrets'] as const
export type ReceiverTab = (typeof receiverTabs)[number]

/** What the URL asks of a receiver's page. */
export interface ReceiverSearch {
  page?: string | undefined
  tab?: string | undefined
  /** Deliveries in this state only. */
  state?: string | undefined
  /** The delivery that is open. */
  delivery?: string | undefined
}

export const receiverSearch: (search: Record<string, unknown>) => ReceiverSearch = texts(
  'page',
  'tab',
  'state',
  'delivery',
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
