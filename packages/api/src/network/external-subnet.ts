import { z } from 'zod'
import { IpNet } from '../base/ip.ts'
import { u8 } from '../base/uint.ts'
import { del, family, get, post, put } from '../op.ts'
import { anyPool, PoolSelector } from './pool-selector.ts'
import {
  identityCreate,
  IdentityUpdate,
  InProject,
  listInProject,
  named,
  NameOrId,
  OfProject,
  pageOf,
  Uuid,
  withIdentity,
} from '../schema.ts'

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
export type ExternalSubnet = z.infer<typeof ExternalSubnet>

/** A network of any pool of the silo, or its first free one of this size. */
const ExternalSubnetAllocator = named(
  'ExternalSubnetAllocator',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('explicit'), subnet: IpNet }),
    z.object({
      type: z.literal('auto'),
      prefix_length: u8,
      pool_selector: PoolSelector.default(anyPool),
    }),
  ]),
)
export type ExternalSubnetAllocator = z.infer<typeof ExternalSubnetAllocator>
const ExternalSubnetCreate = named(
  'ExternalSubnetCreate',
  z.object({ ...identityCreate, allocator: ExternalSubnetAllocator }),
)
export type ExternalSubnetCreate = z.infer<typeof ExternalSubnetCreate>
const ExternalSubnetUpdate = named('ExternalSubnetUpdate', z.object(IdentityUpdate))
export type ExternalSubnetUpdate = z.infer<typeof ExternalSubnetUpdate>
const ExternalSubnetAttach = named('ExternalSubnetAttach', z.object({ instance: NameOrId }))

const path = z.object({ external_subnet: NameOrId })
const query = InProject
const since = 2026011601
export const ExternalSubnetPage = pageOf('ExternalSubnet', ExternalSubnet)

export const externalSubnetOps = family('external-subnets', ['external-subnet'], {
  externalSubnetList: get('/v1/external-subnets', {
    since,
    summary: 'List external subnets of a project',
    ...listInProject,
    returns: ExternalSubnetPage,
  }),
  externalSubnetCreate: post('/v1/external-subnets', {
    since,
    summary: 'Create an external subnet',
    query: OfProject,
    body: ExternalSubnetCreate,
    returns: ExternalSubnet,
  }),
  externalSubnetView: get('/v1/external-subnets/{external_subnet}', {
    since,
    revalidates: true,
    summary: 'Fetch an external subnet',
    path,
    query,
    returns: ExternalSubnet,
  }),
  externalSubnetUpdate: put('/v1/external-subnets/{external_subnet}', {
    since,
    summary: 'Update an external subnet',
    path,
    query,
    body: ExternalSubnetUpdate,
    returns: ExternalSubnet,
  }),
  externalSubnetDelete: del('/v1/external-subnets/{external_subnet}', {
    since,
    summary: 'Delete an external subnet',
    path,
    query,
  }),
  externalSubnetAttach: post('/v1/external-subnets/{external_subnet}/attach', {
    since,
    summary: 'Attach an external subnet to an instance',
    path,
    query,
    body: ExternalSubnetAttach,
    returns: ExternalSubnet,
    status: 202,
  }),
  externalSubnetDetach: post('/v1/external-subnets/{external_subnet}/detach', {
    since,
    summary: 'Detach an external subnet from its instance',
    path,
    query,
    returns: ExternalSubnet,
    status: 202,
  }),
  instanceExternalSubnetList: get('/v1/instances/{instance}/external-subnets', {
    since: 2026013000,
    summary: 'List external subnets of an instance',
    noScreen: { shownBy: 'externalSubnetList' },
    path: z.object({ instance: NameOrId }),
    query,
    returns: ExternalSubnetPage,
  }),
})
