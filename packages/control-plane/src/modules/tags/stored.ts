import { inOrder, type Tag } from '@gantry/api/tags/tag.rules'
import type { StoredTags } from '../../db/tables/column-types.ts'

/** The tags of a row, or of one as a change record keeps it. */
export const tagsIn = (stored: unknown): Map<string, string> =>
  new Map(Object.entries((stored ?? {}) as StoredTags))

export const listOf = (tags: ReadonlyMap<string, string>): Tag[] =>
  inOrder([...tags].map(([key, value]) => ({ key, value })))
