import { icmp6Types, icmpTypes, tidyIcmpCode } from '@gantry/api/rack-network/icmp.rules'
import {
  formatIp,
  formatIpNet,
  ipNetProblem,
  ipProblem,
  parseIp,
  parseIpNet,
} from '@gantry/api/base/ip.rules'
import { nameFieldProblem } from '@gantry/api/base/name.rules'
import type { ComboboxOption } from '#/ui/inputs/combobox.ts'
import type { Host, Protocol } from '../rule.ts'

export type HostType = Host['type']

export const hostTypes: readonly { value: HostType; label: string; valueLabel: string }[] = [
  { value: 'vpc', label: 'VPC', valueLabel: 'VPC name' },
  { value: 'subnet', label: 'VPC subnet', valueLabel: 'Subnet name' },
  { value: 'instance', label: 'Instance', valueLabel: 'Instance name' },
  { value: 'ip', label: 'IP', valueLabel: 'IP address' },
  { value: 'ip_net', label: 'IP subnet', valueLabel: 'IP network' },
]

/** The problem with a target or host. `noun` is the field's word for a name. */
export function hostProblem(type: HostType, value: string, noun: string): string | undefined {
  const text = value.trim()
  if (type === 'ip') return ipProblem(text)
  return type === 'ip_net' ? ipNetProblem(text) : nameFieldProblem(text, noun)
}

/** In canonical form, so that a duplicate address is found. */
export function hostOf(type: HostType, value: string): Host {
  const text = value.trim()
  const ip = type === 'ip' ? parseIp(text) : undefined
  const net = type === 'ip_net' ? parseIpNet(text) : undefined
  return { type, value: ip ? formatIp(ip) : net ? formatIpNet(net) : text }
}

export const isSameHost = (one: Host, other: Host): boolean =>
  one.type === other.type && one.value === other.value

export const protocolTypes: readonly { value: Protocol['type']; label: string }[] = [
  { value: 'tcp', label: 'TCP' },
  { value: 'udp', label: 'UDP' },
  { value: 'icmp', label: 'ICMP' },
  { value: 'icmp6', label: 'ICMPv6' },
]

export const isIcmp = (type: string | undefined): type is 'icmp' | 'icmp6' =>
  type === 'icmp' || type === 'icmp6'

/** No type matches any type, so selecting all leaves the box empty. */
const optionsOf = (types: Readonly<Record<number, string>>): readonly ComboboxOption[] => [
  { value: '', label: 'All types', selectedLabel: '' },
  ...Object.entries(types).map(([type, name]) => ({
    value: type,
    label: `${type} - ${name}`,
    selectedLabel: type,
  })),
]
export const icmpTypeOptions = { icmp: optionsOf(icmpTypes), icmp6: optionsOf(icmp6Types) }

export function protocolFrom(type: Protocol['type'], icmpType: string, icmpCode: string): Protocol {
  if (!isIcmp(type)) return { type }
  if (icmpType.trim() === '') return { type, value: null }
  const code = tidyIcmpCode(icmpCode)
  return { type, value: { icmpType: Number(icmpType), ...(code && { code }) } }
}

export const isSameProtocol = (one: Protocol, other: Protocol): boolean => keyOf(one) === keyOf(other)

export const keyOf = (protocol: Protocol): string =>
  'value' in protocol && protocol.value
    ? `${protocol.type} ${protocol.value.icmpType} ${protocol.value.code ?? ''}`
    : protocol.type
