/** What the package `@gantry/client` consists of. */
export {
  type ApiResult,
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type InputOf,
  type OpRef,
  type OutputOf,
  requestOf,
} from './client.ts'
export { eventParser, type StreamEvent } from './event-stream.ts'
export { itemsOf, RefusedError, unwrap } from './items.ts'
export * as op from './operations.gen.ts'
export type { ErrorBody } from '../base/errors.rules.ts'
export type { OpName } from '../registry.ts'
