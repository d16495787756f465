import type { Refused } from '@gantry/api/extensions'
import { type ErrorCode, errorStatus } from '@gantry/api/base/errors.rules'

interface Extra {
  /** What to do about it, in one sentence. */
  help?: string
  /** Numbers and objects involved, for example how many sleds did not fit, and why. */
  details?: Record<string, unknown>
  /** Seconds until a retry makes sense. */
  retryAfter?: number
}

/** Default advice. */
const helpOf: Record<ErrorCode | 'none', string> = {
  ObjectNotFound: 'Check the name and your access to it.',
  ObjectAlreadyExists: 'Choose another name.',
  Unauthorized: 'Sign in and try again.',
  Forbidden: 'Ask an administrator for the required role.',
  'Not Acceptable': 'Use a client of a newer version of the API.',
  InvalidRequest: 'Correct the request and send it again.',
  InvalidValue: 'Choose a value within the limits.',
  Conflict: 'Review the current state, then try again.',
  InsufficientCapacity: 'Free unused resources, or ask the operator for more.',
  ServiceNotAvailable: 'Try again in a moment.',
  PreconditionFailed: 'Review the current state, then try again.',
  TooManyRequests: 'Wait a moment, then try again.',
  Internal: 'Try again. If it keeps failing, give the request id to the operator.',
  none: 'Check the request against the API documentation.',
}

/** An expected "no". Anything else thrown is a bug and becomes a 500 without its message. */
export class Refusal extends Error {
  readonly status: number
  readonly extra: Extra & { help: string }
  constructor(
    readonly code: ErrorCode | undefined,
    message: string,
    extra: Extra = {},
    status?: number,
  ) {
    super(message)
    this.name = 'Refusal'
    this.extra = { ...extra, help: extra.help ?? helpOf[code ?? 'none'] }
    this.status = status ?? (code ? errorStatus[code] : 400)
  }
}

/** A violated business rule: the state, or the combination of inputs. */
export const invalid = (message: string, help?: string, details?: Extra['details']): Refusal =>
  new Refusal('InvalidRequest', message, { ...(help && { help }), ...(details && { details }) })

/** One refused value; `label` names it as the API does. */
export const invalidValue = (label: string, reason: string, help?: string): Refusal =>
  new Refusal('InvalidValue', `unsupported value for "${label}": ${reason}`, help ? { help } : {})

export const conflict = (message: string, help?: string): Refusal =>
  new Refusal('Conflict', message, help ? { help } : {})

export const insufficient = (text: string, extra: Extra = {}): Refusal =>
  new Refusal('InsufficientCapacity', `Insufficient capacity: ${text}`, extra)

export const forbidden = (missing: string): Refusal =>
  new Refusal('Forbidden', 'Forbidden', { help: `This needs ${missing}. Ask an administrator for it.` })

export const unauthorized = (): Refusal => new Refusal('Unauthorized', 'credentials missing or invalid')

/** `help` where another name would not do. */
export const alreadyExists = (type: string, name: string, help?: string): Refusal =>
  new Refusal('ObjectAlreadyExists', `already exists: ${type} "${name}"`, help ? { help } : {})

export const unavailable = (help: string): Refusal =>
  new Refusal('ServiceNotAvailable', 'Service Unavailable', { help, retryAfter: 2 })

/** The request could not be read; such failures carry no code (control plane reference, A 1.5). */
export const unreadable = (message: string): Refusal => new Refusal(undefined, message)

/** The message repeats how the caller addressed the object, also when the object exists but is hidden. */
export function notFound(
  type: string,
  selector: { name: string } | { id: string } | { text: string },
): Refusal {
  const what =
    'name' in selector
      ? `${type} with name "${selector.name}"`
      : 'id' in selector
        ? `${type} with id "${selector.id}"`
        : selector.text
  return new Refusal('ObjectNotFound', `not found: ${what}`)
}

/** The refusal as data, for responses that report one inside a success. */
export const refusedAs = ({ code, message, extra }: Refusal): Refused => ({
  code: code ?? 'InvalidRequest',
  message,
  help: extra.help,
})

/** Throws the refusal that a rule returns, if any. */
export function refuseIf(refusal: Refusal | undefined | false): void {
  if (refusal) throw refusal
}
