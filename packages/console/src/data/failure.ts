import { snakeKey } from '@gantry/api/client/camel'
import type { ApiResult, OpRef } from '@gantry/api/client/client'
import type { ApiFailure } from '@gantry/api/base/errors.rules'

type DetailedFailure = ApiFailure & { takenName?: string; help?: string; details?: unknown }

/** A failed call, with a message for the user. */
export class Failure extends Error implements ApiFailure {
  readonly errorCode?: string
  readonly statusCode: number
  readonly requestId?: string
  /** The name that another object has, which the message leaves out. */
  readonly takenName?: string
  /** The server's advice, where it gives any. */
  readonly help?: string
  /** Details from the server besides the message; their form depends on the operation. */
  readonly details?: unknown

  constructor({ message, errorCode, statusCode, requestId, takenName, help, details }: DetailedFailure) {
    super(message)
    this.name = 'Failure'
    this.statusCode = statusCode
    if (errorCode) this.errorCode = errorCode
    if (requestId) this.requestId = requestId
    if (takenName) this.takenName = takenName
    if (help) this.help = help
    if (details !== undefined) this.details = details
  }
}

/** Needed only after a failure, so they stay out of the first load. */
export const loadErrorWords = () => import('@gantry/api/base/errors.rules')

type Failed = Exclude<ApiResult<unknown>, { type: 'success' }>

/** Cases are in the order of the specification's error catalogue (section 8). */
export async function failureOf(op: Pick<OpRef, 'name'>, result: Failed): Promise<Failure> {
  const { statusCode } = result
  if (result.type === 'client_error') {
    const message = statusCode === 0 ? 'Could not reach the server' : 'Error reading API response'
    return new Failure({ message, statusCode })
  }
  const { error_code, message, request_id } = result.data
  const help = helpIn(result.data)
  // If the server was replaced after this page loaded, this file may be gone. The server's own message is the
  // fallback.
  const words = await loadErrorWords().catch(() => undefined)
  const takenName = words?.existingName(message)
  return new Failure({
    message: words?.errorWords(snakeKey(op.name), error_code, message) ?? message,
    statusCode,
    ...(error_code && { errorCode: error_code }),
    ...(request_id && { requestId: request_id }),
    ...(takenName && { takenName }),
    ...(help && { help }),
    ...('details' in result.data && { details: result.data.details }),
  })
}

/** The server's advice, or the names of all blockers if it refused a deletion. */
function helpIn(data: object): string | undefined {
  const help = 'help' in data && typeof data.help === 'string' ? data.help : undefined
  const blockers = 'details' in data ? blockerText(data.details) : undefined
  return [help, blockers].filter(Boolean).join(' ') || undefined
}

/** Turns anything thrown into a failure. Errors that are not ours are bugs, whose text is for the log only. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  console.error(error)
  return new Failure({ message: 'Something went wrong in the console', statusCode: 0 })
}

interface Blocker {
  kind: string
  /** Counts all blockers; `names` holds only the first few. */
  count: number
  names: readonly string[]
}

/**
 * The blockers in a refused deletion's details as a sentence: `It contains 2 projects: web, mail.` Undefined where
 * the details describe something else.
 */
export function blockerText(details: unknown): string | undefined {
  const blockers = blockersIn(details)
  return blockers.length === 0 ? undefined : `It contains ${blockers.map(blockerWords).join('; ')}.`
}

function blockerWords({ kind, count, names }: Blocker): string {
  const more = count - names.length
  const named = more > 0 ? [...names, `and ${more} more`] : names
  return `${count} ${kind}${count === 1 ? '' : 's'}: ${named.join(', ')}`
}

function blockersIn(details: unknown): Blocker[] {
  if (typeof details !== 'object' || details === null || !('blockers' in details)) return []
  const { blockers } = details
  return Array.isArray(blockers) ? (blockers as Blocker[]) : []
}
