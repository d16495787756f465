import type { Operation } from './document.ts'

/** A request in its final form, so that anything can be written wrongly. */
export interface Draft {
  op: Operation
  method: string
  path: string
  query: [key: string, value: string][]
  headers: Record<string, string>
  /** The body's value; `text` is set if it is not plain JSON of that value. */
  body: unknown
  text: string | Uint8Array<ArrayBuffer> | undefined
}
