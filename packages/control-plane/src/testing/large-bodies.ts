import { firewallLimits } from '@gantry/api/network/vpc-firewall.rules'

/** As many rules as a VPC may have, in little less than the largest body: each names several networks and ports. */
export const largeRules = Array.from({ length: firewallLimits.rules }, (_, rule) => ({
  name: `rule-${rule}`,
  description: '',
  status: 'enabled',
  direction: 'inbound',
  action: 'allow',
  priority: 100,
  targets: [{ type: 'vpc', value: 'default' }],
  filters: {
    hosts: Array.from({ length: 14 }, (_, host) => ({
      type: 'ip_net',
      value: `10.${host}.${rule % 250}.0/24`,
    })),
    ports: ['22', '80', '443', '8000-8100'],
    protocols: [{ type: 'tcp' }, { type: 'icmp', value: { icmp_type: 3, code: '1-4' } }],
  },
}))
const packet = { from: { type: 'internet' }, to: { type: 'internet' }, packet: { type: 'tcp', port: 443 } }
const ofVpc = 'project=playground&vpc=default'

/** The largest bodies that a member of a project can send, by what they ask for, as JSON text. */
export const largeBodies = {
  'a packet check': {
    method: 'POST',
    path: `/ext/v1/vpc-packet-checks?${ofVpc}`,
    body: JSON.stringify({ ...packet, rules: largeRules }),
    status: 200,
  },
  'a packet check whose last rule is wrong': {
    method: 'POST',
    path: `/ext/v1/vpc-packet-checks?${ofVpc}`,
    body: JSON.stringify({ ...packet, rules: [...largeRules.slice(1), { ...largeRules[0], priority: -1 }] }),
    status: 400,
  },
  'a firewall': {
    method: 'PUT',
    path: `/v1/vpc-firewall-rules?${ofVpc}`,
    body: JSON.stringify({ rules: largeRules }),
    status: 200,
  },
} as const
