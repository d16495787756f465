// @chunk firewall-shared: of VPCs and of instances, and of no other details.
import { icmpTypes } from '@gantry/api/rack-network/icmp.rules'
import { sentenceCase } from '#/ui/data/format.ts'
import { type Host, type Protocol, type Rule, type RuleField } from './rule.ts'

export const actionWords = { allow: 'Allow', deny: 'Deny' } as const
export const directionWords = { inbound: 'Inbound', outbound: 'Outbound' } as const

/** The effect of an enabled rule without targets. */
export const targetless = 'Without a target, this rule applies to no instance and has no effect.'

export const hostWords: Record<Host['type'], string> = {
  vpc: 'VPC',
  subnet: 'Subnet',
  instance: 'Instance',
  ip: 'IP',
  ip_net: 'IP subnet',
}
export const hostText = ({ type, value }: Host): string => `${hostWords[type]} ${value}`

/** The ICMP type and codes, unless the rule matches all of ICMP. */
export function icmpDetail(protocol: Protocol): string | undefined {
  if (protocol.type !== 'icmp' || !protocol.value) return undefined
  const { icmpType, code } = protocol.value
  return code ? `type ${icmpType} | code ${code}` : `type ${icmpType}`
}

/** Short form, for tables. */
export const protocolText = (protocol: Protocol): string =>
  [protocol.type.toUpperCase(), icmpDetail(protocol)].filter(Boolean).join(' ')

/** Full form, with the name of the ICMP type. */
export function protocolName(protocol: Protocol): string {
  if (protocol.type !== 'icmp') return protocol.type.toUpperCase()
  if (!protocol.value) return 'ICMP (All types)'
  const { icmpType, code } = protocol.value
  const name = icmpTypes[icmpType]
  const type = name ? `${icmpType} - ${name}` : `Type ${icmpType}`
  return code ? `ICMP ${type} | Code ${code}` : `ICMP ${type}`
}

/** Field labels. */
export const fieldWords: Record<RuleField, string> = {
  status: 'Status',
  name: 'Name',
  description: 'Description',
  action: 'Action',
  direction: 'Direction of traffic',
  priority: 'Priority',
  targets: 'Targets',
  ports: 'Port filters',
  protocols: 'Protocol filters',
  hosts: 'Host filters',
}

/** One field of a rule as text; empty without a value. */
export function fieldText(rule: Rule, field: RuleField): string {
  switch (field) {
    case 'targets':
      return rule.targets.map(hostText).join(', ')
    case 'hosts':
      return (rule.filters.hosts ?? []).map(hostText).join(', ')
    case 'protocols':
      return (rule.filters.protocols ?? []).map(protocolName).join(', ')
    case 'ports':
      return (rule.filters.ports ?? []).join(', ')
    case 'priority':
      return String(rule.priority)
    case 'name':
    case 'description':
      return rule[field]
    case 'status':
    case 'action':
    case 'direction':
      return sentenceCase(rule[field])
    default:
      throw new Error(field satisfies never)
  }
}
