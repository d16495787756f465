import type { scimTokenOps } from '@gantry/api/people/scim-token'
import { id, silo } from '../../testing/case-values.ts'
import { type CasesOf, withinNamedSilo } from '../../testing/operation-case.ts'

const tokens = '/v1/system/scim/tokens'
const one = { path: { token_id: id }, query: silo }

export const scimTokenCases: CasesOf<typeof scimTokenOps> = {
  scimTokenList: {
    sent: { query: silo },
    rule: withinNamedSilo('list_children', 'scimToken'),
    allowed: () => [`${tokens}?silo=demo`],
  },
  // Users of the silo are not managed by SCIM, which is checked after the caller.
  scimTokenCreate: {
    sent: { query: silo },
    rule: {
      needs: 'create_child',
      of: 'scimToken',
      hidden: true,
      in: 'named silo',
      seenAs: 'silo',
      atStake: true,
    },
    allowed: () => [`${tokens}?silo=demo`],
  },
  scimTokenView: {
    sent: one,
    rule: { needs: 'read', of: 'scimToken', hidden: true, in: 'named silo' },
    allowed: async ({ freshScimToken }) => [`${tokens}/${await freshScimToken()}?silo=demo`],
  },
  scimTokenDelete: {
    sent: one,
    rule: { needs: 'modify', of: 'scimToken', hidden: true, in: 'named silo' },
    allowed: async ({ freshScimToken }) => [`${tokens}/${await freshScimToken()}?silo=demo`],
  },
}
