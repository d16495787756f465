import { z } from 'zod'
import { KiB } from './bytes.rules.ts'
import type { Kind } from './kind.gen.ts'

export type { Kind } from './kind.gen.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Shape = z.ZodObject
type Schema = z.ZodType

export interface Operation<
  Path extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends Schema = Schema,
  Returns extends Schema = Schema,
> {
  method: Method
  /** Path template; `{name}` parts are described by `pathParams`. */
  path: string
  pathParams: Path
  query: Query
  body: Body | undefined
  returns: Returns | undefined
  /** Status of success. */
  status: number
  tag: string
  summary: string
  /** Query fields that a first page must name and a page token replaces. */
  requiredOnFirstPage: readonly string[]
  /** Sort modes of a list, the default first. */
  sorts: readonly string[] | undefined
  /** Kinds that the answer is made of. */
  reads: readonly Kind[]
  /** Kinds that success may leave a change record of: what is made of them is read again. */
  changes: readonly Kind[]
  /** Who may call without signing in. */
  anonymous: boolean
  /** Whether a page of another site may make a browser send it: an identity provider's does. */
  fromElsewhere: boolean
  /** The page, by its path, to which a browser that came here by itself is sent back when it is refused. */
  refusedAt: string | undefined
  /**
   * Whether success leaves a record in the audit log: what only reads leaves none, and pieces of an upload are told of
   * by its beginning and end.
   */
  audited: boolean
  /** How the body is written; `bytes` are read by the handler. */
  encoding: 'json' | 'form' | 'bytes'
  /** Most bytes of a JSON or form body. */
  bodyMax: number
  /**
   * Most bytes of a body that is bytes and not JSON, with a `Content-Digest` that they are checked by (RFC 9530); the
   * handler reads it, once it knows that the caller may.
   */
  maxBytes: number | undefined
  /** `json`, or a protocol of its own that no generic client can speak. */
  transport: 'json' | 'websocket' | 'event-stream'
}

/** Bytes of a body; an operation that needs more says so. The reference takes 1 MiB everywhere. */
const bodyMax = 64 * KiB
/** Of a body that anybody may send. */
const anonymousBodyMax = 16 * KiB

interface Spec<P extends Shape, Q extends Shape, B extends Schema, R extends Schema> {
  summary: string
  path?: P
  query?: Q
  body?: B
  returns?: R
  status?: number
  tag?: string
  requiredOnFirstPage?: readonly string[]
  sorts?: readonly string[]
  reads?: readonly Kind[]
  changes?: readonly Kind[]
  anonymous?: boolean
  fromElsewhere?: boolean
  refusedAt?: string
  encoding?: Operation['encoding']
  audited?: boolean
  bodyMax?: number
  maxBytes?: number
  transport?: Operation['transport']
}

// oxlint-disable-next-line typescript/no-generated-empty-object-type -- an operation without parameters has just that
type Nothing = z.ZodObject<Record<never, never>>

const define =
  (method: Method, status: number) =>
  <
    P extends Shape = Nothing,
    Q extends Shape = Nothing,
    B extends Schema = z.ZodNever,
    R extends Schema = z.ZodVoid,
  >(
    path: string,
    spec: Spec<P, Q, B, R>,
  ): Operation<P, Q, B, R> => ({
    method,
    path,
    pathParams: spec.path ?? (z.object({}) as unknown as P),
    query: spec.query ?? (z.object({}) as unknown as Q),
    body: spec.body,
    returns: spec.returns,
    status: spec.status ?? status,
    tag: spec.tag ?? '',
    summary: spec.summary,
    requiredOnFirstPage: spec.requiredOnFirstPage ?? [],
    sorts: spec.sorts,
    reads: spec.reads ?? [],
    changes: spec.changes ?? ofFamily,
    anonymous: spec.anonymous ?? false,
    fromElsewhere: spec.fromElsewhere ?? false,
    refusedAt: spec.refusedAt,
    encoding: spec.encoding ?? (spec.maxBytes === undefined ? 'json' : 'bytes'),
    audited: spec.audited ?? true,
    bodyMax: spec.bodyMax ?? (spec.anonymous ? anonymousBodyMax : bodyMax),
    maxBytes: spec.maxBytes,
    transport: spec.transport ?? 'json',
  })

export const get = define('GET', 200)
export const post = define('POST', 201)
export const put = define('PUT', 200)
export const del = define('DELETE', 204)

/** Stands for the kinds of the operation's family until it is known. */
const ofFamily: readonly Kind[] = []

/** Gives a family of operations its tag and the kinds that its reads answer with and its writes change. */
export function family<Ops extends Record<string, Operation>>(
  tag: string,
  kinds: readonly Kind[],
  ops: Ops,
): Ops {
  for (const op of Object.values(ops)) {
    op.tag ||= tag
    if (op.method === 'GET') {
      if (op.reads.length === 0) op.reads = kinds
    } else if (op.changes === ofFamily) op.changes = kinds
  }
  return ops
}
