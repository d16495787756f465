import { icmpTypes, tidyIcmpCode } from '@gantry/api/icmp.rules'
import type { ComboboxOption } from '#/ui/combobox.ts'
import type { Protocol } from '../rule.ts'

export const protocolTypes: readonly { value: Protocol['type']; label: string }[] = [
  { value: 'tcp', label: 'TCP' },
  { value: 'udp', label: 'UDP' },
  { value: 'icmp', label: 'ICMP' },
]

/** No type matches any type, so selecting all leaves the box empty. */
export const icmpTypeOptions: readonly ComboboxOption[] = [
  { value: '', label: 'All types', selectedLabel: '' },
  ...Object.entries(icmpTypes).map(([type, name]) => ({
    value: type,
    label: `${type} - ${name}`,
    selectedLabel: type,
  })),
]

export function protocolFrom(type: Protocol['type'], icmpType: string, icmpCode: string): Protocol {
  if (type !== 'icmp') return { type }
  if (icmpType.trim() === '') return { type, value: null }
  const code = tidyIcmpCode(icmpCode)
  return { type, value: { icmpType: Number(icmpType), ...(code && { code }) } }
}

export const isSameProtocol = (one: Protocol, other: Protocol): boolean => keyOf(one) === keyOf(other)

export const keyOf = (protocol: Protocol): string =>
  protocol.type === 'icmp' && protocol.value
    ? `icmp ${protocol.value.icmpType} ${protocol.value.code ?? ''}`
    : protocol.type
