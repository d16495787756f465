import { isUuid } from '@gantry/api/base/name.rules'

/** The values of a request that are ids of objects, each once. */
export function idsIn(value: unknown): string[] {
  if (typeof value === 'string') return isUuid(value) ? [value] : []
  if (value === null || typeof value !== 'object') return []
  return [...new Set(Object.values(value).flatMap(idsIn))]
}
