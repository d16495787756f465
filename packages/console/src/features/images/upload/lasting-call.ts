import type { CallOptions, InputOf, OpRef, OutputOf } from '@gantry/api/client/client'
import type { OpName } from '@gantry/api/registry'
import { call } from '#/data/client.ts'
import { Failure } from '#/data/failure.ts'
import { session } from '#/data/session.ts'

/** Like `call`, but for an upload that outlasts its session: waits until the user has signed in again, and resumes. */
export async function lastingCall<Name extends OpName>(
  op: OpRef<Name>,
  input: InputOf<Name>,
  options: CallOptions = {},
): Promise<OutputOf<Name>> {
  for (;;) {
    try {
      return (await call(op, input, options)).data
    } catch (error) {
      if (!(error instanceof Failure) || error.statusCode !== 401) throw error
      await session.renewed(options.signal)
    }
  }
}
