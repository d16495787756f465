import type { InputOf, OpRef, OutputOf } from '@gantry/api/client/client'
import type { OpName } from '@gantry/api/registry'
import { client } from '#/data/client.ts'
import { type Failure, failureOf } from '#/data/failure.ts'
import { failureText } from '#/features/common/failure-text.ts'
import { type NextStep, nextStepIn } from './next-step.ts'

export interface FailedAttempt {
  failure: Failure
  /** The server refuses attempts before this time. */
  retryAt: Date | undefined
  /** The steps that remain after a correct password. */
  next?: NextStep | undefined
}

export type Outcome<Data> = { data: Data; problem?: undefined } | { problem: FailedAttempt }

/**
 * Makes a rate-limited attempt. Avoids `call`, which treats a 401 as an expired session, because there is no session
 * yet.
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

/** The same if only the failure matters; undefined on success. */
export const attempt = async <Name extends OpName>(
  op: OpRef<Name>,
  input: InputOf<Name>,
): Promise<FailedAttempt | undefined> => (await outcomeOf(op, input)).problem

/** The reason for a failure, for steps at which it reveals nothing to a stranger. */
export const problemText = ({ failure }: FailedAttempt): string =>
  failure.statusCode === 429 ? 'Too many attempts.' : failureText(failure)
