import { z } from 'zod'
import { KiB } from './bytes.rules.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Shape = z.ZodObject
type Schema = z.ZodType

/** Kinds of objects that travel on the change stream; an operation names those its answer is made of. */
export type Kind =
  | 'project'
  | 'instance'
  | 'instance-action'
  | 'disk'
  | 'snapshot'
  | 'image'
  | 'image-upload'
  | 'vpc'
  | 'vpc-subnet'
  | 'vpc-router'
  | 'router-route'
  | 'vpc-firewall-rule'
  | 'internet-gateway'
  | 'internet-gateway-ip-pool'
  | 'internet-gateway-ip-address'
  | 'instance-network-interface'
  | 'external-ip'
  | 'floating-ip'
  | 'ip-pool'
  | 'affinity-group'
  | 'affinity-group-member'
  | 'anti-affinity-group'
  | 'anti-affinity-group-member'
  | 'ssh-key'
  | 'console-session'
  | 'device-access-token'
  | 'second-factor'
  | 'silo'
  | 'silo-auth-settings'
  | 'saml-identity-provider'
  | 'silo-user'
  | 'silo-group'
  | 'silo-quotas'
  | 'policy'
  | 'certificate'
  | 'utilization'
  | 'sled'
  | 'fault'

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
  reads: readonly Kind[]
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

/** Gives a family of operations its tag and the kinds that their answers are made of. */
export function family<Ops extends Record<string, Operation>>(
  tag: string,
  reads: readonly Kind[],
  ops: Ops,
): Ops {
  for (const op of Object.values(ops)) {
    op.tag ||= tag
    if (op.method === 'GET' && op.reads.length === 0) op.reads = reads
  }
  return ops
}
