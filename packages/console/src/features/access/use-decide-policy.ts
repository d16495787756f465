import { useState } from 'react'
import type { Edit } from './assignments.ts'
import { ConcurrentChange } from './change-policy.ts'
import type { PolicyPlace } from './policy-place.ts'
import { type Change, useChangePolicy } from './use-change-policy.ts'

/** For forms: after the user has read about a concurrent change, sending the same again is a decision. */
export function useDecidePolicy(place: PolicyPlace): Change {
  const change = useChangePolicy(place)
  const [reported, setReported] = useState<Pick<Edit, 'identityId' | 'seen'>>()
  return async (edit) => {
    const { identityId } = edit
    try {
      await change(reported?.identityId === identityId ? { ...edit, seen: reported.seen } : edit)
    } catch (cause) {
      if (cause instanceof ConcurrentChange) setReported({ identityId, seen: cause.now })
      throw cause
    }
  }
}
