import type { Incoming } from './connection.ts'

/** The client's address and scheme, from the socket or from a trusted proxy's headers. */
export interface Origination {
  address: string
  isHttps: boolean
  /** The requested host, if it can be part of a URL. */
  host: string
  /** The local address of the connection. */
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

/** HTTP/2 sends the host separately; if a client sends both, the host rule checks both. */
const hostOf = (headers: Incoming['headers']): string => String(headers[':authority'] ?? headers.host ?? '')

const isEncrypted = (socket: Incoming['socket']): boolean => 'encrypted' in socket && socket.encrypted

/** The last value was added by our own proxy; earlier ones come from the client. */
function last(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header.join(',') : header
  const value = text?.split(',').at(-1)?.trim()
  return value === '' ? undefined : value
}

/** Normalises an IPv4 address, whether or not it came through an IPv6 socket. */
function plain(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
}
