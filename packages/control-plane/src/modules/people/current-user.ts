import type { CurrentUser } from '@gantry/api/people/me'
import type { Cx } from '../../context/cx.ts'

export function currentUser(cx: Cx): CurrentUser {
  const { user_id, display_name, silo_id, silo_name } = cx.user()
  return {
    id: user_id,
    display_name,
    silo_id,
    silo_name,
    fleet_viewer: cx.can('read', { class: 'fleet' }),
    silo_admin: cx.can('modify', { class: 'silo', silo_id }),
  }
}
