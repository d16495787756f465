import type { vpcFirewallOps } from '@gantry/api/network/vpc-firewall'
import { atlas, inVpc, ofVpc, project } from '@gantry/control-plane/testing/case-values'
import {
  type CasesOf,
  createInNetwork,
  listChild,
  listProject,
} from '@gantry/control-plane/testing/operation-case'

export const vpcFirewallCases: CasesOf<typeof vpcFirewallOps> = {
  vpcFirewallRulesView: {
    sent: { query: inVpc },
    rule: listChild,
    allowed: () => [`/v1/vpc-firewall-rules?${ofVpc}`],
  },
  vpcFirewallRulesUpdate: {
    sent: { query: inVpc, body: { rules: [] } },
    rule: createInNetwork,
    allowed: () => [`/v1/vpc-firewall-rules?${ofVpc}`, { rules: [] }],
  },
  vpcFirewallSizeList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/ext/v1/vpc-firewall-sizes?${atlas}`],
  },
}
