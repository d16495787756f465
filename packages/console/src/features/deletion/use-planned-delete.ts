import { isSimpleDeletion, type PlannedKind } from '@gantry/api/history/deletion.rules'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { deletionPlan } from './queries.ts'

interface Planned {
  kind: PlannedKind
  id: string
  /** The page of the plan. */
  page: LinkTarget
  /** The simple question, for what has nothing in its way and takes nothing along. */
  ask: () => void
}

/** What `Delete` does: asks at once, or shows the plan if there is anything to show. */
export function usePlannedDelete(): (planned: Planned) => Promise<void> {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return async ({ kind, id, page, ask }) => {
    // A server without plans, or one that refuses to make this one, says why when it is asked to delete.
    const plan = await queryClient.fetchQuery(deletionPlan(kind, id)).catch(() => undefined)
    if (!plan || isSimpleDeletion(plan)) ask()
    else await navigate(page)
  }
}
