import type { InputOf, OpRef } from '@gantry/api/client/client'
import type { OpName } from '@gantry/api/registry'
import { client } from '../../data/client.ts'
import { type Failure, failureOf } from '../../data/failure.ts'

export interface FailedAttempt {
  failure: Failure
  /** Before this moment it is not worth another try. */
  retryAt: Date | undefined
}

/**
 * Tries something that may be tried only so often; undefined when it succeeded. Not by way of `call`, because whoever
 * has no session yet cannot have lost it.
 */
export async function attempt<Name extends OpName>(
  op: OpRef<Name>,
  input: InputOf<Name>,
): Promise<FailedAttempt | undefined> {
  const result = await client(op, input)
  if (result.type === 'success') return undefined
  const seconds = Number(result.headers.get('retry-after'))
  return {
    failure: await failureOf(op, result),
    retryAt: seconds > 0 ? new Date(Date.now() + seconds * 1000) : undefined,
  }
}
