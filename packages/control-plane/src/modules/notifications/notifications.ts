import type { Notification, NotificationChoices } from '@gantry/api/history/notification'
import type { QueryOf } from '@gantry/api/op'
import { ops } from '@gantry/api/registry'
import { sql } from 'kysely'
import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import type { Row } from '../../db/tables.ts'
import { relationPage } from '../../list/keyset-page.ts'
import { timeKey } from '../../list/time-key.ts'
import { locationOfChange } from '../../lookup/location.ts'
import { tellUser } from './raise.ts'
import { surroundingsOf } from '../history/around.ts'

type Stored = Row<'notification'>

const ownScope = (cx: Cx) => ({ silo_id: cx.user().silo_id, project_id: null })

/** The caller's unread ones, without those of objects that the caller may not see any more. */
export async function listNotifications(cx: Cx, query: QueryOf<typeof ops.notificationList>) {
  const page = await relationPage(
    cx,
    ops.notificationList,
    { columns: sql<Stored>`t.*`, from: sql.table('notification') },
    query,
    {
      keys: { time_and_id: timeKey('time') },
      where: async () => [sql`t.silo_user_id = ${cx.user().user_id}`, sql`t.time_read IS NULL`],
    },
    (row) => row,
  )
  const seen = page.items.filter((row) => maySee(cx, row))
  const { placeOf } = await surroundingsOf(
    cx,
    seen.map((row) => ({ ...row, request_id: null, actor: { kind: 'system' } as const })),
  )
  return {
    items: seen.map((row): Notification => {
      const { id, kind, time, title, message, next_step, object_kind, object_id, object_name, task_id } = row
      return {
        id,
        kind,
        time: time.toISOString(),
        title,
        message,
        next_step,
        object:
          object_kind !== null && object_id !== null
            ? { kind: object_kind, id: object_id, name: object_name }
            : null,
        ...placeOf({ ...row, request_id: null, actor: { kind: 'system' } }),
        task_id,
      }
    }),
    next_page: page.next_page,
  }
}

function maySee(cx: Cx, { object_kind, object_id, silo_id, project_id }: Stored): boolean {
  if (object_kind === null || object_id === null) return true
  const actor = { kind: 'system' } as const
  return cx.can('read', locationOfChange({ kind: object_kind, id: object_id, silo_id, project_id, actor }))
}

export const readNotifications = (cx: Cx, ids: readonly string[]): Promise<void> =>
  change(cx, ownScope(cx), async (tx) => {
    if (ids.length === 0) return
    await tx.plain
      .updateTable('notification')
      .set({ time_read: cx.now() })
      .where('id', 'in', ids)
      .where('silo_user_id', '=', cx.user().user_id)
      .where('time_read', 'is', null)
      .execute()
    tellUser(tx, 'notification', cx.user().user_id, cx.user().silo_id)
  })

export async function viewChoices(cx: Cx): Promise<NotificationChoices> {
  const rows = await cx.db
    .selectFrom('notification_mute')
    .select('kind')
    .where('silo_user_id', '=', cx.user().user_id)
    .orderBy('kind')
    .execute()
  return { muted: rows.map(({ kind }) => kind) }
}

export async function updateChoices(cx: Cx, { muted }: NotificationChoices): Promise<NotificationChoices> {
  const { user_id } = cx.user()
  await change(cx, ownScope(cx), async (tx) => {
    await tx.plain.deleteFrom('notification_mute').where('silo_user_id', '=', user_id).execute()
    const rows = [...new Set(muted)].map((kind) => ({ silo_user_id: user_id, kind }))
    if (rows.length > 0) await tx.plain.insertInto('notification_mute').values(rows).execute()
  })
  return viewChoices(cx)
}
