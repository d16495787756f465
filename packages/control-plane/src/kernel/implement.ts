import type { Ops, BodyOf, OpName, PathOf, QueryOf, ReturnOf } from '@gantry/api/registry'
import type { Cx } from './cx.ts'

export interface Input<Name extends OpName> {
  path: PathOf<Ops[Name]>
  query: QueryOf<Ops[Name]>
  body: BodyOf<Ops[Name]>
}

interface More {
  stream?: ReadableStream<Uint8Array>
  /** Where success has another status than the contract's, or a protocol of its own says no. */
  status?: number
}

/** An answer that is more than its body: cookies, a stream. */
export class Reply {
  constructor(
    readonly body: unknown,
    /** A name with several values is a header for each. */
    readonly headers: Readonly<Record<string, string | readonly string[]>> = {},
    readonly more: More = {},
  ) {}
}

export type Handler<Name extends OpName> = (
  cx: Cx,
  input: Input<Name>,
) => Promise<ReturnOf<Ops[Name]> | Reply>
export type Handlers<Names extends OpName> = { [Name in Names]: Handler<Name> }

/** Binds operations to service functions; a forgotten operation or a wrong shape does not compile. */
export const implement = <Names extends OpName>(handlers: Handlers<Names>): Handlers<Names> => handlers

/** Where a view keeps its row's generation: JSON does not see it, the HTTP layer makes the ETag of it. */
export const generationKey = Symbol('generation')

export const generationOf = (view: unknown): number | undefined =>
  typeof view === 'object' && view !== null
    ? (view as { [generationKey]?: number })[generationKey]
    : undefined
