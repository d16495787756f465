import type { RoleName } from '@gantry/api/roles.rules'
import { Failure } from '#/data/failure.ts'
import { type Edit, edited, isDone, hasConcurrentChange, roleIn } from './assignments.ts'
import type { PolicyPlace } from './policy-place.ts'

/** Other users would have to write between our read and our write this often in a row. */
const maxAttempts = 5

/** Another user changed the same identity's role in the meantime; overwriting that needs the user's decision. */
export class ConcurrentChange extends Failure {
  constructor(readonly now: RoleName | undefined) {
    super({
      message: now ? `Someone else has changed this role to ${now}` : 'Someone else has removed this role',
      statusCode: 412,
      help: 'Nothing was changed. Submit again to apply your change.',
    })
  }
}

/**
 * Makes one change to a policy, which is sent as one document: reads the current document, and retries with the next
 * if another user wrote first. Users who change different roles lose none of each other's work.
 */
export async function changePolicy(place: PolicyPlace, edit: Edit): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { data, etag } = await place.read()
    if (isDone(data.roleAssignments, edit)) return
    if (hasConcurrentChange(data.roleAssignments, edit))
      throw new ConcurrentChange(roleIn(data.roleAssignments, edit))
    try {
      await place.write(edited(data.roleAssignments, edit), etag)
      return
    } catch (cause) {
      const isStale = cause instanceof Failure && cause.statusCode === 412
      if (!isStale || attempt === maxAttempts) throw cause
    }
  }
}
