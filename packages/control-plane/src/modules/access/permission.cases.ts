import type { permissionOps } from '@gantry/api/base/permission'
import { id, project } from '../../testing/case-values.ts'
import { type CasesOf, inNamedSilo, on, openly } from '../../testing/operation-case.ts'

export const permissionCases: CasesOf<typeof permissionOps> = {
  permissionCheck: {
    sent: { body: { checks: [{ action: 'read', object: 'fleet' }] } },
    rule: 'member',
    allowed: () => ['/ext/v1/can', { checks: [] }],
  },
  userAccessList: {
    sent: { query: { silo: 'demo', name: 'a' } },
    rule: inNamedSilo('read'),
    allowed: () => ['/ext/v1/users?silo=demo'],
  },
  groupAccessList: { sent: {}, rule: openly('read', 'silo'), allowed: () => ['/ext/v1/groups'] },
  userEffectiveRoles: {
    sent: { path: { user_id: id }, query: project },
    rule: on('read', 'siloUser'),
    allowed: ({ ids }) => [`/ext/v1/users/${ids.user}/effective-roles`],
  },
  groupEffectiveRoles: {
    sent: { path: { group_id: id }, query: project },
    rule: on('read', 'siloGroup'),
    allowed: ({ ids }) => [`/ext/v1/groups/${ids.group}/effective-roles`],
  },
}
