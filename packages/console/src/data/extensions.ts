import type { ApiResult, OpRef } from '@gantry/api/client/client'

/** Whether this server has each of our extension paths, as far as known. Missing paths are not requested again. */
const has = new Map<string, boolean>()

const isExtension = (op: Pick<OpRef, 'path'>): boolean => op.path.startsWith('/ext/')

export const isAbsent = (op: Pick<OpRef, 'name'>): boolean => has.get(op.name) === false

/**
 * Servers of the reference API answer 404 to unknown paths, and add an error code when an object is missing. A proxy
 * that answers every path with a page counts as absence too.
 */
export function meansAbsent(op: Pick<OpRef, 'path'>, result: ApiResult<unknown>): boolean {
  if (!isExtension(op) || result.type === 'success') return false
  if (result.type === 'client_error') return result.statusCode === 404 || result.statusCode === 200
  return result.statusCode === 404 && !result.data.error_code
}

/**
 * A path that has answered once never counts as absent: during an update, a proxy may serve a page in the server's
 * place.
 */
export function recordAnswer(op: Pick<OpRef, 'name' | 'path'>, result: ApiResult<unknown>): void {
  if (result.type === 'success') has.set(op.name, true)
  else if (!has.get(op.name) && meansAbsent(op, result)) has.set(op.name, false)
}
