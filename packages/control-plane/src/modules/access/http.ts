import { implement } from '../../pipeline/implement.ts'
import { checkPermissions } from './can.ts'
import { listFleetUsers, viewFleetAccess } from './fleet.ts'
import { listGroupAccess, listUserAccess, viewRoles } from './people.ts'

export const accessHttp = implement({
  permissionCheck: (cx, { body }) => checkPermissions(cx, body.checks),
  userAccessList: (cx, { query }) => listUserAccess(cx, query),
  groupAccessList: (cx, { query }) => listGroupAccess(cx, query),
  userEffectiveRoles: (cx, { path, query }) => viewRoles(cx, 'silo_user', path.user_id, query),
  groupEffectiveRoles: (cx, { path, query }) => viewRoles(cx, 'silo_group', path.group_id, query),
  fleetAccessView: viewFleetAccess,
  fleetUserList: (cx, { query }) => listFleetUsers(cx, query),
})
