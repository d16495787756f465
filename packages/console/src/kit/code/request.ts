import type { LooseInput, OpRef } from '@gantry/api/client/client'
import type { Tag } from '@gantry/api/tags/tag.rules'

/** A request as a form, a list or a page sends it. */
export interface CodeRequest {
  op: Pick<OpRef, 'name' | 'method' | 'path'>
  input: LooseInput
  /** Of what it creates. */
  tags?: readonly Tag[] | undefined
  /** What follows the names of the variables of its secrets. */
  secrets?: string | undefined
  /** The object that it answers with, if it is on screen. */
  shown?: Readonly<Record<string, unknown>> | undefined
}
