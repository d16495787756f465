import { withAdvice } from '@gantry/api/base/advice.rules'
import type { Failure } from '#/data/failure.ts'

/** The failure, and the server's advice where the message does not contain it. */
export const failureText = ({ message, help }: Pick<Failure, 'message' | 'help'>): string =>
  withAdvice(message, help)
