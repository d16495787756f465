import type { ActivityEntry } from '@gantry/api/history/activity'
import { isActivityClass } from '@gantry/api/system/alert-class.rules'
import type { Cx } from '../../context/cx.ts'
import type { Row } from '../../db/tables.ts'
import { locationOfChange } from '../../lookup/location.ts'

/** The id of no user. */
const stranger = '00000000-0000-4000-8000-000000000000'

/**
 * Whether the caller may read what an alert tells. Receivers and their deliveries belong to the fleet, whose viewers see
 * nothing inside of silos: of the activity there, each reader needs to be allowed to see every change.
 */
export function mayRead(
  cx: Pick<Cx, 'can'>,
  { alert_class, silo_id, project_id }: Pick<Row<'alert_delivery'>, 'alert_class' | 'silo_id' | 'project_id'>,
  payload: unknown,
): boolean {
  if (silo_id === null || !isActivityClass(alert_class)) return true
  const { changes, actor } = payload as ActivityEntry
  const by = { kind: 'silo_user', silo_user_id: actor.id ?? stranger, silo_id } as const
  return changes.every(({ kind, id }) =>
    cx.can('read', locationOfChange({ kind, id, silo_id, project_id, actor: by })),
  )
}
