import { withAdvice } from '@gantry/api/base/advice.rules'
import { errorWords, type ErrorBody } from '@gantry/api/base/errors.rules'

/** How the program ends; documented in docs/command-line.md. */
export const exitCodes = {
  refused: 1,
  usage: 2,
  notSignedIn: 3,
  notFound: 4,
  noAnswer: 5,
  /** Nothing was done, and the same can succeed later. */
  notNow: 6,
  /** By Ctrl+C, as shells count it. */
  interrupted: 130,
} as const

/** An expected end of the program: a sentence and an exit code. */
export class Failure extends Error {
  readonly code: number
  /** Of a refusal. */
  readonly errorCode: string | undefined

  constructor(
    code: keyof typeof exitCodes,
    sentence: string,
    { errorCode, ...options }: ErrorOptions & { errorCode?: string | undefined } = {},
  ) {
    super(sentence, options)
    this.code = exitCodes[code]
    this.errorCode = errorCode
  }
}

/** An error in the command line. */
export const mistake = (sentence: string): Failure => new Failure('usage', sentence)

/** A refusal in the words of the console, with what to do. */
export function refusal(operation: string, status: number, body: ErrorBody): Failure {
  const { help } = body as ErrorBody & { help?: string }
  const code = codeOf(status)
  const words = errorWords(operation, body.error_code, body.message || undefined)
  const next = help ?? (code === 'notSignedIn' ? 'Sign in again: gantry login.' : undefined)
  const request = code === 'noAnswer' && body.request_id ? `Request ${body.request_id}.` : undefined
  return new Failure(code, [sentence(withAdvice(words, next)), request].filter(Boolean).join(' '), {
    errorCode: body.error_code,
  })
}

function codeOf(status: number): keyof typeof exitCodes {
  if (status === 401) return 'notSignedIn'
  if (status === 404) return 'notFound'
  // Of a full rack, which is a refusal like any other.
  if (status === 507) return 'refused'
  if (status === 503) return 'notNow'
  return status >= 500 ? 'noAnswer' : 'refused'
}

/** Whether it is worth a retry after a moment. */
export const isTemporary = ({ code }: Failure): boolean =>
  code === exitCodes.noAnswer || code === exitCodes.notNow

export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Why nothing answered. */
export function noAnswer(url: string, error: unknown): Failure {
  const { cause } = error as { cause?: unknown }
  const { code, message } = (cause ?? error) as { code?: string; message?: string }
  const why = (code !== undefined && reasons[code]) || sentence(message ?? String(error))
  return new Failure('noAnswer', `No answer from ${new URL(url).origin}. ${why}`, { cause: error })
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens there: check the URL, and that the server runs.',
  ENOTFOUND: 'There is no such host: check the URL.',
  EAI_AGAIN: 'The host cannot be looked up: check the network.',
  ECONNRESET: 'The connection was closed: try again.',
  UND_ERR_SOCKET: 'The connection was closed: try again.',
  ETIMEDOUT: 'The connection timed out: check the network.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out: check the network.',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'Its certificate is not signed by a known authority: name the authority in NODE_EXTRA_CA_CERTS.',
  SELF_SIGNED_CERT_IN_CHAIN:
    'Its certificate is not signed by a known authority: name the authority in NODE_EXTRA_CA_CERTS.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'Its certificate is not signed by a known authority: name the authority in NODE_EXTRA_CA_CERTS.',
  CERT_HAS_EXPIRED: 'Its certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another host: check the URL.',
}
