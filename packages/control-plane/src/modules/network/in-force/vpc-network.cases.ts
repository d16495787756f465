import type { vpcNetworkOps } from '@gantry/api/network/vpc-network'
import { atlas, project } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, readChild } from '@gantry/control-plane/testing/operation-case'

export const vpcNetworkCases: CasesOf<typeof vpcNetworkOps> = {
  vpcNetworkView: {
    sent: { path: { vpc: 'nobody' }, query: project },
    rule: readChild,
    allowed: () => [`/ext/v1/vpcs/default/network?${atlas}`],
  },
}
