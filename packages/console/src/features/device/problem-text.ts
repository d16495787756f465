import type { Failure } from '#/data/failure.ts'
import { failureText } from '#/features/common/failure-text.ts'

/** Whether the server rejected the code itself, and not the rate of attempts or the connection. */
export const isInvalidCode = ({ statusCode }: Pick<Failure, 'statusCode'>): boolean =>
  statusCode >= 400 && statusCode < 500 && statusCode !== 429

export function problemText({ failure }: { failure: Failure }): string {
  if (isInvalidCode(failure)) return 'Code is invalid'
  return failure.statusCode === 429 ? 'Too many attempts.' : failureText(failure)
}
