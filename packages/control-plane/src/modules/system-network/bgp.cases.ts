import type { bgpOps } from '@gantry/api/rack-network/bgp'
import { named, network, next, plain } from '../../testing/case-values.ts'
import { type CasesOf, openly } from '../../testing/operation-case.ts'

const announceSet = { path: { announce_set: 'nobody' } }

export const bgpCases: CasesOf<typeof bgpOps> = {
  networkingBgpConfigList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => [`${network}/bgp`],
  },
  networkingBgpConfigCreate: {
    sent: { body: { ...named, asn: 64_512, bgp_announce_set_id: 'nobody' } },
    rule: openly('modify', 'fleet'),
    allowed: () => [`${network}/bgp`, { ...plain(), asn: 64_512 + next(), bgp_announce_set_id: 'announced' }],
  },
  networkingBgpConfigUpdate: {
    sent: { query: { name_or_id: 'nobody' }, body: { description: 'x', max_paths: 2 } },
    rule: openly('modify', 'fleet'),
    allowed: () => [`${network}/bgp?name_or_id=peering`, { max_paths: 2 }],
  },
  networkingBgpConfigDelete: {
    sent: { query: { name_or_id: 'nobody' } },
    rule: openly('modify', 'fleet'),
    allowed: () => [`${network}/bgp?name_or_id=peering`],
  },
  networkingBgpAnnounceSetList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => [`${network}/bgp-announce-set`],
  },
  networkingBgpAnnounceSetUpdate: {
    sent: { body: { ...named, announcement: [] } },
    rule: openly('modify', 'fleet'),
    allowed: () => [`${network}/bgp-announce-set`, { ...plain(), announcement: [] }],
  },
  networkingBgpAnnounceSetDelete: {
    sent: announceSet,
    rule: openly('modify', 'fleet'),
    allowed: () => [`${network}/bgp-announce-set/announced`],
  },
  networkingBgpAnnouncementList: {
    sent: announceSet,
    rule: openly('read', 'fleet'),
    allowed: () => [`${network}/bgp-announce-set/announced/announcement`],
  },
  networkingBgpStatus: { sent: {}, rule: openly('read', 'fleet'), allowed: () => [`${network}/bgp-status`] },
  networkingBgpExported: {
    sent: {},
    rule: openly('read', 'fleet'),
    allowed: () => [`${network}/bgp-exported`],
  },
  networkingBgpExportedList: {
    sent: {},
    rule: openly('read', 'fleet'),
    allowed: () => [`${network}/bgp-exported`],
  },
  networkingBgpImported: {
    sent: { query: { asn: '64512' } },
    rule: openly('read', 'fleet'),
    allowed: () => [`${network}/bgp-imported?asn=64512`],
  },
  networkingBgpMessageHistory: {
    sent: { query: { asn: '64512' } },
    rule: openly('read', 'fleet'),
    allowed: () => [`${network}/bgp-message-history?asn=64512`],
  },
  networkingBgpImportedRoutesIpv4: {
    sent: { query: { asn: '64512' } },
    rule: openly('read', 'fleet'),
    allowed: () => [`${network}/bgp-routes-ipv4?asn=64512`],
  },
}
