import { type KindName, kinds } from './kinds.ts'
import type { Reader } from './cx.ts'

/** What keeps an object from being deleted: one of the first kind, in the order of the descriptions, that it holds. */
export async function firstBlocker(
  db: Pick<Reader, 'selectFrom'>,
  holder: KindName,
  id: string,
): Promise<{ words: string; name: string } | undefined> {
  for (const [table, { blocks, parent, orProject }] of Object.entries(kinds)) {
    if (!blocks || (orProject ? 'project' : parent) !== holder) continue
    const row = await db
      .selectFrom(table as 'disk')
      .select('name')
      .where(`${holder}_id` as 'project_id', '=', id)
      .where('time_deleted', 'is', null)
      .limit(1)
      .executeTakeFirst()
    if (row) return { words: blocks, name: row.name }
  }
  return undefined
}
