import { sql } from 'kysely'
import type {
  ChosenSharedView,
  ListPreference,
  ListPreferenceUpdate,
} from '@gantry/api/views/list-preference'
import { listPageSize, listPreferenceLimits } from '@gantry/api/views/list-preference.rules'
import { type Change, change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { invalid } from '../../context/refusal.ts'
import type { Reader } from '../../db/database.ts'
import { sees } from '../../lookup/location.ts'
import { tellUser } from '../notifications/raise.ts'

type Stored = Omit<ListPreference, 'shared_views'>
const stored = ['list', 'columns', 'is_dense', 'page_size', 'views'] as const
const byDefault: Omit<Stored, 'list'> = { columns: [], is_dense: false, page_size: listPageSize, views: [] }

export async function listPreferences(cx: Cx): Promise<{ items: ListPreference[] }> {
  const { user_id } = cx.user()
  const kept = await preferencesOf(cx.db, user_id)
  const shared = await chosenViews(cx, cx.db, user_id)
  const lists = [...new Set([...kept.map(({ list }) => list), ...shared.keys()])].sort()
  const byList = new Map(kept.map((row) => [row.list, row]))
  return {
    items: lists.map((list) => ({
      ...(byList.get(list) ?? { list, ...byDefault }),
      shared_views: shared.get(list) ?? [],
    })),
  }
}

/** Two devices at once keep what each other chose. A list that is as by default again has no row. */
export function updatePreference(cx: Cx, list: string, body: ListPreferenceUpdate): Promise<ListPreference> {
  const { user_id, silo_id } = cx.user()
  const given = {
    ...(body.columns && { columns: JSON.stringify(body.columns) }),
    ...(body.views && { views: JSON.stringify(body.views) }),
    ...(typeof body.is_dense === 'boolean' && { is_dense: body.is_dense }),
    ...(typeof body.page_size === 'number' && { page_size: body.page_size }),
  }
  return change(cx, { silo_id, project_id: null }, async (tx) => {
    await tx.hold('silo_user', user_id)
    await refuseTooMany(tx.read, user_id, list)
    const row = await tx.plain
      .insertInto('list_preference')
      .values({
        silo_user_id: user_id,
        list,
        columns: '[]',
        views: '[]',
        is_dense: false,
        page_size: listPageSize,
        ...given,
      })
      .onConflict((conflict) =>
        // Without a value, it stays as it is.
        conflict.columns(['silo_user_id', 'list']).doUpdateSet({ list, ...given }),
      )
      .returning(stored)
      .executeTakeFirstOrThrow()
    if (row.columns.length + row.views.length === 0 && !row.is_dense && row.page_size === listPageSize)
      await tx.plain
        .deleteFrom('list_preference')
        .where('silo_user_id', '=', user_id)
        .where('list', '=', list)
        .execute()
    if (body.shared_views) await chooseViews(tx, user_id, list, body.shared_views)
    tellUser(tx, 'list-preference', user_id, silo_id)
    const shared = await chosenViews(cx, tx.read, user_id, list)
    return { ...row, shared_views: shared.get(list) ?? [] }
  })
}

async function refuseTooMany(db: Reader, user: string, list: string): Promise<void> {
  const all = await preferencesOf(db, user)
  if (all.length < listPreferenceLimits.lists || all.some((each) => each.list === list)) return
  throw invalid(
    `You have preferences for ${listPreferenceLimits.lists} lists, which is the limit.`,
    'Reset one of them first.',
  )
}

const preferencesOf = (db: Reader, user: string): Promise<Stored[]> =>
  db.selectFrom('list_preference').select(stored).where('silo_user_id', '=', user).orderBy('list').execute()

type Choice = NonNullable<ListPreferenceUpdate['shared_views']>[number]

/** The shared views that a user chose and may see, by their lists. */
async function chosenViews(
  cx: Cx,
  db: Reader,
  user: string,
  list?: string,
): Promise<Map<string, ChosenSharedView[]>> {
  const rows = await db
    .selectFrom('shared_view_choice as c')
    .innerJoin('shared_view as v', 'v.id', 'c.shared_view_id')
    .leftJoin('project as p', 'p.id', 'v.project_id')
    .select(['v.id', 'v.list', 'v.name', 'v.filter', 'v.sort', 'v.columns', 'v.silo_id', 'v.project_id'])
    .select(['p.name as project_name', 'c.is_pinned', 'c.is_default'])
    .where('c.silo_user_id', '=', user)
    .where('v.time_deleted', 'is', null)
    .$if(list !== undefined, (all) => all.where('v.list', '=', list ?? ''))
    .orderBy('c.position')
    .orderBy('v.id')
    .execute()
  const byList = new Map<string, ChosenSharedView[]>()
  for (const { silo_id, project_id, list: of, ...view } of rows) {
    if (!sees(cx, 'shared_view', { silo_id, project_id })) continue
    byList.set(of, [...(byList.get(of) ?? []), view])
  }
  return byList
}

/** Replaces what a user chose of a list. What is neither pinned nor a default needs no row. */
async function chooseViews(
  tx: Change,
  user: string,
  list: string,
  choices: readonly Choice[],
): Promise<void> {
  const made = choices.filter(({ is_pinned, is_default }) => is_pinned || is_default)
  const ids = made.map(({ id }) => id)
  const views = await tx.read
    .selectFrom('shared_view')
    .select(['id', 'silo_id', 'project_id'])
    .where(sql<boolean>`id = ANY (${ids}::uuid[])`)
    .where('list', '=', list)
    .where('time_deleted', 'is', null)
    .execute()
  const placeOf = new Map(
    views
      .filter(({ silo_id, project_id }) => sees(tx.cx, 'shared_view', { silo_id, project_id }))
      .map(({ id, project_id }) => [id, project_id]),
  )
  const kept = made.filter(({ id }) => placeOf.has(id))
  const places = kept.filter(({ is_default }) => is_default).map(({ id }) => placeOf.get(id))
  if (new Set(places).size < places.length)
    throw invalid(
      'Two shared views of one place are the default.',
      'Choose one default of each project, and one of the silo.',
    )
  await tx.plain
    .deleteFrom('shared_view_choice')
    .where('silo_user_id', '=', user)
    .where(
      sql<boolean>`NOT EXISTS (SELECT 1 FROM shared_view v WHERE v.id = shared_view_id AND v.list <> ${list})`,
    )
    .execute()
  if (kept.length === 0) return
  await tx.plain
    .insertInto('shared_view_choice')
    .values(
      kept.map(({ id, is_pinned, is_default }, position) => ({
        silo_user_id: user,
        shared_view_id: id,
        position,
        is_pinned,
        is_default,
      })),
    )
    .execute()
}
