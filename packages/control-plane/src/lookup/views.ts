import { generationKey } from './etag.ts'

/** The fields that come first in every named resource. */
interface Identity {
  id: string
  name: string
  description: string
  time_created: string
  time_modified: string
}

interface Named {
  id: string
  name: string
  description: string
  time_created: Date
  time_modified: Date
  generation: number
}

/**
 * The view of a named resource: its identity first, then its own fields; the HTTP layer derives the ETag from
 * the generation beside them. Assigned rather than spread, which is eight times slower in lists.
 */
export function resourceView<View extends Identity>(row: Named, own: Omit<View, keyof Identity>): View {
  const view = {
    id: row.id,
    name: row.name,
    description: row.description,
    time_created: row.time_created.toISOString(),
    time_modified: row.time_modified.toISOString(),
    [generationKey]: row.generation,
  }
  return Object.assign(view, own) as Identity as View
}

/** A view without a name, with its generation, from which the HTTP layer derives the ETag. */
export const withGeneration = <View extends object>(view: View, generation: number): View =>
  Object.assign(view, { [generationKey]: generation })
