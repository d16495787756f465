import { IpVersion } from '../base/ip.ts'
import { IpPoolType, poolFilters } from '../network/ip-pool.ts'
import { z } from 'zod'
import { family, get, put } from '../op.ts'
import { SiloRolePolicy } from './policy.ts'
import { ByteCount, named, NameOrId, NameOrIdPaging, nameOrIdSorts, pageOf, withIdentity } from '../schema.ts'

export const VirtualResourceCounts = named(
  'VirtualResourceCounts',
  z.object({ cpus: z.number().int(), memory: ByteCount, storage: ByteCount }),
)
export const Utilization = named(
  'Utilization',
  z.object({ provisioned: VirtualResourceCounts, capacity: VirtualResourceCounts }),
)
export type Utilization = z.infer<typeof Utilization>

export const SiloIpPool = named(
  'SiloIpPool',
  withIdentity({ is_default: z.boolean(), ip_version: IpVersion, pool_type: IpPoolType }),
)
export type SiloIpPool = z.infer<typeof SiloIpPool>
export const SiloIpPoolPage = pageOf('SiloIpPool', SiloIpPool)

export const siloOps = {
  ...family('silos', ['policy'], {
    policyView: get('/v1/policy', { summary: "Fetch the silo's policy", returns: SiloRolePolicy }),
    policyUpdate: put('/v1/policy', {
      summary: "Replace the silo's policy",
      body: SiloRolePolicy,
      returns: SiloRolePolicy,
    }),
  }),
  ...family('silos', ['utilization', 'silo-quotas'], {
    utilizationView: get('/v1/utilization', {
      summary: "Fetch the silo's usage and quotas",
      returns: Utilization,
    }),
  }),
  ...family('projects', ['ip-pool'], {
    projectIpPoolList: get('/v1/ip-pools', {
      laterId: { id: 'ip_pool_list', since: 2026020900 },
      summary: 'List IP pools the silo may use',
      query: NameOrIdPaging.extend(poolFilters),
      formerParams: { names: { ip_version: null, pool_type: null }, until: 2026061100 },
      sorts: nameOrIdSorts,
      returns: SiloIpPoolPage,
    }),
    projectIpPoolView: get('/v1/ip-pools/{pool}', {
      laterId: { id: 'ip_pool_view', since: 2026020900 },
      summary: 'Fetch an IP pool the silo may use',
      noScreen: { shownBy: 'projectIpPoolList' },
      path: z.object({ pool: NameOrId }),
      returns: SiloIpPool,
    }),
  }),
}
