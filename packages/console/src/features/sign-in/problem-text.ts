import { failureText } from '#/features/common/failure-text.ts'
import type { FailedAttempt } from './attempt.ts'

/** Why it did not go on, once the person is past the point where that could tell a stranger anything. */
export const problemText = ({ failure }: FailedAttempt): string =>
  failure.statusCode === 429 ? 'Too many attempts.' : failureText(failure)
