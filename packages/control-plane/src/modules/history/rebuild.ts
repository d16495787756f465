import type { Row } from '../../db/tables.ts'

type Contents = Row<'change'>['before']

/** A change of one object, as far as going back before it needs it. */
export interface Undone {
  generation: number
  before: Contents
}

/**
 * What an object was before some of its changes. Each of them has all of the object as it found it, so the first
 * decides; without any, it was as it is now. Null if it did not exist.
 */
export function rebuilt(now: Contents, since: readonly Undone[]): Contents {
  const [first] = since.toSorted((one, other) => one.generation - other.generation)
  return first ? first.before : now
}
