import type { accessTokenOps } from '@gantry/api/access-token'
import { id } from '../../testing/case-values.ts'
import { type CasesOf, ofUser } from '../../testing/operation-case.ts'

export const accessTokenCases: CasesOf<typeof accessTokenOps> = {
  currentUserAccessTokenList: { sent: {}, rule: 'member', allowed: () => ['/v1/me/access-tokens'] },
  currentUserAccessTokenDelete: {
    sent: { path: { token_id: id } },
    rule: 'member',
    allowed: ({ ids }) => [`/v1/me/access-tokens/${ids.project}`],
    missing: true,
  },
  userTokenList: {
    sent: { path: { user_id: id } },
    rule: ofUser('list_children'),
    allowed: ({ ids }) => [`/v1/users/${ids.user}/access-tokens`],
  },
}
