import type { Incoming } from './connection.ts'

/** Who is at the other end and how they came, by the socket or by what a trusted proxy says of them. */
export interface Origination {
  address: string
  isHttps: boolean
  /** The host the browser asked for, as far as it can be part of an address. */
  host: string
  /** The address of this machine that the connection came to. */
  reached: string
}

export function originationOf(incoming: Incoming, trustProxy: boolean): Origination {
  const { headers, socket } = incoming
  const reached = plain(socket.localAddress ?? '')
  const direct = {
    address: plain(socket.remoteAddress ?? ''),
    isHttps: isEncrypted(socket),
    host: hostOf(headers),
    reached,
  }
  if (!trustProxy) return direct
  const address = last(headers['x-forwarded-for'])
  const host = last(headers['x-forwarded-host'])
  return {
    address: address ? plain(address) : direct.address,
    isHttps: last(headers['x-forwarded-proto']) === 'https',
    host: host ?? direct.host,
    reached,
  }
}

/** HTTP/2 names the host apart; where a client sends both, the rule of hosts looks at both. */
const hostOf = (headers: Incoming['headers']): string => String(headers[':authority'] ?? headers.host ?? '')

const isEncrypted = (socket: Incoming['socket']): boolean => 'encrypted' in socket && socket.encrypted

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
