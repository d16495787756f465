import type { Favourite } from '@gantry/api/views/favourite'
import { type FavouriteKind, favouriteKinds, maxFavourites } from '@gantry/api/views/favourite.rules'
import { type RawBuilder, sql } from 'kysely'
import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { invalid } from '../../context/refusal.ts'
import { ancestryOf } from '../../lookup/ancestry.ts'
import { kinds } from '../../lookup/kinds.ts'
import { sees } from '../../lookup/location.ts'
import { addressOf, need } from '../../lookup/need.ts'
import type { Input } from '../../pipeline/implement.ts'
import { tellUser } from '../notifications/raise.ts'
import { tableOf } from '../../lookup/table-of.ts'

interface Found extends Favourite {
  silo_id: string | null
  project_id: string | null
}

/** What was deleted, or may not be seen any more, is absent: it comes back if the object does. */
export async function listFavourites(cx: Cx): Promise<{ items: Favourite[] }> {
  const { user_id } = cx.user()
  const { rows } = await sql<Found>`SELECT * FROM (${sql.join(
    favouriteKinds.map((kind) => found(kind, user_id)),
    sql` UNION ALL `,
  )}) found ORDER BY time_created DESC, id`.execute(cx.db)
  const visible = rows.filter(({ kind, silo_id, project_id }) =>
    sees(cx, tableOf(kind), { silo_id: silo_id ?? undefined, project_id }),
  )
  return {
    items: visible.map(({ kind, id, name, project_name, time_created }) => ({
      kind,
      id,
      name,
      project_name,
      time_created,
    })),
  }
}

function found(kind: FavouriteKind, user: string): RawBuilder<unknown> {
  const { from, exists, name, silo_id, project_id } = ancestryOf(tableOf(kind))
  return sql`
    SELECT ${kind}::text AS kind, t0.id, ${name}::text AS name, f.time_created, ${silo_id} AS silo_id,
      ${project_id} AS project_id,
      ${kind === 'project' ? sql`NULL::text` : sql`(SELECT p.name::text FROM project p WHERE p.id = ${project_id})`} AS project_name
    FROM ${from} JOIN favourite f ON f.object_id = t0.id
    WHERE f.silo_user_id = ${user}::uuid AND f.kind = ${kind} AND ${exists}`
}

/** Again, it stays as it is. */
export async function addFavourite(
  cx: Cx,
  { path: { object_id }, query: { kind } }: Input<'favouriteAdd'>,
): Promise<Favourite> {
  const { user_id, silo_id } = cx.user()
  const table = tableOf(kind)
  const { row } = await need(cx, table, { [kinds[table].selector]: object_id }, 'read')
  const known = await listFavourites(cx)
  const seen = new Set([row.id, ...known.items.map(({ id }) => id)])
  const before = await cx.db
    .selectFrom('favourite')
    .select('object_id')
    .where('silo_user_id', '=', user_id)
    .execute()
  const gone = before.map((each) => each.object_id).filter((id) => !seen.has(id))
  await change(cx, { silo_id, project_id: null }, async (tx) => {
    await tx.hold('silo_user', user_id)
    const kept = await tx.read
      .selectFrom('favourite')
      .select('object_id')
      .where('silo_user_id', '=', user_id)
      .execute()
    if (kept.some((each) => each.object_id === row.id)) return
    if (kept.length >= maxFavourites) {
      if (!kept.some((each) => gone.includes(each.object_id)))
        throw invalid(
          `You have ${maxFavourites} favourites, which is the limit.`,
          'Take an object off your favourites first.',
        )
      await tx.plain
        .deleteFrom('favourite')
        .where('silo_user_id', '=', user_id)
        .where(sql<boolean>`object_id = ANY (${gone}::uuid[])`)
        .execute()
    }
    await tx.plain
      .insertInto('favourite')
      .values({ silo_user_id: user_id, object_id: row.id, kind, time_created: cx.now() })
      .execute()
    tellUser(tx, 'favourite', user_id, silo_id)
  })
  const { items } = await listFavourites(cx)
  const added = items.find(({ id }) => id === row.id)
  // Deleted meanwhile.
  if (!added) throw addressOf(kinds[table].addressed ?? kinds[table].word, row.id)
  return added
}

export async function removeFavourite(cx: Cx, { path }: Input<'favouriteRemove'>): Promise<void> {
  const { user_id, silo_id } = cx.user()
  await change(cx, { silo_id, project_id: null }, async (tx) => {
    const { numDeletedRows } = await tx.plain
      .deleteFrom('favourite')
      .where('silo_user_id', '=', user_id)
      .where('object_id', '=', path.object_id)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw addressOf('favourite', path.object_id)
    tellUser(tx, 'favourite', user_id, silo_id)
  })
}
