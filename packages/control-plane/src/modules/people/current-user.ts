import type { CurrentUser } from '@gantry/api/people/me'
import type { Cx } from '../../context/cx.ts'
import { personView } from './people.ts'

export async function currentUser(cx: Cx): Promise<CurrentUser> {
  const { user_id: id, display_name: external_id, silo_id, silo_name, ...times } = cx.user()
  return {
    ...personView({ ...times, id, external_id, silo_id }),
    silo_name,
    fleet_viewer: cx.can('read', { class: 'fleet' }),
    silo_admin: cx.can('modify', { class: 'silo', silo_id }),
  }
}
