import type { ownPasswordOps } from '@gantry/api/people/own-password'
import { atSilo, notBegun } from '@gantry/control-plane/testing/case-values'
import type { CasesOf } from '@gantry/control-plane/testing/operation-case'

export const ownPasswordCases: CasesOf<typeof ownPasswordOps> = {
  currentUserPasswordView: { sent: {}, rule: 'member', allowed: () => ['/ext/v1/me/password'] },
  currentUserPasswordChange: {
    sent: { body: { old_password: 'not the old one', password: 'battery staple' } },
    rule: 'member',
    allowed: () => ['/ext/v1/me/password', { old_password: 'not the old one', password: 'battery staple' }],
  },
  loginNewPassword: {
    sent: { ...atSilo, body: { password: 'battery staple' } },
    rule: 'anybody',
    allowed: () => ['/ext/v1/login/demo/new-password', { password: 'x' }],
    anonymously: [401, notBegun],
    afterPassword: true,
  },
}
