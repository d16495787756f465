// @chunk firewall-shared: of VPCs and of instances, and of no other details.
import { icmp6Types, icmpTypes } from '@gantry/api/rack-network/icmp.rules'
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

const protocolWords: Record<Protocol['type'], string> = {
  tcp: 'TCP',
  udp: 'UDP',
  icmp: 'ICMP',
  icmp6: 'ICMPv6',
}
export const protocolWord = ({ type }: Pick<Protocol, 'type'>): string => protocolWords[type]

const typeNames = { icmp: icmpTypes, icmp6: icmp6Types }

/** The ICMP type and codes, unless the rule matches all of ICMP. */
export function icmpDetail(protocol: Protocol): string | undefined {
  if (!('value' in protocol) || !protocol.value) return undefined
  const { icmpType, code } = protocol.value
  return code ? `type ${icmpType} | code ${code}` : `type ${icmpType}`
}

/** Short form, for tables. */
export const protocolText = (protocol: Protocol): string =>
  [protocolWord(protocol), icmpDetail(protocol)].filter(Boolean).join(' ')

/** Full form, with the name of the ICMP type. */
export function protocolName(protocol: Protocol): string {
  const word = protocolWord(protocol)
  if (!('value' in protocol)) return word
  if (!protocol.value) return `${word} (All types)`
  const { icmpType, code } = protocol.value
  const name = typeNames[protocol.type][icmpType]
  const type = name ? `${icmpType} - ${name}` : `Type ${icmpType}`
  return code ? `${word} ${type} | Code ${code}` : `${word} ${type}`
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
