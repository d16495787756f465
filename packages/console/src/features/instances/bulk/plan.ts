import { type BulkAction, bulkActionLimits } from '@gantry/api/compute/instance-action.rules'
import { instanceAllows } from '@gantry/api/compute/instance.rules'
import type { ProtectedAction } from '@gantry/api/history/protection.rules'
import type { Instance } from '../queries.ts'
import { formatNumber } from '#/ui/data/format.ts'
import { whyNotInstance } from '../reasons.ts'

type Selected = Pick<Instance, 'id' | 'name' | 'runState'>

export interface BulkPlan {
  /** The instances whose state and protection allow the action. */
  eligible: Selected[]
  /** The action's label, with a count if it does not apply to all. */
  label: string
  /** Why it applies to none of them. */
  whyNot: string | undefined
  /** Some of the others are protected. */
  hasProtected: boolean
}

const words: Record<BulkAction, string> = { start: 'Start', stop: 'Stop', reboot: 'Reboot', delete: 'Delete' }

/** The effect of an action on the selected instances. */
export function bulkPlan(
  action: BulkAction,
  selected: readonly Selected[],
  whyProtected: (id: string, action: ProtectedAction) => string | undefined = () => undefined,
): BulkPlan {
  const protection = ({ id }: Selected) =>
    action === 'stop' || action === 'delete' ? whyProtected(id, action) : undefined
  const whyNot = (each: Selected) => protection(each) ?? whyNotInstance(action, each.runState)
  const eligible = selected.filter((each) => whyNot(each) === undefined)
  const isForAll = eligible.length === selected.length
  return {
    eligible,
    label:
      isForAll || eligible.length === 0
        ? words[action]
        : `${words[action]} ${eligible.length} of ${selected.length}`,
    whyNot:
      eligible.length > 0 ? undefined : (selected.map(whyNot).find(Boolean) ?? 'Select instances first'),
    hasProtected: selected.some((each) => protection(each) !== undefined),
  }
}

/** The effect of an action on all instances that match, of which only the states are known. */
export function matchingPlan(
  action: BulkAction,
  states: readonly { value: string; count: number }[] = [],
): { count: number; label: string; whyNot: string | undefined } {
  const allowed: readonly string[] = instanceAllows[action]
  const sum = (counted: typeof states): number => counted.reduce((all, { count }) => all + count, 0)
  const count = sum(states.filter(({ value }) => allowed.includes(value)))
  const all = sum(states)
  const most = bulkActionLimits.instances
  return {
    count,
    label:
      count === 0 || count === all
        ? words[action]
        : `${words[action]} ${formatNumber(count)} of ${formatNumber(all)}`,
    whyNot:
      count === 0
        ? `None of the ${formatNumber(all)} that match ${action === 'start' ? 'can be started' : `is ${neededState[action]}`}`
        : count > most
          ? `At most ${formatNumber(most)} at once. Narrow the filter first.`
          : undefined,
  }
}

const neededState = { start: 'stopped', stop: 'running', reboot: 'running', delete: 'stopped' } as const

/** The message about selected instances whose state or protection does not allow the action. */
export function skippedWords(action: BulkAction, count: number, hasProtected = false): string {
  const state = neededState[action]
  if (count === 1)
    return `The other one ${hasProtected ? 'is protected' : `isn't ${state}`} and will be skipped.`
  return `The other ${formatNumber(count)} ${hasProtected ? `are protected or aren't ${state}` : `aren't ${state}`} and will be skipped.`
}
