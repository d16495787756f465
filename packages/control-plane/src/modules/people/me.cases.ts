import type { meOps } from '@gantry/api/people/me'
import { id } from '../../testing/case-values.ts'
import { type CasesOf, on } from '../../testing/operation-case.ts'

export const meCases: CasesOf<typeof meOps> = {
  ping: { sent: {}, rule: 'anybody', allowed: () => ['/v1/ping'] },
  loginLocal: {
    sent: { path: { silo_name: 'demo' }, body: { username: 'nobody', password: 'x' } },
    rule: 'anybody',
    allowed: () => ['/v1/login/demo/local', { username: 'viewer', password: 'wrong' }],
    anonymously: [401, 'credentials missing or invalid'],
  },
  logout: { sent: {}, rule: 'anybody', allowed: () => ['/v1/logout'] },
  currentUserView: { sent: {}, rule: 'member', allowed: () => ['/v1/me'] },
  currentUserGroups: { sent: {}, rule: 'member', allowed: () => ['/v1/me/groups'] },
  userList: { sent: {}, rule: 'member', allowed: () => ['/v1/users'] },
  userView: {
    sent: { path: { user_id: id } },
    rule: on('read', 'siloUser'),
    allowed: ({ ids }) => [`/v1/users/${ids.user}`],
  },
  groupList: { sent: {}, rule: 'member', allowed: () => ['/v1/groups'] },
  groupView: {
    sent: { path: { group_id: id } },
    rule: on('read', 'siloGroup'),
    allowed: ({ ids }) => [`/v1/groups/${ids.group}`],
  },
}
