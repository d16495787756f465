import {
  type AttemptResult,
  type DeliveryState,
  deliveryStates,
  type DeliveryTrigger,
  endpointProblem,
  subscriptionPattern,
} from '@gantry/api/system/alert.rules'
import type { StateFamily } from '#/ui/data/StatePlate.tsx'

export type DeliveryStateWord = DeliveryState

/** The state that a query names, if it is one. */
export const stateOf = (word: string | undefined): DeliveryState | undefined =>
  deliveryStates.find((state) => state === word)

interface Shown {
  family: StateFamily
  text: string
}

export const deliveryStateWords: Record<DeliveryState, Shown> = {
  pending: { family: 'busy', text: 'Pending' },
  delivered: { family: 'ok', text: 'Delivered' },
  failed: { family: 'fail', text: 'Failed' },
}

export const triggerWords: Record<DeliveryTrigger, string> = {
  alert: 'Alert',
  resend: 'Resend',
  probe: 'Test',
}

const resultWords: Record<AttemptResult, string> = {
  succeeded: 'Delivered',
  failed_http_error: 'HTTP error',
  failed_unreachable: 'Unreachable',
  failed_timeout: 'Timed out',
}

/** An attempt's result, with the status of the response if there was one. */
export function attemptWords(result: AttemptResult, status: number | null | undefined): Shown {
  const code = typeof status === 'number' ? ` ${status}` : ''
  return { family: result === 'succeeded' ? 'ok' : 'fail', text: `${resultWords[result]}${code}` }
}

interface Fares {
  secretCount: number
  pending: number
  lastAttempt: { result: AttemptResult; status: number | null } | null
}

/** The health of a receiver, by its last attempt. */
export function healthWords({ secretCount, pending, lastAttempt }: Fares): Shown {
  // No delivery is possible, whatever the result of the last attempt.
  if (secretCount === 0) return { family: 'care', text: 'No secrets' }
  if (lastAttempt) return attemptWords(lastAttempt.result, lastAttempt.status)
  if (Number.isNaN(pending)) return { family: 'idle', text: 'Not reported' }
  if (pending > 0) return { family: 'busy', text: 'Pending' }
  return { family: 'idle', text: 'No attempts' }
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The problem with the URL of a receiver, as a sentence. */
export function endpointFieldProblem(text: string): string | undefined {
  const problem = endpointProblem(text.trim())
  return problem && sentence(problem)
}

/** The non-empty lines of a text. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The first line that is neither a class nor a pattern. The server checks whether a class exists. */
export function subscriptionsProblem(text: string): string | undefined {
  const bad = linesOf(text).find((line) => !subscriptionPattern.test(line))
  if (bad === undefined) return undefined
  return `Expected a class such as issue.failed_instance.began, or a pattern such as issue.**, not ${bad}`
}
