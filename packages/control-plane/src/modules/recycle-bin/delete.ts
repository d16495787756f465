import { sql } from 'kysely'
import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { notFound } from '../../context/refusal.ts'
import type { Input } from '../../pipeline/implement.ts'
import { deletionOf } from '../deletion/steps.ts'
import { allowItem, isKept, needItem, type Place, scopeOf } from './items.ts'
import { needBin } from './list.ts'
import { purge } from './purge.ts'

/** Deletes an object as its own operation does. */
export async function deleteObject(cx: Cx, { path, query }: Input<'objectDelete'>): Promise<undefined> {
  cx.isForGood = query.for_good
  const step = { kind: query.kind, id: path.object_id, name: null, project_id: null }
  await deletionOf(step).run(cx, step, step)
  return undefined
}

export async function deleteItem(cx: Cx, { path, query }: Input<'recycledItemDelete'>): Promise<undefined> {
  const item = await needItem(cx, path.item_id)
  const whole = query.whole ? item.deletion_id : null
  if (whole) for (const other of await kindsOf(cx, whole)) allowItem(cx, other)
  await change(cx, scopeOf(item), async (tx) => {
    const gone = await purge(tx, sql`id = ${item.id}`, 'asked')
    if (gone.length === 0) throw notFound('recycled-item', { id: item.id })
    // The loop deletes the rest in portions.
    if (whole)
      await sql`UPDATE recycled SET time_expires = ${cx.now()}
        WHERE deletion_id = ${whole} AND time_expires > ${cx.now()}`.execute(tx.plain)
  })
  return undefined
}

/** One of each kind in each place that a deletion took. */
async function kindsOf(cx: Cx, deletion_id: string): Promise<Place[]> {
  const { rows } = await sql<Place>`SELECT DISTINCT ON (t.project_id, t.kind) t.kind, t.object_id, t.silo_id,
    t.project_id FROM recycled t WHERE t.deletion_id = ${deletion_id} AND ${isKept(cx)}`.execute(cx.db)
  return rows
}

/** Networks may be among it. Everything is out of reach at once, and the loop deletes it in portions, however much it is. */
export async function emptyBin(cx: Cx, { query }: Input<'recycleBinEmpty'>): Promise<undefined> {
  const { silo_id, project_id } = await needBin(cx, query, 'create_child', 'projectNetwork')
  await change(cx, { silo_id, project_id }, async (tx) => {
    const which =
      project_id === null ? sql`silo_id = ${silo_id} AND project_id IS NULL` : sql`project_id = ${project_id}`
    await sql`UPDATE recycled SET time_expires = ${cx.now()} WHERE ${which} AND time_expires > ${cx.now()}`.execute(
      tx.plain,
    )
    tx.note('recycled-item', project_id ?? silo_id, undefined, undefined)
  })
  return undefined
}
