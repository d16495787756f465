import { texts } from '#/features/common/use-list-page.ts'
import type { PacketSearch } from './packet-values.ts'

/** What the tab has in the URL: the instance whose rules are shown, and the packet that is asked about. */
export interface FirewallSearch extends PacketSearch {
  instance?: string | undefined
}

export const firewallSearch: (search: Record<string, unknown>) => FirewallSearch = texts(
  'instance',
  'from',
  'to',
  'packet',
)

/** Of the element around the cards that check rules, which takes the focus. */
export const panelsId = 'firewall-panels'
