import type { OpName, Ops } from '@gantry/api/registry'
import type { ReturnOf } from '@gantry/api/op'
import type { Cx } from '../context/cx.ts'
import type { Parsed } from '../parse/parse.ts'
import type { ByteSocket } from '../environment.ts'

export type Input<Name extends OpName> = Parsed<Ops[Name]>

interface More {
  stream?: ReadableStream<Uint8Array>
  /**
   * Set when success has a different status than the contract's, or another protocol defines its refusals.
   */
  status?: number
}

/** A response with more than a body: cookies, a stream. */
export class Reply {
  constructor(
    readonly body: unknown,
    /** A name with several values is sent as one header per value. */
    readonly headers: Readonly<Record<string, string | readonly string[]>> = {},
    readonly more: More = {},
  ) {}
}

/** The answer to a request for a WebSocket: what happens on the connection. */
export class Upgraded {
  constructor(readonly serve: (socket: ByteSocket) => Promise<void>) {}
}

export type Handler<Name extends OpName> = (
  cx: Cx,
  input: Input<Name>,
) => Promise<ReturnOf<Ops[Name]> | Reply | Upgraded>
export type Handlers<Names extends OpName> = { [Name in Names]: Handler<Name> }

/** Binds operations to service functions; a forgotten operation or a wrong shape does not compile. */
export const implement = <Names extends OpName>(handlers: Handlers<Names>): Handlers<Names> => handlers
