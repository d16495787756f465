import type { packetCheckOps } from '@gantry/api/network/packet-check'
import { atlas, inVpc, instance, ofVpc } from '../../testing/case-values.ts'
import { type CasesOf, readChild } from '../../testing/operation-case.ts'

export const packetCheckCases: CasesOf<typeof packetCheckOps> = {
  instanceFirewallRuleList: {
    sent: instance,
    rule: readChild,
    allowed: () => [`/ext/v1/instances/web/firewall-rules?${atlas}`],
  },
  vpcPacketCheck: {
    sent: {
      query: inVpc,
      body: {
        from: { type: 'internet' },
        to: { type: 'ip', value: '10.0.0.1' },
        packet: { type: 'tcp', port: 22 },
      },
    },
    rule: readChild,
    allowed: () => [
      `/ext/v1/vpc-packet-checks?${ofVpc}`,
      {
        from: { type: 'internet' },
        to: { type: 'instance', value: 'web' },
        packet: { type: 'icmp', icmp_type: 8 },
      },
    ],
  },
}
