import type { networkInterfaceOps } from '@gantry/api/network/network-interface'
import { atlas, fresh, named, project } from '@gantry/control-plane/testing/case-values'
import {
  type CasesOf,
  createInChild,
  listChild,
  modifyChild,
  readChild,
} from '@gantry/control-plane/testing/operation-case'

const nic = { path: { interface: 'nobody' }, query: { ...project, instance: 'paging' } }

export const networkInterfaceCases: CasesOf<typeof networkInterfaceOps> = {
  instanceNetworkInterfaceList: {
    sent: { query: { ...project, instance: 'nobody' } },
    rule: listChild,
    allowed: () => [`/v1/network-interfaces?${atlas}&instance=web`],
  },
  instanceNetworkInterfaceView: {
    sent: { path: { interface: 'net0' }, query: { ...project, instance: 'nobody' } },
    rule: readChild,
    allowed: () => [`/v1/network-interfaces/net0?${atlas}&instance=web`],
    addressed: [
      'interface',
      'instance-network-interface',
      ['instance', 'project'],
      'when providing network_interface as an id instance and project should not be specified',
      'network_interface should either be a UUID or instance should be specified',
    ],
  },
  instanceNetworkInterfaceCreate: {
    sent: {
      query: { ...project, instance: 'nobody' },
      body: { ...named, vpc_name: 'default', subnet_name: 'default', transit_ips: ['10.0.0.0/8'] },
    },
    rule: createInChild,
    allowed: () => [
      `/v1/network-interfaces?${atlas}&instance=web`,
      { name: fresh(), description: '', vpc_name: 'default', subnet_name: 'default' },
    ],
  },
  instanceNetworkInterfaceUpdate: {
    sent: { ...nic, body: { description: 'x', transit_ips: [] } },
    rule: modifyChild,
    allowed: () => [`/v1/network-interfaces/net0?${atlas}&instance=web`, { description: fresh() }],
  },
  instanceNetworkInterfaceDelete: {
    sent: nic,
    rule: modifyChild,
    allowed: () => [`/v1/network-interfaces/net0?${atlas}&instance=busy`],
  },
}
