import type http from 'node:http'
import { deliveryRules } from '@gantry/api/system/alert.rules'
import { knownNet } from '@gantry/api/base/ip.rules'
import type { WebhookOutcome, WebhookRequest, Webhooks } from '@gantry/control-plane/environment'
import type { Settings } from '@gantry/control-plane/settings'
import { TooBusy, boundedTurns } from '@gantry/control-plane/work/turns'
import { destinationOf } from './destination.ts'
import { requestOnce } from './get-once.ts'
import { EgressFailed, EgressRefused } from './refused.ts'
import { lookUp, type Resolve, unlessAborted } from './resolve.ts'

interface Limits {
  connectMs: number
  requestMs: number
}
const usual: Limits = {
  connectMs: deliveryRules.connectSeconds * 1000,
  requestMs: deliveryRules.requestSeconds * 1000,
}

/**
 * Posts to receivers of alerts. The address is looked up and checked at each request, the connection goes to the
 * checked addresses alone, and a redirect is an answer that is not followed.
 */
export function guardedPost(
  { allowed_networks }: Settings['egress'],
  resolve: Resolve = lookUp,
  limits: Limits = usual,
): Webhooks {
  const allowed = allowed_networks.map(knownNet)
  const inTurn = boundedTurns({ atOnce: 16, waiting: 64 })

  async function send(
    { url, headers, body }: WebhookRequest,
    ending: AbortController,
  ): Promise<WebhookOutcome> {
    const slow = (phase: string, ms: number) =>
      setTimeout(() => ending.abort(new TookTooLong(`${phase} took more than ${ms} ms`)), ms)
    const whole = slow('the request', limits.requestMs)
    const connecting = slow('the connection', limits.connectMs)
    try {
      const destination = await unlessAborted(ending.signal, destinationOf(url, { allowed, resolve }))
      const response = await requestOnce(destination, ending.signal, {
        method: 'POST',
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [
            name,
            typeof value === 'string' ? value : [...value],
          ]),
        ),
        body,
        onConnect: () => clearTimeout(connecting),
      })
      return { kind: 'answered', status: response.statusCode ?? 0, body: await beginningOf(response) }
    } finally {
      clearTimeout(whole)
      clearTimeout(connecting)
    }
  }

  return {
    async post(request, signal) {
      const ending = new AbortController()
      const stop = () => ending.abort(new EgressFailed('the server is stopping'))
      if (signal?.aborted) stop()
      signal?.addEventListener('abort', stop)
      try {
        return await inTurn(() => send(request, ending))
      } catch (error) {
        return failureOf(ending.signal.aborted ? (ending.signal.reason as Error) : (error as Error))
      } finally {
        signal?.removeEventListener('abort', stop)
        // Aborts anything still open.
        ending.abort()
      }
    },
  }
}

class TookTooLong extends Error {}

function failureOf(error: Error): WebhookOutcome {
  if (error instanceof TookTooLong) return { kind: 'timeout', reason: error.message }
  if (error instanceof EgressRefused)
    return { kind: 'unreachable', reason: `the address is refused: ${error.message}` }
  if (error instanceof TooBusy)
    return { kind: 'unreachable', reason: 'too many requests are waiting on this server' }
  return { kind: 'unreachable', reason: `no answer: ${error.message}` }
}

/**
 * What arrived of the body. The status has said whether the receiver took the delivery, so a body that breaks off or
 * never ends changes nothing. Beyond what is kept nothing is read: the receiver could send without end.
 */
async function beginningOf(response: http.IncomingMessage): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for await (const piece of response as AsyncIterable<Uint8Array>) {
      pieces.push(piece)
      size += piece.length
      if (size >= deliveryRules.keptBytes) break
    }
  } catch {
    // Broken off, or the time is over.
  }
  response.destroy()
  // A database stores no NUL in a text.
  return Buffer.concat(pieces)
    .subarray(0, deliveryRules.keptBytes)
    .toString('utf8')
    .replaceAll('\0', '\uFFFD')
}
