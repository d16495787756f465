import type { ErrorBody } from '../base/errors.rules.ts'
import type { OpName, Ops } from '../registry.ts'
import type { Tag } from '../tags/tag.rules.ts'
import { newestVersionText, versionHeader } from '../versions/newest.rules.ts'
import { tagsHeader, tagsToHeader } from '../tags/tags-header.rules.ts'
import type { BodyInputOf, PathOf, QueryOf, ReturnOf } from '../op.ts'
import { type Camel, fromWire, snakeKey, toWire } from './camel.ts'
import { recordKeys } from './records.gen.ts'

/** Run-time facts of an operation for the console; its types come from the contract. */
export interface OpRef<Name extends OpName = OpName> {
  name: Name
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** Kinds of objects in the response. */
  reads?: readonly string[]
  /** Kinds of objects that it changes. */
  changes?: readonly string[]
}

type Empty<T> = keyof T extends never ? true : false
/** Without required fields; some schemas without any are records that can have no value. */
type Optional<T> =
  T extends Record<string, never>
    ? true
    : { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } extends infer Required
      ? Empty<Required>
      : never
type Part<Name extends string, T> = [T] extends [never]
  ? unknown
  : Empty<T> extends true
    ? unknown
    : Optional<T> extends true
      ? { [Key in Name]?: T }
      : { [Key in Name]: T }

/** The operation's `{ path, query, body }`, in camelCase. */
export type InputOf<Name extends OpName> = Part<'path', Camel<PathOf<Ops[Name]>>> &
  Part<'query', Camel<QueryOf<Ops[Name]>>> &
  Part<'body', Camel<BodyInputOf<Ops[Name]>>>
export type OutputOf<Name extends OpName> = Camel<ReturnOf<Ops[Name]>>

export interface LooseInput {
  path?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

interface Answered {
  /** The requested path and query. */
  url: string
  statusCode: number
  headers: Headers
}
export type ApiResult<T> =
  | ({ type: 'success'; data: T } & Answered)
  /** The server refused, with a parsable body. */
  | ({ type: 'error'; data: ErrorBody } & Answered)
  /** A response that is not JSON; `statusCode` is 0 if there was none at all. */
  | ({ type: 'client_error'; text: string; error: Error } & Answered)

export interface ClientOptions {
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Prefix of every path; empty for the page's own origin. */
  base?: string
  token?: string
  /** What answers become, by default camelCase with dates. Refusals always do. */
  decode?: typeof fromWire
}

export interface CallOptions {
  signal?: AbortSignal
  /** Sent as `If-Match`, so that stale changes are refused. */
  ifMatch?: string | undefined
  /** Sent as `If-Plan`: carried out only if it does what that plan says. */
  ifPlan?: string
  /** Tags of what is created, for operations that take them. */
  tags?: readonly Tag[] | undefined
  /** Raw bytes to send, for operations that take them, with their SHA-256 in base64. */
  content?: { bytes: Blob; sha256: string }
}

export type Client = <Name extends OpName>(
  op: OpRef<Name>,
  input: InputOf<Name>,
  options?: CallOptions,
) => Promise<ApiResult<OutputOf<Name>>>

/** A client for any server with this API. It never throws: errors are part of the result. */
export function createClient({
  fetch: send = globalThis.fetch,
  base = '',
  token,
  decode = fromWire,
}: ClientOptions = {}): Client {
  return async (op, input, options = {}) => {
    const { url, init } = requestOf(op, input as LooseInput, { ...options, base, token })
    let response: Response
    try {
      response = await send(url, init)
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause))
      return { type: 'client_error', error, text: '', url, statusCode: 0, headers: new Headers() }
    }
    return read(url, response, decode)
  }
}

/** An operation's request, for callers who read the response themselves: downloads and streams. */
export function requestOf(
  op: Pick<OpRef, 'method' | 'path'>,
  { path = {}, query = {}, body }: LooseInput,
  options: CallOptions & { base?: string; token?: string | undefined } = {},
): { url: string; init: RequestInit } {
  // What it sends and expects has the shapes of this version.
  const headers: Record<string, string> = { [versionHeader]: newestVersionText }
  if (options.token) headers.authorization = `Bearer ${options.token}`
  if (options.ifMatch) headers['if-match'] = options.ifMatch
  if (options.ifPlan) headers['if-plan'] = options.ifPlan
  if (options.tags) headers[tagsHeader] = tagsToHeader(options.tags)
  if (body !== undefined) headers['content-type'] = 'application/json'
  const init: RequestInit = { method: op.method, headers, credentials: 'same-origin' }
  if (body !== undefined) init.body = JSON.stringify(toWire(body, recordKeys))
  if (options.content) {
    headers['content-type'] = 'application/octet-stream'
    headers['content-digest'] = `sha-256=:${options.content.sha256}:`
    init.body = options.content.bytes
  }
  if (options.signal) init.signal = options.signal
  return { url: (options.base ?? '') + pathOf(op.path, path) + queryOf(query), init }
}

async function read<T>(url: string, response: Response, decode: typeof fromWire): Promise<ApiResult<T>> {
  const answered = { url, statusCode: response.status, headers: response.headers }
  const text = await response.text().catch(() => '')
  let parsed: unknown
  try {
    parsed = text === '' ? {} : (response.ok ? decode : fromWire)(JSON.parse(text), recordKeys)
  } catch (cause) {
    return { type: 'client_error', error: cause as Error, text, ...answered }
  }
  if (response.ok) return { type: 'success', data: parsed as T, ...answered }
  const {
    requestId = '',
    errorCode,
    message = '',
  } = parsed as { requestId?: string; errorCode?: string; message?: string }
  const data: ErrorBody = { ...(parsed as object), request_id: requestId, message }
  if (errorCode) data.error_code = errorCode
  return { type: 'error', data, ...answered }
}

export function pathOf(template: string, values: Record<string, unknown>): string {
  const wire = toWire(values, recordKeys) as Record<string, unknown>
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(wire[name])))
}

/** Null and undefined are omitted, arrays repeat the key, dates are ISO. */
export function queryOf(query: Record<string, unknown>): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null || item === undefined) continue
      search.append(snakeKey(key), item instanceof Date ? item.toISOString() : String(item))
    }
  }
  const text = search.toString()
  return text && `?${text}`
}
