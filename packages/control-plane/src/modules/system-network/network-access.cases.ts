import type { networkAccessOps } from '@gantry/api/rack-network/network-access'
import { network } from '../../testing/case-values.ts'
import { type CasesOf, openly } from '../../testing/operation-case.ts'

export const networkAccessCases: CasesOf<typeof networkAccessOps> = {
  networkingAllowListView: {
    sent: {},
    rule: openly('read', 'fleet'),
    allowed: () => [`${network}/allow-list`],
  },
  networkingAllowListUpdate: {
    sent: { body: { allowed_ips: { allow: 'any' } } },
    rule: openly('modify', 'fleet'),
    allowed: () => [`${network}/allow-list`, { allowed_ips: { allow: 'any' } }],
  },
  networkingInboundIcmpView: {
    sent: {},
    rule: openly('read', 'fleet'),
    allowed: () => [`${network}/inbound-icmp`],
  },
  networkingInboundIcmpUpdate: {
    sent: { body: { enabled: true } },
    rule: openly('modify', 'fleet'),
    allowed: () => [`${network}/inbound-icmp`, { enabled: true }],
  },
}
