import { Refusal } from '../context/refusal.ts'

/** For background work whose object may have been deleted meanwhile. */
export function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof Refusal) || error.code !== 'ObjectNotFound') throw error
}
