import { once } from 'node:events'
import http, { createServer } from 'node:http'
import https from 'node:https'
import { finished } from 'node:stream/promises'
import { isLoopback } from '@gantry/api/base/ip.rules'
import { startingHeader } from '@gantry/api/base/starting.rules'
import { boundedOutput } from '../bounded-output.ts'
import { listen } from '../http/listen.ts'
import type { CertificateFiles } from '../tls/certificate-files.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Several times the description of the API. */
const MOST_BYTES = 8 * 1024 ** 2

export interface Reached {
  host: string
  port: number
  origins: readonly string[]
  secure: boolean
  trustProxy: boolean
  /** Set if the server speaks TLS itself. */
  tls?: CertificateFiles | undefined
}

/** Whether the port is free, or taken by a Gantry server. */
export async function portState({
  host,
  port,
  tls,
}: Pick<Reached, 'host' | 'port' | 'tls'>): Promise<Finding> {
  const probe = createServer()
  try {
    await listen(probe, { host, port })
    probe.close()
    return ok('port', `${port} on ${host} is free`)
  } catch (error) {
    if (await isGantry({ host, port, tls })) return ok('port', `a Gantry serves at ${port} on ${host}`)
    return problem('port', (error as Error).message, 'Choose a free port for the server.')
  }
}

/** Servers of every role describe their API; one that is still starting says so by a header. */
async function isGantry({ host, port, tls }: Pick<Reached, 'host' | 'port' | 'tls'>): Promise<boolean> {
  const named = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  // Whatever holds the port may accept the connection and never answer.
  const asked = { host: named, port, path: '/openapi.json', agent: false, signal: AbortSignal.timeout(2000) }
  try {
    // The certificate's names are checked separately; this request goes to an address.
    const request = tls ? https.get({ ...asked, rejectUnauthorized: false }) : http.get(asked)
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    if (startingHeader in response.headers) {
      response.destroy()
      return true
    }
    const body = boundedOutput(MOST_BYTES)
    response.on('data', body.take)
    await finished(response)
    const { info } = JSON.parse(body.text()) as { info?: { title?: string } }
    return /gantry/i.test(info?.title ?? '')
  } catch {
    return false
  }
}

/** The names under which browsers can reach the server: requests for any other are refused. */
export function namesServed({ host, origins }: Pick<Reached, 'host' | 'origins'>): Finding {
  const check = 'names'
  if (origins.length > 0) return ok(check, `served as ${origins.join(', ')}`)
  if (isLoopback(host)) return ok(check, 'served as localhost')
  return warning(
    check,
    'served by address only, and requests for a host name are refused with 421',
    'Name each address that browsers use with --origin.',
  )
}

/** How browsers reach the server, according to its options. */
export function reachability({ host, origins, secure, trustProxy, tls }: Reached): Finding {
  const check = 'https'
  const open = !isLoopback(host)
  if (trustProxy && open) {
    return warning(
      check,
      `with --trust-proxy on ${host}, clients that reach the port directly can forge their address`,
      'Listen on 127.0.0.1, or let a firewall admit only the proxy.',
    )
  }
  const plain = origins.find((origin) => origin.startsWith('http:') && !isLoopback(new URL(origin).hostname))
  if (plain !== undefined || (open && !secure)) {
    return warning(
      check,
      `passwords and cookies travel unencrypted${plain === undefined ? '' : ` at ${plain}`}`,
      'Serve https with --tls-cert, or put a proxy in front and name its address with --origin (docs/production.md).',
    )
  }
  if (tls) return ok(check, 'the server itself provides TLS')
  if (secure && !trustProxy) {
    return warning(
      check,
      'without --trust-proxy every request seems to come from the proxy, in the audit log and in limits of guesses',
      'Say --trust-proxy where a proxy of yours is in front.',
    )
  }
  if (secure) return ok(check, `a proxy in front serves ${origins.join(', ') || 'https'}`)
  return ok(check, `only this machine reaches ${host}; docs/production.md explains how to make it reachable`)
}
