import { type Dated, Inexpressible, Untranslatable, variants } from '../dated.ts'

/**
 * Firewall rules got ICMPv6. A list of rules without some of them would be no truthful older form: a client that sends
 * it back would delete them.
 */
export const icmpv6: Dated = {
  version: 2026032400,
  types: {
    VpcFirewallRuleProtocol: {
      schema: (newer) => variants(newer, (one, type) => (type === 'icmp6' ? [] : [one])),
      down(newer) {
        if (newer['type'] === 'icmp6')
          throw new Untranslatable(
            400,
            'InvalidValue',
            'the firewall has rules for ICMPv6, which this version of the API does not have',
          )
        return newer
      },
      up(older) {
        if (older['type'] === 'icmp6')
          throw new Inexpressible(
            'this version of the API has no firewall rules for ICMPv6',
            'Name a newer version in the header `api-version`.',
          )
        return older
      },
    },
  },
}
