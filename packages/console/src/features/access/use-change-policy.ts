import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { invalidateKinds } from '../../data/queries.ts'
import type { Edit } from './assignments.ts'
import { changePolicy, Overtaken } from './change-policy.ts'
import type { PolicyPlace } from './policy-place.ts'

type Change = (edit: Edit) => Promise<void>

/** Makes one change in a policy; whatever comes of it, what is shown of roles is read again. */
export function useChangePolicy(place: PolicyPlace): Change {
  const queryClient = useQueryClient()
  return async (edit) => {
    try {
      await changePolicy(place, edit)
    } finally {
      await invalidateKinds(queryClient, ['policy'])
    }
  }
}

/** For forms: once it was read what somebody else did meanwhile, sending the same again is a decision. */
export function useDecidePolicy(place: PolicyPlace): Change {
  const change = useChangePolicy(place)
  const [told, setTold] = useState<Pick<Edit, 'identityId' | 'seen'>>()
  return async (edit) => {
    const { identityId } = edit
    try {
      await change(told?.identityId === identityId ? { ...edit, seen: told.seen } : edit)
    } catch (cause) {
      if (cause instanceof Overtaken) setTold({ identityId, seen: cause.now })
      throw cause
    }
  }
}
