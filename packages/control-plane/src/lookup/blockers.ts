import { sql } from 'kysely'
import type { Reader } from '../db/database.ts'
import { type KindName, kinds } from './kinds.ts'

/** Objects of one kind that keep their parent from being deleted. */
interface Blocker {
  kind: string
  /** The noun for one of them in a refusal. */
  words: string
  count: number
  /** The first names in order. */
  names: string[]
}

/** Names listed per kind in a refusal; the count covers the rest. */
const maxNames = 20

/** Everything that keeps an object from being deleted, in the order of the kind descriptions. */
export async function blockersOf(
  db: Pick<Reader, 'selectFrom'>,
  holder: KindName,
  id: string,
): Promise<Blocker[]> {
  const found: Blocker[] = []
  for (const [table, { word, blocks, parent, orProject }] of Object.entries(kinds)) {
    if (!blocks || (orProject ? 'project' : parent) !== holder) continue
    const rows = await db
      .selectFrom(table as 'disk')
      .select(['name', sql<number>`count(*) OVER ()`.as('total')])
      .where(`${holder}_id` as 'project_id', '=', id)
      .where('time_deleted', 'is', null)
      .orderBy('name')
      .limit(maxNames)
      .execute()
    const [first] = rows
    if (!first) continue
    found.push({ kind: word, words: blocks, count: first.total, names: rows.map(({ name }) => name) })
  }
  return found
}

/** The blockers as refusal details. */
export const blockerDetails = (blockers: readonly Blocker[]) => ({
  blockers: blockers.map(({ kind, count, names }) => ({ kind, count, names })),
})
