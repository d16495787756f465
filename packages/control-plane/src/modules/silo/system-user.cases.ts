import type { systemUserOps } from '@gantry/api/people/system-user'
import { id } from '../../testing/case-values.ts'
import { type CasesOf, inNamedSilo, openly } from '../../testing/operation-case.ts'

export const systemUserCases: CasesOf<typeof systemUserOps> = {
  siloUserList: {
    sent: { query: { silo: 'demo' } },
    rule: inNamedSilo('read'),
    allowed: () => ['/v1/system/users?silo=demo'],
  },
  siloUserView: {
    sent: { path: { user_id: id }, query: { silo: 'demo' } },
    rule: inNamedSilo('read'),
    allowed: ({ ids }) => [`/v1/system/users/${ids.user}?silo=demo`],
  },
  userBuiltinList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/v1/system/users-builtin'],
  },
  userBuiltinView: {
    sent: { path: { user: 'nobody' } },
    rule: { needs: 'read', of: 'fleet', hidden: true },
    allowed: () => ['/v1/system/users-builtin/db-init'],
  },
}
