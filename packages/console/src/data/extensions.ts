import type { ApiResult, OpRef } from '@gantry/api/client/client'

/** Whether this server has each of our own paths, as far as it has told; nothing asks again for one that it lacks. */
const has = new Map<string, boolean>()

const isExtension = (op: Pick<OpRef, 'path'>): boolean => op.path.startsWith('/ext/')

export const isAbsent = (op: Pick<OpRef, 'name'>): boolean => has.get(op.name) === false

/**
 * Servers of the reference API answer 404 to unknown paths; one that speaks of a missing object carries an
 * error code. A proxy that answers everything with a page counts as absence too.
 */
export function meansAbsent(op: Pick<OpRef, 'path'>, result: ApiResult<unknown>): boolean {
  if (!isExtension(op) || result.type === 'success') return false
  if (result.type === 'client_error') return result.statusCode === 404 || result.statusCode === 200
  return result.statusCode === 404 && !result.data.error_code
}

/** What has answered once is never absent: while a server is being updated, a proxy's page may stand in for it. */
export function noteAnswer(op: Pick<OpRef, 'name' | 'path'>, result: ApiResult<unknown>): void {
  if (result.type === 'success') has.set(op.name, true)
  else if (!has.get(op.name) && meansAbsent(op, result)) has.set(op.name, false)
}
