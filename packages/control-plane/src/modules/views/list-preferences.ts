import type { ListPreference, ListPreferenceUpdate } from '@gantry/api/views/list-preference'
import { listPageSize, listPreferenceLimits } from '@gantry/api/views/list-preference.rules'
import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { invalid } from '../../context/refusal.ts'
import type { Reader } from '../../db/database.ts'
import { tellUser } from '../notifications/raise.ts'

export async function listPreferences(cx: Cx): Promise<{ items: ListPreference[] }> {
  return { items: await preferencesOf(cx.db, cx.user().user_id) }
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
      .returning(['list', 'columns', 'is_dense', 'page_size', 'views'])
      .executeTakeFirstOrThrow()
    if (row.columns.length + row.views.length === 0 && !row.is_dense && row.page_size === listPageSize)
      await tx.plain
        .deleteFrom('list_preference')
        .where('silo_user_id', '=', user_id)
        .where('list', '=', list)
        .execute()
    tellUser(tx, 'list-preference', user_id, silo_id)
    return row
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

const preferencesOf = (db: Reader, user: string): Promise<ListPreference[]> =>
  db
    .selectFrom('list_preference')
    .select(['list', 'columns', 'is_dense', 'page_size', 'views'])
    .where('silo_user_id', '=', user)
    .orderBy('list')
    .execute()
