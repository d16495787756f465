import type { accessTokenOps } from '@gantry/api/people/access-token'
import { id } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, ofUser } from '@gantry/control-plane/testing/operation-case'

export const accessTokenCases: CasesOf<typeof accessTokenOps> = {
  accessTokenList: { sent: {}, rule: 'member', allowed: () => ['/ext/v1/me/access-tokens'] },
  accessTokenCreate: {
    sent: { body: { name: 'nightly', ttl_seconds: 3600, powers: ['read'] } },
    rule: 'member',
    allowed: () => ['/ext/v1/me/access-tokens', { name: 'nightly', ttl_seconds: 3600, powers: ['read'] }],
  },
  accessTokenDeleteAll: { sent: {}, rule: 'member', allowed: () => ['/ext/v1/me/access-tokens'] },
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
