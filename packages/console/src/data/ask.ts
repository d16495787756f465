import type { InputOf, OpRef, OutputOf } from '@gantry/api/client/client'
import type { OpName } from '@gantry/api/registry'
import { client } from './client.ts'

/** The server's answer, or undefined on failure, for optional data. */
export async function ask<Name extends OpName>(
  op: OpRef<Name>,
  input: InputOf<Name>,
): Promise<OutputOf<Name> | undefined> {
  const result = await client(op, input)
  return result.type === 'success' ? result.data : undefined
}
