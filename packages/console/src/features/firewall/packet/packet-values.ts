import { icmpTypeProblem } from '@gantry/api/rack-network/icmp.rules'
import { ipProblem } from '@gantry/api/base/ip.rules'
import { isIcmp, protocolTypes } from '../form/subform-values.ts'
import type { InputOf } from '@gantry/api/client/client'

type Check = InputOf<'vpcPacketCheck'>['body']
type Endpoint = Check['from']
type Packet = Check['packet']
export type EndType = Endpoint['type']

/** The form's values for a packet check. */
export interface PacketValues {
  fromType: EndType
  from: string
  toType: EndType
  to: string
  protocol: Packet['type']
  port: string
  icmpType: string
  icmpCode: string
}

/** The type that a fresh check of the protocol has. */
export const echoRequest = { icmp: '8', icmp6: '128' } as const

export const noPacket: PacketValues = {
  fromType: 'internet',
  from: '',
  toType: 'instance',
  to: '',
  protocol: 'tcp',
  port: '',
  icmpType: echoRequest.icmp,
  icmpCode: '',
}

export type PacketProblems = Partial<Record<'from' | 'to' | 'port' | 'icmpType' | 'icmpCode', string>>

/** The problems by field. */
export function packetProblems(values: PacketValues): PacketProblems {
  const problems = {
    from: endProblem(values.fromType, values.from),
    to: endProblem(values.toType, values.to),
    ...(isIcmp(values.protocol)
      ? {
          icmpType: icmpTypeProblem(values.icmpType),
          icmpCode: values.icmpCode.trim() === '' || isByte(values.icmpCode) ? undefined : codeProblem,
        }
      : { port: isPort(values.port) ? undefined : 'Port must be a number between 1 and 65535' }),
  }
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined))
}

const codeProblem = 'ICMP code must be a number between 0 and 255'
const isByte = (text: string): boolean => icmpTypeProblem(text) === undefined
const isPort = (text: string): boolean =>
  /^[0-9]{1,5}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= 65_535

function endProblem(type: EndType, value: string): string | undefined {
  if (type === 'internet') return undefined
  if (type === 'instance') return value === '' ? 'Instance is required' : undefined
  return ipProblem(value.trim())
}

/** The API's input, for values without problems. */
export function questionOf(values: PacketValues): Omit<Check, 'rules'> {
  return {
    from: endOf(values.fromType, values.from),
    to: endOf(values.toType, values.to),
    packet: isIcmp(values.protocol)
      ? { type: values.protocol, icmpType: Number(values.icmpType), icmpCode: Number(values.icmpCode) }
      : { type: values.protocol, port: Number(values.port) },
  }
}

const endOf = (type: EndType, value: string): Endpoint =>
  type === 'internet' ? { type } : { type, value: value.trim() }

/** The check's search parameters, so that it can be bookmarked and shared. */
export interface PacketSearch {
  /** `internet`, `instance:web` or `ip:10.0.0.1`. */
  from?: string | undefined
  to?: string | undefined
  /** `tcp:443`, `udp:53`, `icmp:8`, `icmp:3:1` or `icmp6:128`. */
  packet?: string | undefined
}

export function packetSearch(values: PacketValues): Required<PacketSearch> {
  const { protocol, port, icmpType, icmpCode } = values
  const parts = isIcmp(protocol)
    ? [icmpType.trim(), ...(icmpCode.trim() ? [icmpCode.trim()] : [])]
    : [port.trim()]
  return {
    from: endWord(values.fromType, values.from),
    to: endWord(values.toType, values.to),
    packet: [protocol, ...parts].join(':'),
  }
}

/** Whether both are the same packet: fields that another protocol hides do not count. */
export const isSamePacket = (one: PacketValues, other: PacketValues): boolean =>
  JSON.stringify(packetSearch(one)) === JSON.stringify(packetSearch(other))

const endWord = (type: EndType, value: string): string =>
  type === 'internet' ? type : `${type}:${value.trim()}`

/** The values in the URL; undefined without a complete, valid check. */
export function packetValues({ from, to, packet }: PacketSearch): PacketValues | undefined {
  const [source, destination] = [readEnd(from), readEnd(to)]
  const [protocol, first = '', second = ''] = packet?.split(':') ?? []
  if (!source || !destination || !isProtocol(protocol)) return undefined
  const values: PacketValues = {
    fromType: source.type,
    from: source.value,
    toType: destination.type,
    to: destination.value,
    protocol,
    ...(isIcmp(protocol)
      ? { port: '', icmpType: first, icmpCode: second }
      : { port: first, icmpType: noPacket.icmpType, icmpCode: '' }),
  }
  return Object.keys(packetProblems(values)).length === 0 ? values : undefined
}

const isProtocol = (word: string | undefined): word is Packet['type'] =>
  protocolTypes.some(({ value }) => value === word)

function readEnd(word = ''): { type: EndType; value: string } | undefined {
  const [, type, value = ''] = /^(internet|instance|ip)(?::(.*))?$/.exec(word) ?? []
  return type === undefined ? undefined : { type: type as EndType, value }
}
