import type { listPreferenceOps } from '@gantry/api/views/list-preference'
import type { CasesOf } from '../../testing/operation-case.ts'

export const listPreferenceCases: CasesOf<typeof listPreferenceOps> = {
  listPreferenceList: { sent: {}, rule: 'member', allowed: () => ['/ext/v1/me/list-preferences'] },
  listPreferenceUpdate: {
    sent: {
      path: { list: 'instances' },
      body: { columns: [{ id: 'state', is_shown: true, width: 200 }], is_dense: true, page_size: 100 },
    },
    rule: 'member',
    allowed: () => ['/ext/v1/me/list-preferences/instances', { is_dense: true }],
  },
}
