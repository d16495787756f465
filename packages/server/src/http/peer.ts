import type { IncomingMessage } from 'node:http'

/** Who is at the other end and how they came, by the socket or by what a trusted proxy says of them. */
export interface Origination {
  address: string
  isHttps: boolean
  /** The host the browser asked for, as far as it can be part of an address. */
  host: string
}

export function originationOf(incoming: IncomingMessage, trustProxy: boolean): Origination {
  const socketAddress = incoming.socket.remoteAddress ?? ''
  const { headers } = incoming
  const direct = { address: plain(socketAddress), isHttps: false, host: headers.host ?? '' }
  if (!trustProxy) return direct
  const address = last(headers['x-forwarded-for'])
  const host = last(headers['x-forwarded-host'])
  return {
    address: address ? plain(address) : direct.address,
    isHttps: last(headers['x-forwarded-proto']) === 'https',
    host: host ?? direct.host,
  }
}

/** The last value is the one our own proxy added; those before it are whatever the client sent. */
function last(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header.join(',') : header
  const value = text?.split(',').at(-1)?.trim()
  return value === '' ? undefined : value
}

/** One spelling for an IPv4 address, whether it came through an IPv6 socket or not. */
function plain(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
}
