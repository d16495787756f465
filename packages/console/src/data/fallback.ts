import type { CallOptions, InputOf, OpRef } from '@gantry/api/client/client'
import type { OpName } from '@gantry/api/registry'
import { type Answer, call } from './client.ts'
import { isAbsent } from './extensions.ts'

/** How to answer an extension's question on a server that lacks the extension. */
export type Fallback<Name extends OpName> = (
  input: InputOf<Name>,
  options: CallOptions,
) => Promise<Answer<Name>>

/** The extension's answer, or the fallback's on servers without it. */
export async function callOr<Name extends OpName>(
  op: OpRef<Name>,
  input: InputOf<Name>,
  options: CallOptions,
  fallback: Fallback<Name> | undefined,
): Promise<Answer<Name>> {
  if (!fallback) return call(op, input, options)
  try {
    return await call(op, input, options)
  } catch (error) {
    if (!isAbsent(op)) throw error
    return fallback(input, options)
  }
}
