// @chunk firewall-shared: of VPCs and of instances, and of no other details.
import * as op from '@gantry/api/client/operations.gen'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Send } from '#/data/client.ts'
import { readAfter } from '#/data/queries.ts'
import { decideConflicts } from './ConflictSlot.tsx'
import type { RuleChange } from './merge.ts'
import { ruleServer } from './queries.ts'
import { saveChanges, type SavedRules, type SeenRules } from './save.ts'

/** Applies changes to the VPC rules the user saw. Asks if another user has changed the same ones. */
export function useSaveRules(project: string, vpc: string) {
  const queryClient = useQueryClient()
  return async (seen: SeenRules, changes: readonly RuleChange[], send?: Send): Promise<SavedRules> => {
    try {
      return await saveChanges(ruleServer(project, vpc, send), decideConflicts, seen, changes)
    } finally {
      // Whatever the result, the list may have changed.
      await readAfter(queryClient, op.vpcFirewallRulesUpdate)
    }
  }
}

/** A success message that includes merged and dropped changes. */
export function savedMessage(success: ReactNode, { merged, dropped, isChanged }: SavedRules): ReactNode {
  return (
    <>
      {isChanged && <span className="block">{success}</span>}
      {merged.length > 0 && (
        <span className="block">Changes by someone else were kept: {listed(merged)}</span>
      )}
      {dropped.length > 0 && (
        <span className="block">
          Left as changed by someone else: {listed(dropped.map(({ name }) => name))}
        </span>
      )}
      {!isChanged && dropped.length === 0 && (
        <span className="block">Someone else has already done this</span>
      )}
    </>
  )
}

const shown = 3

function listed(names: readonly string[]): string {
  const rest = names.length - shown
  return rest > 0 ? `${names.slice(0, shown).join(', ')} and ${rest} more` : names.join(', ')
}
