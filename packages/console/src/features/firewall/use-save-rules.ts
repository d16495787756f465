import * as op from '@gantry/api/client/operations.gen'
import { useQueryClient } from '@tanstack/react-query'
import { readAfter } from '#/data/queries.ts'
import { conflictSlot } from './conflict-slot.ts'
import type { RuleChange } from './merge.ts'
import { ruleServer } from './queries.ts'
import { type SavedRules, saveChanges, type SeenRules } from './save.ts'

/** Makes changes to the rules of a VPC that the person has seen; asks where somebody else has changed the same ones. */
export function useSaveRules(project: string, vpc: string) {
  const queryClient = useQueryClient()
  return async (seen: SeenRules, changes: readonly RuleChange[]): Promise<SavedRules> => {
    try {
      return await saveChanges(ruleServer(project, vpc), conflictSlot.decide, seen, changes)
    } finally {
      // Whatever came of it, the list may be another one by now.
      await readAfter(queryClient, op.vpcFirewallRulesUpdate)
    }
  }
}
