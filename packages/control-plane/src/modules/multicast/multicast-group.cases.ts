import type { multicastGroupOps } from '@gantry/api/network/multicast-group'
import { atlas, project } from '../../testing/case-values.ts'
import { type CasesOf, modifyChild, readChild } from '../../testing/operation-case.ts'

const group = { path: { multicast_group: 'nobody' } }
const member = { path: { instance: 'nobody', multicast_group: 'nobody' }, query: project }

export const multicastGroupCases: CasesOf<typeof multicastGroupOps> = {
  multicastGroupList: { sent: {}, rule: 'member', allowed: () => ['/v1/multicast-groups'] },
  multicastGroupView: {
    sent: group,
    rule: 'member',
    allowed: () => ['/v1/multicast-groups/news'],
  },
  multicastGroupMemberList: {
    sent: group,
    rule: 'member',
    allowed: () => ['/v1/multicast-groups/news/members'],
  },
  instanceMulticastGroupList: {
    sent: { path: { instance: 'nobody' }, query: project },
    rule: readChild,
    allowed: () => [`/v1/instances/web/multicast-groups?${atlas}`],
  },
  instanceMulticastGroupJoin: {
    sent: { ...member, body: { source_ips: ['10.0.0.1'] } },
    rule: modifyChild,
    allowed: () => [`/v1/instances/web/multicast-groups/224.1.2.3?${atlas}`, {}],
  },
  instanceMulticastGroupLeave: {
    sent: member,
    rule: modifyChild,
    allowed: () => [`/v1/instances/web/multicast-groups/news?${atlas}`],
  },
}
