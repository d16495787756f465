import { broadcast, type Frame, ipAt, ipBytes } from './frames.ts'
import type { Guest } from './stage.ts'

/** What a DHCP server offers or acknowledges. */
export interface Lease {
  type: 'offer' | 'acknowledgement' | 'refusal'
  ip: string
  mask: string | undefined
  router: string | undefined
  resolver: string | undefined
  domain: string | undefined
  hostname: string | undefined
}

const messages = { discover: 1, offer: 2, request: 3, decline: 4, acknowledgement: 5, refusal: 6 } as const
const options = {
  mask: 1,
  router: 3,
  resolver: 6,
  hostname: 12,
  domain: 15,
  requested: 50,
  message: 53,
  server: 54,
  wanted: 55,
} as const

/** Broadcasts a message as a client without an address; `chaddr` is its hardware address in the message itself. */
export function dhcpMessage(
  { interface: { mac } }: Guest,
  kind: 'discover' | 'request' | 'decline',
  { chaddr = mac, ip, server }: { chaddr?: string; ip?: string; server?: string } = {},
): Frame {
  const head = Buffer.alloc(240)
  head.set([1, 1, 6, 0], 0)
  head.writeUInt32BE(0x1234_5678, 4)
  head.set(Buffer.from(chaddr.replaceAll(':', ''), 'hex'), 28)
  head.writeUInt32BE(0x6382_5363, 236)
  const option = (code: number, value: Buffer) => Buffer.concat([Buffer.from([code, value.length]), value])
  const data = Buffer.concat([
    head,
    option(options.message, Buffer.from([messages[kind]])),
    ...(ip ? [option(options.requested, ipBytes(ip))] : []),
    ...(server ? [option(options.server, ipBytes(server))] : []),
    option(
      options.wanted,
      Buffer.from([options.mask, options.router, options.resolver, options.hostname, options.domain]),
    ),
    Buffer.from([255]),
  ])
  return {
    from: mac.toLowerCase(),
    to: broadcast,
    ip: {
      source: '0.0.0.0',
      destination: '255.255.255.255',
      id: 1,
      content: { type: 'udp', source: 68, destination: 67, data },
    },
  }
}

export function readLease({ ip }: Frame): Lease | undefined {
  if (ip?.content.type !== 'udp' || ip.content.destination !== 68) return undefined
  const { data } = ip.content
  const found = new Map<number, Buffer>()
  for (let at = 240; at < data.length && data[at] !== 255; at += 2 + (data[at + 1] ?? 0))
    found.set(data[at] ?? 0, data.subarray(at + 2, at + 2 + (data[at + 1] ?? 0)))
  const address = (code: number) => {
    const value = found.get(code)
    return value && ipAt(value, 0)
  }
  const type = found.get(options.message)?.[0]
  return {
    type:
      type === messages.offer ? 'offer' : type === messages.acknowledgement ? 'acknowledgement' : 'refusal',
    ip: ipAt(data, 16),
    mask: address(options.mask),
    router: address(options.router),
    resolver: address(options.resolver),
    domain: found.get(options.domain)?.toString(),
    hostname: found.get(options.hostname)?.toString(),
  }
}
