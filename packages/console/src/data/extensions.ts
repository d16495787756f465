import type { ApiResult, OpRef } from '@gantry/api/client/client'

/** Our own paths that this server turned out not to have; nothing asks for them again. */
const absent = new Set<string>()

const isExtension = (op: Pick<OpRef, 'path'>): boolean => op.path.startsWith('/ext/')

export const isAbsent = (op: Pick<OpRef, 'name'>): boolean => absent.has(op.name)

/**
 * Servers of the reference API answer 404 to unknown paths; one that speaks of a missing object carries an
 * error code. A proxy that answers everything with a page counts as absence too.
 */
export function meansAbsent(op: Pick<OpRef, 'path'>, result: ApiResult<unknown>): boolean {
  if (!isExtension(op) || result.type === 'success') return false
  if (result.type === 'client_error') return result.statusCode === 404 || result.statusCode === 200
  return result.statusCode === 404 && !result.data.error_code
}

export function rememberIfAbsent(op: Pick<OpRef, 'name' | 'path'>, result: ApiResult<unknown>): void {
  if (meansAbsent(op, result)) absent.add(op.name)
}
