import { isIpv4 } from '../../packages/api/src/base/ip.rules.ts'

/** Ethernet frames as bytes, of ARP and IPv4, as far as the tests send and read them. */
export interface Frame {
  from: string
  to: string
  arp?: Arp
  ip?: Ip
}
interface Arp {
  isReply: boolean
  sender: { mac: string; ip: string }
  target: { mac: string; ip: string }
}
export interface Ip {
  source: string
  destination: string
  /** Stays the same on the way of a packet. */
  id: number
  content: Content
}
export type Content =
  | { type: 'tcp'; source: number; destination: number; flags: number }
  | { type: 'udp'; source: number; destination: number; data: Buffer }
  | { type: 'icmp'; icmp_type: number; icmp_code: number; id: number }
  | { type: 'other'; protocol: number }

export const broadcast = 'ff:ff:ff:ff:ff:ff'
export const nobody = '00:00:00:00:00:00'
export const tcpFlags = { syn: 2, rst: 4, ack: 16 } as const

const protocols = { icmp: 1, tcp: 6, udp: 17 } as const

export function encode({ from, to, arp, ip }: Frame): Buffer {
  const head = Buffer.concat([macBytes(to), macBytes(from)])
  if (arp) return Buffer.concat([head, Buffer.from([8, 6]), encodeArp(arp)])
  return Buffer.concat([head, Buffer.from([8, 0]), ip ? encodeIp(ip) : Buffer.alloc(0)])
}

function encodeArp({ isReply, sender, target }: Arp): Buffer {
  return Buffer.concat([
    Buffer.from([0, 1, 8, 0, 6, 4, 0, isReply ? 2 : 1]),
    macBytes(sender.mac),
    ipBytes(sender.ip),
    macBytes(target.mac),
    ipBytes(target.ip),
  ])
}

function encodeIp({ source, destination, id, content }: Ip): Buffer {
  const ends = Buffer.concat([ipBytes(source), ipBytes(destination)])
  const payload = encodeContent(content, ends)
  const head = Buffer.alloc(12)
  head[0] = 0x45
  head.writeUInt16BE(20 + payload.length, 2)
  head.writeUInt16BE(id, 4)
  head[8] = 64
  head[9] = content.type === 'other' ? content.protocol : protocols[content.type]
  head.writeUInt16BE(checksum(Buffer.concat([head, ends])), 10)
  return Buffer.concat([head, ends, payload])
}

function encodeContent(content: Content, ends: Buffer): Buffer {
  switch (content.type) {
    case 'tcp': {
      const segment = Buffer.alloc(20)
      segment.writeUInt16BE(content.source, 0)
      segment.writeUInt16BE(content.destination, 2)
      segment.writeUInt32BE(1_000_000, 4)
      segment[12] = 0x50
      segment[13] = content.flags
      segment.writeUInt16BE(64_240, 14)
      segment.writeUInt16BE(transportChecksum(ends, protocols.tcp, segment), 16)
      return segment
    }
    case 'udp': {
      const head = Buffer.alloc(8)
      head.writeUInt16BE(content.source, 0)
      head.writeUInt16BE(content.destination, 2)
      const datagram = Buffer.concat([head, content.data])
      datagram.writeUInt16BE(datagram.length, 4)
      datagram.writeUInt16BE(transportChecksum(ends, protocols.udp, datagram) || 0xffff, 6)
      return datagram
    }
    case 'icmp': {
      const message = Buffer.alloc(16)
      message[0] = content.icmp_type
      message[1] = content.icmp_code
      message.writeUInt16BE(content.id, 4)
      message.writeUInt16BE(1, 6)
      message.writeUInt16BE(checksum(message), 2)
      return message
    }
    case 'other':
      return Buffer.alloc(8)
    default:
      throw new Error(content satisfies never)
  }
}

function transportChecksum(ends: Buffer, protocol: number, segment: Buffer): number {
  const pseudo = Buffer.from([0, protocol, segment.length >> 8, segment.length & 0xff])
  return checksum(Buffer.concat([ends, pseudo, segment]))
}

function checksum(bytes: Buffer): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 2) sum += (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return ~sum & 0xffff
}

/** Undefined for anything but ARP and IPv4. */
export function decode(bytes: Buffer): Frame | undefined {
  const [to, from] = [macAt(bytes, 0), macAt(bytes, 6)]
  const type = bytes.readUInt16BE(12)
  if (type === 0x0806)
    return {
      from,
      to,
      arp: {
        isReply: bytes[21] === 2,
        sender: { mac: macAt(bytes, 22), ip: ipAt(bytes, 28) },
        target: { mac: macAt(bytes, 32), ip: ipAt(bytes, 38) },
      },
    }
  return type === 0x0800 ? { from, to, ip: decodeIp(bytes.subarray(14)) } : undefined
}

function decodeIp(bytes: Buffer): Ip {
  const content = bytes.subarray(((bytes[0] ?? 0) & 15) * 4, bytes.readUInt16BE(2))
  return {
    source: ipAt(bytes, 12),
    destination: ipAt(bytes, 16),
    id: bytes.readUInt16BE(4),
    content: decodeContent(bytes[9] ?? 0, content),
  }
}

function decodeContent(protocol: number, bytes: Buffer): Content {
  switch (protocol) {
    case protocols.tcp:
      return {
        type: 'tcp',
        source: bytes.readUInt16BE(0),
        destination: bytes.readUInt16BE(2),
        flags: bytes[13] ?? 0,
      }
    case protocols.udp:
      return {
        type: 'udp',
        source: bytes.readUInt16BE(0),
        destination: bytes.readUInt16BE(2),
        data: Buffer.from(bytes.subarray(8)),
      }
    case protocols.icmp:
      return { type: 'icmp', icmp_type: bytes[0] ?? 0, icmp_code: bytes[1] ?? 0, id: bytes.readUInt16BE(4) }
    default:
      return { type: 'other', protocol }
  }
}

function macBytes(mac: string): Buffer {
  return Buffer.from(mac.replaceAll(':', ''), 'hex')
}
export function ipBytes(ip: string): Buffer {
  if (!isIpv4(ip)) throw new Error(`${ip} is not an IPv4 address`)
  return Buffer.from(ip.split('.').map(Number))
}
const macAt = (bytes: Buffer, at: number): string =>
  (
    bytes
      .subarray(at, at + 6)
      .toString('hex')
      .match(/../g) ?? []
  ).join(':')
export const ipAt = (bytes: Buffer, at: number): string => [...bytes.subarray(at, at + 4)].join('.')
