import type { vpcNetworkOps } from '@gantry/api/vpc-network'
import { atlas, project } from '../../testing/case-values.ts'
import { type CasesOf, readChild } from '../../testing/operation-case.ts'

export const vpcNetworkCases: CasesOf<typeof vpcNetworkOps> = {
  vpcNetworkView: {
    sent: { path: { vpc: 'nobody' }, query: project },
    rule: readChild,
    allowed: () => [`/ext/v1/vpcs/default/network?${atlas}`],
  },
}
