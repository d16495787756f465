import { generationKey } from './implement.ts'

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
 * How a named resource is shown: its identity first, then what is its own; the HTTP layer takes the ETag from the
 * generation beside it. Assigned rather than spread, which takes eight times as long in lists.
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
