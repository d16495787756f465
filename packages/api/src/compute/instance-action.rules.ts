import type { RunState } from './instance.rules.ts'

/** Actions on many instances in one request, each equivalent to the single call. */
export const bulkActions = ['start', 'stop', 'reboot', 'delete'] as const
export type BulkAction = (typeof bulkActions)[number]

/** What one task does with each of several instances: an action, or creating it. */
export const runActions = [...bulkActions, 'create'] as const
export type RunAction = (typeof runActions)[number]

export const bulkActionLimits = {
  instances: 1000,
  /** Hours to keep a finished one, as long as its task. */
  keptHours: 30 * 24,
  /** Maximum number listed, newest first. */
  listed: 20,
  /** Minutes after which an instance still in transition counts as failed. */
  settleMinutes: 10,
} as const

interface Course {
  wanted: RunState
  /** Transitional states on the way to the target state. */
  onTheWay: readonly RunState[]
}
const courses: Record<Exclude<BulkAction, 'delete'>, Course> = {
  start: { wanted: 'running', onTheWay: ['starting', 'rebooting', 'migrating', 'repairing'] },
  stop: { wanted: 'stopped', onTheWay: ['stopping'] },
  reboot: { wanted: 'running', onTheWay: ['starting', 'rebooting', 'migrating', 'repairing'] },
}

/**
 * Whether an instance that accepted the action has reached the target state, is in transition, or will not
 * reach it.
 */
export function bulkOutcome(
  action: BulkAction,
  state: RunState | undefined,
): 'reached' | 'under_way' | 'missed' {
  if (action === 'delete') return state === undefined ? 'reached' : 'missed'
  const { wanted, onTheWay } = courses[action]
  if (state === wanted) return 'reached'
  return state !== undefined && onTheWay.includes(state) ? 'under_way' : 'missed'
}

/**
 * Why an instance counts as failed although it accepted the action; its own failure, if any, is more
 * specific.
 */
export const missedWords = (action: BulkAction, state: RunState | undefined): string => {
  if (state === undefined) return 'The instance was deleted meanwhile.'
  return bulkOutcome(action, state) === 'under_way'
    ? `The instance is still ${state} after ${bulkActionLimits.settleMinutes} minutes.`
    : `The instance is ${state} now.`
}
