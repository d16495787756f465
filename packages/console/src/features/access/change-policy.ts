import type { RoleName } from '@gantry/api/base/roles.rules'
import { spoken } from '@gantry/api/base/state.rules'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Send } from '#/data/client.ts'
import { Failure } from '#/data/failure.ts'
import { invalidateKinds } from '#/data/queries.ts'
import { type Edit, edited, hasConcurrentChange, isDone, roleIn } from './assignments.ts'
import type { PolicyOwner } from './policy-owner.ts'

/** Other users would have to write between our read and our write this often in a row. */
const maxAttempts = 5

/** Another user changed the same identity's role in the meantime; overwriting that needs the user's decision. */
export class ConcurrentChange extends Failure {
  constructor(readonly now: RoleName | undefined) {
    super({
      message: now
        ? `Someone else has changed this role to ${spoken(now)}`
        : 'Someone else has removed this role',
      statusCode: 412,
      help: 'Nothing was changed. Submit again to apply your change.',
    })
  }
}

/**
 * Makes one change to a policy, which is sent as one document: reads the current document, and retries with the next
 * if another user wrote first. Users who change different roles lose none of each other's work.
 */
export async function changePolicy(owner: PolicyOwner, edit: Edit, send?: Send): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { data, etag } = await owner.read()
    if (isDone(data.roleAssignments, edit)) return
    if (hasConcurrentChange(data.roleAssignments, edit))
      throw new ConcurrentChange(roleIn(data.roleAssignments, edit))
    try {
      await owner.write(edited(data.roleAssignments, edit), etag, send)
      return
    } catch (cause) {
      const isStale = cause instanceof Failure && cause.statusCode === 412
      if (!isStale || attempt === maxAttempts) throw cause
    }
  }
}

type Change = (edit: Edit, send?: Send) => Promise<void>

/** Makes one change to a policy and reads all roles again, whether it succeeds or fails. */
export function useChangePolicy(owner: PolicyOwner): Change {
  const queryClient = useQueryClient()
  return async (edit, send) => {
    try {
      await changePolicy(owner, edit, send)
    } finally {
      await invalidateKinds(queryClient, ['policy'])
    }
  }
}

/** For forms: after the user has read about a concurrent change, sending the same again is a decision. */
export function useDecidePolicy(owner: PolicyOwner): Change {
  const change = useChangePolicy(owner)
  const [reported, setReported] = useState<Pick<Edit, 'identityId' | 'seen'>>()
  return async (edit, send) => {
    const { identityId } = edit
    try {
      await change(reported?.identityId === identityId ? { ...edit, seen: reported.seen } : edit, send)
    } catch (cause) {
      if (cause instanceof ConcurrentChange) setReported({ identityId, seen: cause.now })
      throw cause
    }
  }
}
