import type { InputOf, OpRef, OutputOf } from '@gantry/api/client/client'
import type { OpName } from '@gantry/api/registry'
import { client } from '#/data/client.ts'
import { type Failure, failureOf } from '#/data/failure.ts'
import { type NextStep, nextStepIn } from './next-step.ts'

export interface FailedAttempt {
  failure: Failure
  /** Before this moment it is not worth another try. */
  retryAt: Date | undefined
  /** What was right so far, and what it takes besides. */
  next?: NextStep | undefined
}

export type Outcome<Data> = { data: Data; problem?: undefined } | { problem: FailedAttempt }

/**
 * Tries something that may be tried only so often. Not by way of `call`, because whoever has no session yet cannot have
 * lost it.
 */
export async function outcomeOf<Name extends OpName>(
  op: OpRef<Name>,
  input: InputOf<Name>,
): Promise<Outcome<OutputOf<Name>>> {
  const result = await client(op, input)
  if (result.type === 'success') return { data: result.data }
  const seconds = Number(result.headers.get('retry-after'))
  return {
    problem: {
      failure: await failureOf(op, result),
      retryAt: seconds > 0 ? new Date(Date.now() + seconds * 1000) : undefined,
      next: result.type === 'error' ? nextStepIn(result.data) : undefined,
    },
  }
}

/** The same where only the failure matters; undefined when it succeeded. */
export const attempt = async <Name extends OpName>(
  op: OpRef<Name>,
  input: InputOf<Name>,
): Promise<FailedAttempt | undefined> => (await outcomeOf(op, input)).problem
