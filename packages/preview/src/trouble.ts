import { forbidden, notFound, Refusal, unauthorized } from '@gantry/control-plane/context/refusal'
import { chances } from './chances.ts'
import type { Choices } from './options.ts'

/** Milliseconds that a call is delayed, if delays are on (specification, section 9). */
const delayMs = { min: 200, max: 400 }

/** The failures, all equally likely (specification, section 1), in the API's own words. */
const failures: readonly ((path: string) => Refusal)[] = [
  unauthorized,
  () => forbidden('another throw of the dice'),
  (path) => notFound('', { text: path }),
  () => new Refusal('Internal', 'Internal Server Error'),
]

/** Delays calls, and makes some of them fail, as far as requested. */
export class Trouble {
  readonly #choices: () => Choices
  readonly #ownSeed = crypto.randomUUID()
  /** Number of times each call was made. */
  readonly #times = new Map<string, number>()

  constructor(choices: () => Choices) {
    this.#choices = choices
  }

  /** Waits for the call's delay; returns a response if the call fails. */
  async meet(request: Request): Promise<Response | undefined> {
    const { delay, chaos, seed } = this.#choices()
    const { pathname, search } = new URL(request.url)
    const call = `${request.method} ${pathname}${search}`
    const time = (this.#times.get(call) ?? 0) + 1
    this.#times.set(call, time)
    // Not a sequential generator: the order of concurrent calls varies, and with the same seed the same calls
    // must fail.
    const [wait, luck, kind] = chances(`${seed || this.#ownSeed} ${time} ${call}`)
    if (delay === 'on') await sleep(delayMs.min + wait * (delayMs.max - delayMs.min), request.signal)
    if (luck * 100 >= chaos) return undefined
    return failed(failures[Math.floor(kind * failures.length)]?.(pathname) ?? unauthorized())
  }
}

/** A refusal in the control plane's format. */
function failed({ code, message, status, extra }: Refusal): Response {
  const request_id = crypto.randomUUID()
  const body = { request_id, error_code: code, message, help: extra.help }
  return Response.json(body, { status, headers: { 'x-request-id': request_id, 'cache-control': 'no-store' } })
}

/** An aborted call ends the delay. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
    signal.addEventListener('abort', () => resolve())
  })
}
