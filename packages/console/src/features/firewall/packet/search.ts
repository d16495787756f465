import { texts } from '#/kit/list/use-list-page.ts'
import type { PacketSearch } from './packet-values.ts'

/** The tab's search parameters: the instance whose rules are on screen, and the packet to check. */
export interface FirewallSearch extends PacketSearch {
  instance?: string | undefined
}

export const firewallSearch: (search: Record<string, unknown>) => FirewallSearch = texts(
  'instance',
  'from',
  'to',
  'packet',
)

/** Id of the element around the cards that evaluate rules, which takes the focus. */
export const panelsId = 'firewall-panels'
