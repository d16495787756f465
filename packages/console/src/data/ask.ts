import type { InputOf, OpRef, OutputOf } from '@gantry/api/client/client'
import type { OpName } from '@gantry/api/registry'
import { client } from './client.ts'

/** What the server answers; undefined where it does not, for those who can go on without. */
export async function ask<Name extends OpName>(
  op: OpRef<Name>,
  input: InputOf<Name>,
): Promise<OutputOf<Name> | undefined> {
  const result = await client(op, input)
  return result.type === 'success' ? result.data : undefined
}
