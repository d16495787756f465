import { z } from 'zod'
import { IpNet } from '../base/ip.ts'
import { family, get } from '../op.ts'
import { InProject, listInProject, NameOrId, pageOf, named, Uuid, withIdentity } from '../schema.ts'

const ExternalSubnet = named(
  'ExternalSubnet',
  withIdentity({
    subnet: IpNet,
    project_id: Uuid,
    subnet_pool_id: Uuid,
    subnet_pool_member_id: Uuid,
    instance_id: Uuid.nullish(),
  }),
)
const ExternalSubnetPage = pageOf('ExternalSubnet', ExternalSubnet)

/** Clients read these lists beside others, so that they are answered although no external subnet can be made here. */
const noScreen = { sentBy: 'clients of the API; the lists are always empty here' }

export const externalSubnetOps = family('external-subnets', ['floating-ip'], {
  externalSubnetList: get('/v1/external-subnets', {
    since: 2026011601,
    summary: 'List external subnets of a project: there are none',
    noScreen,
    ...listInProject,
    returns: ExternalSubnetPage,
  }),
  instanceExternalSubnetList: get('/v1/instances/{instance}/external-subnets', {
    since: 2026013000,
    summary: 'List external subnets of an instance: there are none',
    noScreen,
    path: z.object({ instance: NameOrId }),
    query: InProject,
    returns: ExternalSubnetPage,
  }),
})
