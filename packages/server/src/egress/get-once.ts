import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Destination } from './destination.ts'
import { EgressFailed } from './refused.ts'

/**
 * One request without redirects, to the checked addresses only. It carries no data of the user who caused it.
 */
export const getOnce = (
  destination: Destination,
  signal: AbortSignal,
  headers: http.OutgoingHttpHeaders = {},
): Promise<http.IncomingMessage> => requestOnce(destination, signal, { headers })

/** The parts of a request besides its address. */
export interface Sent {
  method?: 'POST'
  headers: http.OutgoingHttpHeaders
  body?: string
  /** The connection is established. */
  onConnect?: () => void
}

/** The same with a method and a body. */
export function requestOnce(
  { url, addresses }: Destination,
  signal: AbortSignal,
  more?: Sent,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http
    const sent = request(url, {
      signal,
      lookup: pinnedTo(addresses),
      // A separate connection, which ends with the response.
      agent: false,
      maxHeaderSize: 16 * 1024,
      method: more?.method ?? 'GET',
      headers: { ...more?.headers, 'accept-encoding': 'identity', 'user-agent': 'gantry' },
    })
    sent.on('response', resolve)
    sent.on('error', reject)
    // Also when the peer speaks another protocol and neither event fires.
    sent.on('close', () => reject(new EgressFailed('the connection ended without an answer')))
    const { onConnect } = more ?? {}
    if (onConnect)
      sent.on('socket', (socket) =>
        socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', onConnect),
      )
    sent.end(more?.body)
  })
}

/** A second look-up could return a different address than the one checked. */
const pinnedTo =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, options, done) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const [first] = found
    if (options.all) done(null, found)
    else done(null, first?.address ?? '', first?.family)
  }
