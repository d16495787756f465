import type { subnetPoolOps } from '@gantry/api/network/subnet-pool'
import { type CasesOf, inNamedSilo, openly } from '@gantry/control-plane/testing/operation-case'

export const subnetPoolCases: CasesOf<typeof subnetPoolOps> = {
  subnetPoolList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/v1/system/subnet-pools'],
  },
  currentSiloSubnetPoolList: {
    sent: {},
    rule: openly('list_children', 'siloIpPool'),
    allowed: () => ['/v1/subnet-pools'],
  },
  siloSubnetPoolList: {
    sent: { path: { silo: 'demo' } },
    rule: inNamedSilo('read'),
    allowed: () => ['/v1/system/silos/demo/subnet-pools'],
  },
}
