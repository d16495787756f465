import { failureText } from '#/features/common/failure-text.ts'
import type { FailedAttempt } from './attempt.ts'

/** The reason for a failure, for steps at which it reveals nothing to a stranger. */
export const problemText = ({ failure }: FailedAttempt): string =>
  failure.statusCode === 429 ? 'Too many attempts.' : failureText(failure)
