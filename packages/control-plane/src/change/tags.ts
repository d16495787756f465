import { isFleetTagged, type TaggedKind } from '@gantry/api/tags/tag.rules'
import { portions } from '../db/portions.ts'
import type { Tx } from '../db/database.ts'
import type { StoredTags } from '../db/tables/column-types.ts'
import type { NewRow } from '../db/tables.ts'

type Contents = Readonly<Record<string, unknown>>
interface Place {
  silo_id: string | null
  project_id: string | null
}

/**
 * The table of tags after the changes of one transaction: an object's tags are in its row, and are found by this table
 * while the object exists.
 */
export class TagRows {
  readonly #stale = new Set<string>()
  readonly #rows = new Map<string, NewRow<'tag'>[]>()

  /** Notes what became of an object. Those without tags, which most are, cost nothing. */
  note(kind: string, before: Contents | undefined, after: Contents | undefined, scope: Place): void {
    const [was, is] = [before?.tags as StoredTags | null, after?.tags as StoredTags | null]
    if (!was && !is) return
    const id = (after ?? before)?.id as string
    if (before && after && isSame(before, after)) return
    if (was) this.#stale.add(id)
    this.#rows.delete(id)
    if (!after || !is) return
    const place = placeOf(kind, after, scope)
    this.#rows.set(
      id,
      // What has tags is of a kind that can have some.
      Object.entries(is).map(([key, value]) => ({
        object_id: id,
        key,
        value,
        kind: kind as TaggedKind,
        ...place,
      })),
    )
  }

  /** Writes what was noted, once. */
  async write(tx: Tx): Promise<void> {
    const stale = [...this.#stale]
    const rows = [...this.#rows.values()].flat()
    this.#stale.clear()
    this.#rows.clear()
    for (const some of portions(stale)) await tx.deleteFrom('tag').where('object_id', 'in', some).execute()
    for (const some of portions(rows)) await tx.insertInto('tag').values(some).execute()
  }
}

const isSame = (before: Contents, after: Contents): boolean =>
  before.project_id === after.project_id && JSON.stringify(before.tags) === JSON.stringify(after.tags)

/** Where an object is; what is below a VPC or an instance has no column for it. */
function placeOf(kind: string, row: Contents, scope: Place): Place {
  if (isFleetTagged(kind as TaggedKind)) return { silo_id: null, project_id: null }
  if (kind === 'project') return { silo_id: row.silo_id as string, project_id: row.id as string }
  const project_id = 'project_id' in row ? (row.project_id as string | null) : scope.project_id
  return { silo_id: scope.silo_id, project_id }
}
