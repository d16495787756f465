import type { BulkAction } from '@gantry/api/compute/instance-action.rules'
import { instanceAllows } from '@gantry/api/compute/instance.rules'
import { allows } from '@gantry/api/base/state.rules'
import type { Instance } from '../queries.ts'
import { formatNumber } from '#/ui/data/format.ts'
import { whyNotInstance } from '../reasons.ts'

type Selected = Pick<Instance, 'id' | 'name' | 'runState'>

export interface BulkPlan {
  /** The instances whose state allows the action. */
  eligible: Selected[]
  /** The action's label, with a count if it does not apply to all. */
  label: string
  /** Why it applies to none of them. */
  whyNot: string | undefined
}

const words: Record<BulkAction, string> = { start: 'Start', stop: 'Stop', reboot: 'Reboot', delete: 'Delete' }

/** The effect of an action on the selected instances. */
export function bulkPlan(action: BulkAction, selected: readonly Selected[]): BulkPlan {
  const eligible = selected.filter(({ runState }) => allows(instanceAllows, action, runState))
  const isForAll = eligible.length === selected.length
  const reasons = new Set(selected.map(({ runState }) => whyNotInstance(action, runState)))
  return {
    eligible,
    label:
      isForAll || eligible.length === 0
        ? words[action]
        : `${words[action]} ${eligible.length} of ${selected.length}`,
    whyNot: eligible.length > 0 ? undefined : ([...reasons].find(Boolean) ?? 'Select instances first'),
  }
}

const neededState = { start: 'stopped', stop: 'running', reboot: 'running', delete: 'stopped' } as const

/** The message about selected instances whose state does not allow the action. */
export function skippedWords(action: BulkAction, count: number): string {
  const state = neededState[action]
  return count === 1
    ? `The other one isn't ${state} and will be skipped.`
    : `The other ${formatNumber(count)} aren't ${state} and will be skipped.`
}
