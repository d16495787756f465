import type { ActivityChange, ActivityEntry } from '@gantry/api/history/activity'
import { sql } from 'kysely'
import { verbOf } from '../../change/activity.ts'
import { objectOfOperation } from '../../change/object-of.ts'
import type { Cx } from '../../context/cx.ts'
import type { Row } from '../../db/tables.ts'
import { locationOfChange } from '../../lookup/location.ts'
import { surroundingsOf } from './around.ts'

/** Requests about an object that were refused, as far as the caller may see the object. */
export async function refusalsAt(cx: Cx, ids: readonly string[]): Promise<ActivityEntry[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Row<'audit'>>`SELECT * FROM audit WHERE id = ANY (${ids}::uuid[])`.execute(cx.db)
  const seen = rows.filter(({ object_kind, object_id, silo_id, project_id, actor }) =>
    cx.can(
      'read',
      locationOfChange({ kind: object_kind ?? '', id: object_id ?? '', silo_id, project_id, actor }),
    ),
  )
  const around = await surroundingsOf(cx, seen)
  return seen.map((row) => ({
    id: row.id,
    time: row.time_completed.toISOString(),
    outcome: 'refused' as const,
    actor: around.actorOf(row),
    planned_by: null,
    operation: row.operation_id,
    request_id: row.request_id,
    ...around.placeOf(row),
    changes: [askedOf(row)],
    change_count: 1,
    is_revertible: false,
    reason: row.error_message,
    took_ms: row.time_completed.getTime() - row.time_started.getTime(),
  }))
}

/** What was asked for: of the object itself, or of something in it that does not exist. */
function askedOf({ operation_id, object_kind, object_id, object_name }: Row<'audit'>): ActivityChange {
  const asked = objectOfOperation(operation_id)?.kind ?? object_kind ?? ''
  const isObject = asked === object_kind
  const id = object_id ?? ''
  return {
    kind: asked,
    id,
    name: isObject ? object_name : null,
    action: verbOf(operation_id),
    other: isObject || object_name === null ? null : { id, name: object_name },
    differences: [],
  }
}
