import type { systemOps } from '@gantry/api/system/system'
import { type CasesOf, openly } from '../../testing/operation-case.ts'

const acknowledgement = '/ext/v1/system/issues/fault:none/acknowledgement'

export const systemCases: CasesOf<typeof systemOps> = {
  systemOverviewView: { sent: {}, rule: openly('read', 'fleet'), allowed: () => ['/ext/v1/system/overview'] },
  systemIssueList: {
    sent: { query: { state: 'open', kind: 'fault' } },
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/ext/v1/system/issues'],
  },
  issueAcknowledge: {
    sent: { path: { issue: 'fault:none' }, body: { note: 'x' } },
    rule: openly('modify', 'fleet'),
    allowed: () => [acknowledgement, { note: 'x' }],
    missing: true,
  },
  issueAcknowledgementRemove: {
    sent: { path: { issue: 'fault:none' } },
    rule: openly('modify', 'fleet'),
    allowed: () => [acknowledgement],
    missing: true,
  },
  systemCapacityView: { sent: {}, rule: openly('read', 'fleet'), allowed: () => ['/ext/v1/system/capacity'] },
}
