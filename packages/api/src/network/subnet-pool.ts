import { z } from 'zod'
import { IpVersion } from '../base/ip.ts'
import { family, get } from '../op.ts'
import { named, NameOrId, NameOrIdPaging, nameOrIdSorts, pageOf, withIdentity } from '../schema.ts'

const SubnetPool = named('SubnetPool', withIdentity({ ip_version: IpVersion }))
const SiloSubnetPool = named(
  'SiloSubnetPool',
  withIdentity({ ip_version: IpVersion, is_default: z.boolean() }),
)
const SiloSubnetPoolPage = pageOf('SiloSubnetPool', SiloSubnetPool)

/** Clients read these lists beside others, so that they are answered although no subnet pool can be made here. */
const empty = {
  noScreen: { sentBy: 'clients of the API; the lists are always empty here' },
  query: NameOrIdPaging,
  sorts: nameOrIdSorts,
}

export const subnetPoolOps = {
  ...family('system/subnet-pools', ['ip-pool'], {
    subnetPoolList: get('/v1/system/subnet-pools', {
      since: 2026011601,
      laterId: { id: 'system_subnet_pool_list', since: 2026020900 },
      summary: 'List subnet pools: there are none',
      ...empty,
      returns: pageOf('SubnetPool', SubnetPool),
    }),
  }),
  ...family('projects', ['ip-pool'], {
    currentSiloSubnetPoolList: get('/v1/subnet-pools', {
      since: 2026020600,
      laterId: { id: 'subnet_pool_list', since: 2026020900 },
      summary: 'List subnet pools that the silo may use: there are none',
      ...empty,
      returns: SiloSubnetPoolPage,
    }),
  }),
  ...family('system/silos', ['ip-pool'], {
    siloSubnetPoolList: get('/v1/system/silos/{silo}/subnet-pools', {
      since: 2026020600,
      summary: 'List subnet pools linked to a silo: there are none',
      ...empty,
      path: z.object({ silo: NameOrId }),
      returns: SiloSubnetPoolPage,
    }),
  }),
}
