import { createServer } from 'node:http'
import { listen } from '../http/listen.ts'
import { isLoopback } from '../http/loopback.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

export interface Reached {
  host: string
  port: number
  origins: readonly string[]
  secure: boolean
  trustProxy: boolean
}

/** Whether the port can be had, or is had by a Gantry. */
export async function portState({ host, port }: Pick<Reached, 'host' | 'port'>): Promise<Finding> {
  const probe = createServer()
  try {
    await listen(probe, { host, port })
    probe.close()
    return ok('port', `${port} on ${host} is free`)
  } catch (error) {
    if (await isGantry(host, port)) return ok('port', `a Gantry serves at ${port} on ${host}`)
    return problem('port', (error as Error).message, 'The server needs a port of its own.')
  }
}

async function isGantry(host: string, port: number): Promise<boolean> {
  const named = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const address = named.includes(':') ? `[${named}]` : named
  try {
    const answer = await fetch(`http://${address}:${port}/openapi.json`, {
      signal: AbortSignal.timeout(2000),
    })
    const { info } = (await answer.json()) as { info?: { title?: string } }
    return /gantry/i.test(info?.title ?? '')
  } catch {
    return false
  }
}

/** By which names browsers can come: a request for any other is refused. */
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

/** How browsers come to the server, as far as its options tell. */
export function reachability({ host, origins, secure, trustProxy }: Reached): Finding {
  const check = 'https'
  const open = !isLoopback(host)
  if (trustProxy && open) {
    return warning(
      check,
      `with --trust-proxy on ${host}, whoever reaches the port directly can claim any address`,
      'Listen on 127.0.0.1, or let a firewall admit only the proxy.',
    )
  }
  const plain = origins.find((origin) => origin.startsWith('http:') && !isLoopback(new URL(origin).hostname))
  if (plain !== undefined || (open && !secure)) {
    return warning(
      check,
      `passwords and cookies travel unencrypted${plain === undefined ? '' : ` at ${plain}`}`,
      'Put a proxy with https in front, and name its address with --origin (docs/production.md).',
    )
  }
  if (secure && !trustProxy) {
    return warning(
      check,
      'without --trust-proxy every request seems to come from the proxy, in the audit log and in limits of guesses',
      'Say --trust-proxy where a proxy of yours is in front.',
    )
  }
  if (secure) return ok(check, `a proxy in front serves ${origins.join(', ') || 'https'}`)
  return ok(check, `only this machine reaches ${host}; docs/production.md tells how to open it to others`)
}
