import type { listDetailOps } from '@gantry/api/base/list-details'
import { id } from '../../testing/case-values.ts'
import type { CasesOf } from '../../testing/operation-case.ts'

export const listDetailCases: CasesOf<typeof listDetailOps> = {
  listDetails: {
    sent: { query: { kind: 'disk', id } },
    rule: 'member',
    allowed: () => [`/ext/v1/list-details?kind=disk&id=${id}`],
  },
}
