import type { InputOf, OpRef, OutputOf } from '@gantry/api/client/client'
import type { OpName } from '@gantry/api/registry'
import type { FactorKind, SecondStepKind } from '@gantry/api/people/second-factor.rules'
import { client } from '#/data/client.ts'
import { type Failure, failureOf } from '#/data/failure.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'

export interface FailedAttempt {
  failure: Failure
  /** The server refuses attempts before this time. */
  retryAt: Date | undefined
  /** The steps that remain after a correct password. */
  next?: NextStep | undefined
}

type Outcome<Data> = { data: Data; problem?: undefined } | { problem: FailedAttempt }

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

/** The step after a correct password: one of several factors, setting up the first one, or a new password. */
export type NextStep =
  | { does: 'show'; kinds: readonly SecondStepKind[] }
  | { does: 'set up'; kinds: readonly FactorKind[] }
  | { does: 'replace' }

/** The next step in a refusal of the password. Servers without second factors name none. */
export function nextStepIn(body: object): NextStep | undefined {
  const { second_factor: shown, second_factor_set_up: made, new_password: replaced } = detailsOf(body)
  if (Array.isArray(shown)) return { does: 'show', kinds: shown as SecondStepKind[] }
  if (Array.isArray(made)) return { does: 'set up', kinds: made as FactorKind[] }
  return replaced === true ? { does: 'replace' } : undefined
}

const detailsOf = (body: object): Record<string, unknown> =>
  'details' in body && typeof body.details === 'object' ? { ...body.details } : {}
