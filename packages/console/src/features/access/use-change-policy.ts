import { useQueryClient } from '@tanstack/react-query'
import { invalidateKinds } from '#/data/queries.ts'
import type { Edit } from './assignments.ts'
import type { PolicyPlace } from './policy-place.ts'

export type Change = (edit: Edit) => Promise<void>

/** Makes one change to a policy and reads all roles again, whether it succeeds or fails. */
export function useChangePolicy(place: PolicyPlace): Change {
  const queryClient = useQueryClient()
  return async (edit) => {
    try {
      const { changePolicy } = await import('./change-policy.ts')
      await changePolicy(place, edit)
    } finally {
      await invalidateKinds(queryClient, ['policy'])
    }
  }
}
