import type { systemOps } from '@gantry/api/system'
import { type CasesOf, openly } from '../../testing/operation-case.ts'

export const systemCases: CasesOf<typeof systemOps> = {
  systemOverviewView: { sent: {}, rule: openly('read', 'fleet'), allowed: () => ['/ext/v1/system/overview'] },
  systemIssueList: {
    sent: { query: { state: 'open', kind: 'fault' } },
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/ext/v1/system/issues'],
  },
  systemCapacityView: { sent: {}, rule: openly('read', 'fleet'), allowed: () => ['/ext/v1/system/capacity'] },
}
