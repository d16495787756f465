import type http from 'node:http'
import { type Checks, destinationOf } from './destination.ts'
import { getOnce } from './get-once.ts'
import { unlessAborted } from './resolve.ts'
import { EgressFailed, EgressRefused } from './refused.ts'

interface Following {
  signal: AbortSignal
  /** Redirects that are followed at most. */
  redirects: number
  headers?: http.OutgoingHttpHeaders
}

/** The first response that is no redirect. Every redirect is checked like the first URL. */
export async function followed(
  address: string,
  checks: Checks,
  { signal, redirects, headers }: Following,
): Promise<http.IncomingMessage> {
  let destination = await unlessAborted(signal, destinationOf(address, checks))
  for (let count = 0; count <= redirects; count++) {
    const response = await getOnce(destination, signal, headers).catch(failed)
    const next = redirectOf(response, destination.url)
    if (next === undefined) return response
    response.destroy()
    // The redirect is part of the response, so a problem with its target is not reported.
    destination = await unlessAborted(signal, destinationOf(next, checks)).catch((error: unknown) => {
      if (!(error instanceof EgressRefused)) throw error
      throw new EgressFailed(`a redirect is not followed: ${error.message}`)
    })
  }
  throw new EgressFailed(`more than ${redirects} redirects`)
}

function redirectOf({ statusCode = 0, headers }: http.IncomingMessage, from: URL): string | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode)) return undefined
  const { location = '' } = headers
  if (!URL.canParse(location, from)) throw new EgressFailed('a redirect leads nowhere')
  const to = new URL(location, from)
  if (from.protocol === 'https:' && to.protocol === 'http:')
    throw new EgressFailed('a redirect leads from https to http')
  return to.href
}

export function failed(cause: Error): never {
  throw cause instanceof EgressFailed ? cause : new EgressFailed(cause.message, { cause })
}
