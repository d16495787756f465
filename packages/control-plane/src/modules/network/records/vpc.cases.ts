import type { vpcOps } from '@gantry/api/network/vpc'
import { atlas, fresh, inVpc, named, ofVpc, plain, project } from '@gantry/control-plane/testing/case-values'
import {
  type CasesOf,
  createInNetwork,
  listChild,
  listProject,
  modifyNetwork,
  readChild,
} from '@gantry/control-plane/testing/operation-case'

const subnet = { path: { subnet: 'nobody' }, query: inVpc }

export const vpcCases: CasesOf<typeof vpcOps> = {
  vpcList: { sent: { query: project }, rule: listProject, allowed: () => [`/v1/vpcs?${atlas}`] },
  vpcCreate: {
    sent: { query: project, body: { ...named, dns_name: 'new-one', ipv6_prefix: 'fd00::/48' } },
    rule: createInNetwork,
    allowed: () => [`/v1/vpcs?${atlas}`, { ...plain(), dns_name: 'd' }],
  },
  vpcView: {
    sent: { path: { vpc: 'nobody' }, query: project },
    rule: readChild,
    allowed: () => [`/v1/vpcs/default?${atlas}`],
    addressed: [
      'vpc',
      'vpc',
      ['project'],
      'when providing vpc as an ID, project should not be specified',
      'vpc should either be an ID or project should be specified',
    ],
  },
  vpcUpdate: {
    sent: { path: { vpc: 'nobody' }, query: project, body: { description: 'x' } },
    rule: modifyNetwork,
    allowed: () => [`/v1/vpcs/default?${atlas}`, { description: fresh() }],
  },
  vpcDelete: {
    sent: { path: { vpc: 'nobody' }, query: project },
    rule: modifyNetwork,
    allowed: () => [`/v1/vpcs/default?${atlas}`],
  },
  vpcSubnetList: { sent: { query: inVpc }, rule: listChild, allowed: () => [`/v1/vpc-subnets?${ofVpc}`] },
  vpcSubnetCreate: {
    sent: { query: inVpc, body: { ...named, ipv4_block: '10.0.0.0/24', ipv6_block: 'fd00::/64' } },
    rule: createInNetwork,
    allowed: () => [`/v1/vpc-subnets?${ofVpc}`, { ...plain(), ipv4_block: '172.30.0.0/22' }],
  },
  vpcSubnetView: {
    sent: subnet,
    rule: readChild,
    allowed: () => [`/v1/vpc-subnets/default?${ofVpc}`],
    addressed: [
      'subnet',
      'vpc-subnet',
      ['vpc', 'project'],
      'when providing subnet as an ID, vpc and project should not be specified',
      'subnet should either be an ID or vpc should be specified',
    ],
  },
  vpcSubnetUpdate: {
    sent: { ...subnet, body: { description: 'x' } },
    rule: modifyNetwork,
    allowed: () => [`/v1/vpc-subnets/default?${ofVpc}`, { description: fresh() }],
  },
  vpcSubnetDelete: { sent: subnet, rule: modifyNetwork, allowed: () => [`/v1/vpc-subnets/default?${ofVpc}`] },
  vpcSubnetListNetworkInterfaces: {
    sent: { path: { subnet: 'default' }, query: inVpc },
    rule: listChild,
    allowed: () => [`/v1/vpc-subnets/default/network-interfaces?${ofVpc}`],
  },
}
