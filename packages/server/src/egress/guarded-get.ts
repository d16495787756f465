import type http from 'node:http'
import { type IpNet, parseIpNet } from '@gantry/api/base/ip.rules'
import type { Settings } from '@gantry/control-plane/settings'
import { boundedTurns } from '@gantry/control-plane/work/turns'
import type { Checks } from './destination.ts'
import { failed, followed } from './followed.ts'
import { lookUp, type Resolve, unlessAborted } from './resolve.ts'
import { EgressFailed } from './refused.ts'

interface Bounds {
  maxBytes: number
  /** For everything together: names, connections, redirects and content. */
  timeoutMs: number
}

interface Fetched {
  content: Buffer
  /** The header of the response. */
  contentType: string | undefined
}

/** Fetches the content at a URL. Rejects with `EgressRefused` or `EgressFailed`. */
export type GuardedGet = (url: string, bounds: Bounds) => Promise<Fetched>

const MAX_REDIRECTS = 3

/**
 * Requests to user-supplied URLs. They reach the public internet and the networks that the operator allows,
 * and never what only this server can reach. Every redirect is checked like the first URL.
 */
export function guardedGet({ allowed_networks }: Settings['egress'], resolve: Resolve = lookUp): GuardedGet {
  const allowed = allowed_networks.map(parseIpNet).filter((net): net is IpNet => net !== undefined)
  const inTurn = boundedTurns({ atOnce: 4, waiting: 16 })
  return (url, { maxBytes, timeoutMs }) =>
    inTurn(async () => {
      const ending = new AbortController()
      const timer = setTimeout(
        () => ending.abort(new EgressFailed(`took more than ${timeoutMs} ms`)),
        timeoutMs,
      )
      try {
        return await unlessAborted(ending.signal, get(url, { allowed, resolve }, maxBytes, ending.signal))
      } finally {
        clearTimeout(timer)
        // Aborts anything still open.
        ending.abort()
      }
    })
}

async function get(address: string, checks: Checks, maxBytes: number, signal: AbortSignal): Promise<Fetched> {
  const response = await followed(address, checks, { signal, redirects: MAX_REDIRECTS })
  return contentOf(response, maxBytes).catch(failed)
}

async function contentOf(response: http.IncomingMessage, maxBytes: number): Promise<Fetched> {
  const { statusCode, headers } = response
  if (statusCode !== 200) throw new EgressFailed(`the status is ${statusCode}`)
  // Compressed content could expand far beyond the limit; only identity was requested.
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new EgressFailed('the content is compressed')
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response as AsyncIterable<Uint8Array>) {
    size += piece.length
    if (size > maxBytes) throw new EgressFailed(`the content is longer than ${maxBytes} bytes`)
    pieces.push(piece)
  }
  return { content: Buffer.concat(pieces), contentType: headers['content-type'] }
}
