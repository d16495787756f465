import type { RoleName } from '@gantry/api/roles.rules'
import { Failure } from '#/data/failure.ts'
import { type Edit, edited, isDone, isOvertaken, roleIn } from './assignments.ts'
import type { PolicyPlace } from './policy-place.ts'

/** Somebody would have to write between our reading and our writing this often in a row. */
const maxAttempts = 5

/** Somebody else decided otherwise about the same identity meanwhile; that is not for us to undo unasked. */
export class Overtaken extends Failure {
  constructor(readonly now: RoleName | undefined) {
    super({
      message: now ? `Someone else has changed this role to ${now}` : 'Someone else has removed this role',
      statusCode: 412,
      help: 'Nothing was changed. Submit again to apply your change.',
    })
  }
}

/**
 * Makes one change in a policy, which travels as one document: in the document of now, and again in the next one if
 * somebody else was faster. So people who work on different roles lose nothing of each other's work.
 */
export async function changePolicy(place: PolicyPlace, edit: Edit): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { data, etag } = await place.read()
    if (isDone(data.roleAssignments, edit)) return
    if (isOvertaken(data.roleAssignments, edit)) throw new Overtaken(roleIn(data.roleAssignments, edit))
    try {
      await place.write(edited(data.roleAssignments, edit), etag)
      return
    } catch (cause) {
      const isStale = cause instanceof Failure && cause.statusCode === 412
      if (!isStale || attempt === maxAttempts) throw cause
    }
  }
}
