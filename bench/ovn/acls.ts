import type { NetworkRule, VpcNetwork } from '../../packages/control-plane/src/fleet/networks.ts'
import { braces } from './matches.ts'

/** A rule of the firewall at the ports of interfaces, in the words of the database. */
export interface Acl {
  direction: 'from-lport' | 'to-lport'
  priority: number
  match: string
  action: 'allow-related' | 'drop'
}

/** The first rule has this priority, and each further one the next below it. */
const FIRST_RULE = 32_000

export function aclsOf({ subnets, interfaces, rules }: VpcNetwork): Acl[] {
  // No rule keeps a guest from its router.
  const toRouters = subnets.flatMap(({ id, gateway }): Acl[] => {
    const own = interfaces.filter(({ subnet_id }) => subnet_id === id)
    if (own.length === 0) return []
    const match = `${portsOf('inport', own)} && ip4.dst == ${gateway}`
    return [{ direction: 'from-lport', priority: FIRST_RULE + 1, match, action: 'allow-related' }]
  })
  return [
    ...toRouters,
    ...rules.flatMap((rule, index) => ruleAcls(rule, FIRST_RULE - index)),
    { direction: 'to-lport', priority: 0, match: portsOf('outport', interfaces), action: 'drop' },
    { direction: 'from-lport', priority: 0, match: portsOf('inport', interfaces), action: 'allow-related' },
  ]
}

function ruleAcls(rule: NetworkRule, priority: number): Acl[] {
  const isInbound = rule.direction === 'inbound'
  if (rule.interface_ids.length === 0 || rule.hosts?.length === 0) return []
  const where = portsOf(
    isInbound ? 'outport' : 'inport',
    rule.interface_ids.map((id) => ({ id })),
  )
  const hosts = rule.hosts ? [`ip4.${isInbound ? 'src' : 'dst'} == ${braces(rule.hosts)}`] : []
  return packetMatches(rule).map((packet) => ({
    direction: isInbound ? 'to-lport' : 'from-lport',
    priority,
    match: [where, ...hosts, ...packet].join(' && '),
    action: rule.action === 'allow' ? 'allow-related' : 'drop',
  }))
}

const portsOf = (field: string, interfaces: readonly { id: string }[]): string =>
  `${field} == ${braces(interfaces.map(({ id }) => `"${id}"`))} && ip4`

/** One match for each way in which a packet can fit. */
function packetMatches({ ports, protocols }: NetworkRule): string[][] {
  const withPorts = (type: string): string[] => {
    if (!ports) return [type]
    const ranges = ports.map(({ first, last }) => `(${type}.dst >= ${first} && ${type}.dst <= ${last})`)
    return [type, `(${ranges.join(' || ')})`]
  }
  if (ports?.length === 0) return []
  if (!protocols) return ports ? [withPorts('tcp'), withPorts('udp')] : [[]]
  return protocols.flatMap((protocol): string[][] => {
    if (protocol.type !== 'icmp') return [withPorts(protocol.type)]
    if (ports) return []
    const { icmp_type: type, codes } = protocol
    if (type === undefined) return [['icmp4']]
    return [
      [
        `icmp4.type == ${type}`,
        ...(codes ? [`icmp4.code >= ${codes.first}`, `icmp4.code <= ${codes.last}`] : []),
      ],
    ]
  })
}
