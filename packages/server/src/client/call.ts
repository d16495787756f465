import { createHash } from 'node:crypto'
import {
  type ApiResult,
  type CallOptions,
  createClient,
  type LooseInput,
  type OpRef,
  requestOf,
} from '@gantry/api/client/client'
import { versionHeader } from '@gantry/api/versions/newest.rules'
import { planPrefix } from '@gantry/api/history/plan.rules'
import { Failure, noAnswer, refusal } from './failure.ts'
import type { OperationCommand } from './operations.ts'
import type { Connection } from './profiles.ts'

export interface CallContext {
  connection: Connection
  /** The version that requests name instead of the newest. */
  apiVersion?: string | undefined
  options?: CallOptions
  isPlan?: boolean
}

/** Sends an operation; returns the answer as the API spells it, and throws refusals as failures. */
export async function call(
  command: OperationCommand,
  input: LooseInput,
  context: CallContext,
): Promise<{ data: unknown; headers: Headers; statusCode: number }> {
  requireToken(command, context)
  const { connection, options } = context
  const client = createClient({
    base: connection.url,
    ...(connection.token !== undefined && { token: connection.token }),
    decode: (value) => value,
    fetch: (url, init) => fetch(url, adapted(command, init, context, input)),
  })
  // The command line's operations are data, whose types only its user knows.
  const send = client as unknown as (
    op: Pick<OpRef, 'method' | 'path'>,
    input: LooseInput,
    options?: CallOptions,
  ) => Promise<ApiResult<unknown>>
  const result = await send(placed(command, context), input, options)
  if (result.type === 'success') return result
  if (result.type === 'error') {
    if (isRedirect(result.statusCode))
      return { ...result, data: { location: result.headers.get('location') } }
    throw refusal(command.id, result.statusCode, oauthWords(result.data))
  }
  if (result.statusCode === 0) throw noAnswer(connection.url, result.error)
  // Errors of proxies are pages; an answer to HEAD has no body.
  if (command.op.method === 'HEAD' && result.statusCode < 400) return { ...result, data: undefined }
  throw new Failure(
    result.statusCode === 404 ? 'notFound' : 'noAnswer',
    `${connection.url} answered ${result.statusCode} without JSON. Check that it is the address of Gantry.`,
  )
}

/** Sends an operation whose answer is read piece by piece. */
export async function open(
  command: OperationCommand,
  input: LooseInput,
  context: CallContext,
): Promise<Response> {
  requireToken(command, context)
  const { connection, options } = context
  const { url, init } = requestOf(placed(command, context), input, {
    ...options,
    base: connection.url,
    token: connection.token,
  })
  let response: Response
  try {
    response = await fetch(url, adapted(command, init, context, input))
  } catch (error) {
    throw noAnswer(connection.url, error)
  }
  if (response.ok) return response
  const body: unknown = await response.json().catch(() => ({}))
  throw refusal(command.id, response.status, { request_id: '', message: '', ...(body as object) })
}

/** Bytes to send, with the digest by which the server checks them. */
export const contentOf = (bytes: Uint8Array<ArrayBuffer>): NonNullable<CallOptions['content']> => ({
  bytes: new Blob([bytes]),
  sha256: createHash('sha256').update(bytes).digest('base64'),
})

function requireToken({ isAnonymous }: OperationCommand, { connection }: CallContext): void {
  if (isAnonymous || connection.token !== undefined) return
  throw new Failure(
    'notSignedIn',
    `You are not signed in to ${connection.url}. Sign in by gantry login ${connection.url}, or set GANTRY_TOKEN.`,
  )
}

const placed = ({ op }: OperationCommand, { isPlan }: CallContext) =>
  isPlan ? { ...op, path: planPrefix + op.path } : op

function adapted(
  command: OperationCommand,
  init: RequestInit,
  { apiVersion }: CallContext,
  { body }: LooseInput,
): RequestInit {
  const headers = { ...(init.headers as Record<string, string>) }
  if (apiVersion !== undefined) headers[versionHeader] = apiVersion
  // A redirect leads a browser elsewhere; here it is the answer.
  const sent: RequestInit = { ...init, headers, redirect: 'manual' }
  if (command.takes !== 'form' || body === undefined) return sent
  delete headers['content-type']
  return { ...sent, body: new URLSearchParams(body as Record<string, string>) }
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400

/** Refusals in OAuth's format have their code elsewhere. */
function oauthWords<Body extends { message: string }>(body: Body): Body {
  const { error } = body as { error?: unknown }
  return typeof error === 'string' && !body.message ? { ...body, message: error.replaceAll('_', ' ') } : body
}
