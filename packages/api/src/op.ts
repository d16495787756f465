import { z } from 'zod'
import { KiB } from './base/bytes.rules.ts'
import type { Kind } from './kind.gen.ts'

export type { Kind } from './kind.gen.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
/** Methods that change nothing. */
export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'
type Shape = z.ZodObject
type Schema = z.ZodType

export interface Operation<
  Path extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends Schema = Schema,
  Returns extends Schema = Schema,
> {
  method: Method
  /** Path template; `pathParams` describes the `{name}` parts. */
  path: string
  /** The dated version from which it exists, and the one from which it is gone; by default it is in all of them. */
  since: number | undefined
  until: number | undefined
  /** Its path for versions before `until`, if it moved. */
  formerPath: { path: string; until: number } | undefined
  /** Another operation of versions before `until` that was the same as this one, with the same parameters. */
  formerTwin: { path: string; id: string; until: number } | undefined
  /** What versions before `until` answered on success, if that had another status. Its handler always answers so. */
  formerAnswer: { status: number; returns: Schema; until: number } | undefined
  /** What parameters were called in versions before `until`, by their later names; null for those that they lacked. */
  formerParams:
    | {
        names: Readonly<Record<string, string | null>>
        /** What a request means that cannot name a parameter. */
        means?: Readonly<Record<string, string>>
        until: number
      }
    | undefined
  /** Its id in descriptions from a version on, if it was renamed. Everywhere else it keeps its first one. */
  laterId: { id: string; since: number } | undefined
  pathParams: Path
  query: Query
  body: Body | undefined
  /** The version from which requests have a body; before, they mean an empty one. */
  bodySince: number | undefined
  returns: Returns | undefined
  /** Status on success. */
  status: number
  tag: string
  summary: string
  /** Query fields that a first page must name and a page token replaces. */
  requiredOnFirstPage: readonly string[]
  /** Sort modes of a list, the default first. */
  sorts: readonly string[] | undefined
  /** Kinds of objects in the response. */
  reads: readonly Kind[]
  /** Kinds of change records that success may leave. Clients refetch the queries that depend on them. */
  changes: readonly Kind[]
  /** Whether anonymous callers are allowed. */
  anonymous: boolean
  /** Whether it ends the caller's session; whose session is over already may send it too. */
  signsOut: boolean
  /**
   * Whether another site's page may make a browser send it: an identity provider's page does, and a device's
   * sign-in uses no cookie.
   */
  fromElsewhere: boolean
  /** The path of the page that shows a refusal to a browser that navigated here. */
  refusedAt: string | undefined
  /** Whether it honours `If-Match`, by default every PUT and DELETE. */
  conditional: boolean
  /**
   * Whether it honours `If-None-Match`: only where the row whose generation is the ETag is all that the answer shows.
   */
  revalidates: boolean
  /**
   * Whether success is audited: reads are not, and pieces of an upload are covered by its beginning and end.
   */
  audited: boolean
  /** Whether it changes nothing, by default every GET and HEAD, so that it may be done twice. */
  onlyReads: boolean
  /** The body's encoding; the handler reads `bytes` itself. */
  encoding: 'json' | 'form' | 'bytes'
  /** Maximum bytes of a JSON or form body. */
  bodyMax: number
  /**
   * Maximum bytes of a binary body, which needs a `Content-Digest` (RFC 9530); the handler reads it after
   * authorising the caller.
   */
  maxBytes: number | undefined
  /**
   * `json`, or a protocol that generic clients do not speak: `text` is Prometheus's,
   * and `bytes` are files, which a client may ask for in ranges.
   */
  transport: 'json' | 'websocket' | 'event-stream' | 'text' | 'bytes'
  /** Why no screen of the console sends it. Every other operation is on one, as a test of `tools` checks. */
  noScreen: { shownBy: string } | { sentBy: string } | undefined
}

/** Default maximum bytes of a body; an operation may set more. The reference allows 1 MiB everywhere. */
const bodyMax = 64 * KiB
/** For a body that anonymous callers may send. */
const anonymousBodyMax = 16 * KiB

interface Spec<P extends Shape, Q extends Shape, B extends Schema, R extends Schema> {
  summary: string
  since?: number
  until?: number
  formerPath?: Operation['formerPath']
  formerTwin?: Operation['formerTwin']
  formerAnswer?: Operation['formerAnswer']
  formerParams?: Operation['formerParams']
  laterId?: Operation['laterId']
  path?: P
  query?: Q
  body?: B
  bodySince?: number
  returns?: R
  status?: number
  tag?: string
  requiredOnFirstPage?: readonly string[]
  sorts?: readonly string[]
  reads?: readonly Kind[]
  changes?: readonly Kind[]
  anonymous?: boolean
  signsOut?: boolean
  fromElsewhere?: boolean
  refusedAt?: string
  conditional?: boolean
  revalidates?: boolean
  encoding?: Operation['encoding']
  audited?: boolean
  onlyReads?: boolean
  bodyMax?: number
  maxBytes?: number
  transport?: Operation['transport']
  /** `shownBy` names an operation whose answer has every field of this one's, `sentBy` the programs that it is for. */
  noScreen?: Operation['noScreen']
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
    since: spec.since,
    until: spec.until,
    formerPath: spec.formerPath,
    formerTwin: spec.formerTwin,
    formerAnswer: spec.formerAnswer,
    formerParams: spec.formerParams,
    laterId: spec.laterId,
    pathParams: spec.path ?? (z.object({}) as unknown as P),
    query: spec.query ?? (z.object({}) as unknown as Q),
    body: spec.body,
    bodySince: spec.bodySince,
    returns: spec.returns,
    status: spec.status ?? status,
    tag: spec.tag ?? '',
    summary: spec.summary,
    requiredOnFirstPage: spec.requiredOnFirstPage ?? [],
    sorts: spec.sorts,
    reads: spec.reads ?? [],
    changes: spec.changes ?? ofFamily,
    anonymous: spec.anonymous ?? false,
    signsOut: spec.signsOut ?? false,
    fromElsewhere: spec.fromElsewhere ?? false,
    refusedAt: spec.refusedAt,
    conditional: spec.conditional ?? (method === 'PUT' || method === 'DELETE'),
    revalidates: spec.revalidates ?? false,
    encoding: spec.encoding ?? (spec.maxBytes === undefined ? 'json' : 'bytes'),
    audited: spec.audited ?? true,
    onlyReads: spec.onlyReads ?? isRead(method),
    bodyMax: spec.bodyMax ?? (spec.anonymous ? anonymousBodyMax : bodyMax),
    maxBytes: spec.maxBytes,
    transport: spec.transport ?? 'json',
    noScreen: spec.noScreen,
  })

export const get = define('GET', 200)
export const head = define('HEAD', 200)
export const post = define('POST', 201)
export const put = define('PUT', 200)
export const del = define('DELETE', 204)

/** A placeholder for the kinds of the operation's family. */
const ofFamily: readonly Kind[] = []

/** Gives a family of operations its tag, and the kinds that its reads return and its writes change. */
export function family<Ops extends Record<string, Operation>>(
  tag: string,
  kinds: readonly Kind[],
  ops: Ops,
): Ops {
  for (const op of Object.values(ops)) {
    op.tag ||= tag
    if (isRead(op.method)) {
      if (op.reads.length === 0) op.reads = kinds
    } else if (op.changes === ofFamily) op.changes = kinds
  }
  return ops
}

/** Input and output of an operation, on the wire. */
export type PathOf<O> = O extends Operation<infer P> ? z.infer<P> : never
export type QueryOf<O> = O extends Operation<infer _P, infer Q> ? z.infer<Q> : never
export type BodyOf<O> = O extends Operation<infer _P, infer _Q, infer B> ? z.infer<B> : never
export type BodyInputOf<O> = O extends Operation<infer _P, infer _Q, infer B> ? z.input<B> : never
export type ReturnOf<O> = O extends Operation<infer _P, infer _Q, infer _B, infer R> ? z.infer<R> : never
