import * as op from '@gantry/api/client/operations.gen'
import { useQueryClient } from '@tanstack/react-query'
import { readAfter } from '#/data/queries.ts'
import { conflictSlot } from './conflict-slot.ts'
import type { RuleChange } from './merge.ts'
import { ruleServer } from './queries.ts'
import { type SavedRules, saveChanges, type SeenRules } from './save.ts'

/** Applies changes to the VPC rules the user saw. Asks if another user has changed the same ones. */
export function useSaveRules(project: string, vpc: string) {
  const queryClient = useQueryClient()
  return async (seen: SeenRules, changes: readonly RuleChange[]): Promise<SavedRules> => {
    try {
      return await saveChanges(ruleServer(project, vpc), conflictSlot.decide, seen, changes)
    } finally {
      // Whatever the result, the list may have changed.
      await readAfter(queryClient, op.vpcFirewallRulesUpdate)
    }
  }
}
