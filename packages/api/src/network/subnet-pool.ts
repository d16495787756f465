import { z } from 'zod'
import { filteredQuery } from '../base/filtered-query.ts'
import { IpNet, IpVersion } from '../base/ip.ts'
import { u8 } from '../base/uint.ts'
import { del, family, get, post, put } from '../op.ts'
import {
  identityCreate,
  IdentityUpdate,
  IdPaging,
  idSorts,
  maybe,
  named,
  NameOrId,
  NameOrIdPaging,
  nameOrIdSorts,
  pageOf,
  pageTokenMax,
  paging,
  Timestamp,
  Uuid,
  withIdentity,
} from '../schema.ts'

export const SubnetPool = named('SubnetPool', withIdentity({ ip_version: IpVersion }))
export type SubnetPool = z.infer<typeof SubnetPool>
const SubnetPoolCreate = named('SubnetPoolCreate', z.object({ ...identityCreate, ip_version: IpVersion }))
export type SubnetPoolCreate = z.infer<typeof SubnetPoolCreate>
const SubnetPoolUpdate = named('SubnetPoolUpdate', z.object(IdentityUpdate))
export type SubnetPoolUpdate = z.infer<typeof SubnetPoolUpdate>

const SubnetPoolMember = named(
  'SubnetPoolMember',
  z.object({
    id: Uuid,
    subnet_pool_id: Uuid,
    subnet: IpNet,
    min_prefix_length: u8,
    max_prefix_length: u8,
    time_created: Timestamp,
  }),
)
export type SubnetPoolMember = z.infer<typeof SubnetPoolMember>
/** Default lengths: from the network's own to that of a single address. */
const SubnetPoolMemberAdd = named(
  'SubnetPoolMemberAdd',
  z.object({ subnet: IpNet, min_prefix_length: maybe(u8), max_prefix_length: maybe(u8) }),
)
export type SubnetPoolMemberAdd = z.infer<typeof SubnetPoolMemberAdd>
const SubnetPoolMemberRemove = named('SubnetPoolMemberRemove', z.object({ subnet: IpNet }))

const SubnetPoolSiloLink = named(
  'SubnetPoolSiloLink',
  z.object({ subnet_pool_id: Uuid, silo_id: Uuid, is_default: z.boolean() }),
)
export type SubnetPoolSiloLink = z.infer<typeof SubnetPoolSiloLink>
const SubnetPoolLinkSilo = named('SubnetPoolLinkSilo', z.object({ silo: NameOrId, is_default: z.boolean() }))
export type SubnetPoolLinkSilo = z.infer<typeof SubnetPoolLinkSilo>

/** Addresses in all and those in no external subnet, which lose precision beyond 2^53. */
const SubnetPoolUtilization = named(
  'SubnetPoolUtilization',
  z.object({
    capacity: z.number().meta({ format: 'double' }),
    remaining: z.number().meta({ format: 'double' }),
  }),
)
export type SubnetPoolUtilization = z.infer<typeof SubnetPoolUtilization>

const SiloSubnetPool = named(
  'SiloSubnetPool',
  withIdentity({ ip_version: IpVersion, is_default: z.boolean() }),
)
export type SiloSubnetPool = z.infer<typeof SiloSubnetPool>
const SiloSubnetPoolPage = pageOf('SiloSubnetPool', SiloSubnetPool)

const SubnetPoolWithUse = named(
  'SubnetPoolWithUse',
  withIdentity({
    ip_version: IpVersion,
    utilization: SubnetPoolUtilization,
    members: z.number().int(),
    silos: z.number().int(),
    /** Number of silos that use the pool by default. */
    default_silos: z.number().int(),
  }),
)
export type SubnetPoolWithUse = z.infer<typeof SubnetPoolWithUse>

const path = z.object({ pool: NameOrId })
const linkPath = z.object({ pool: NameOrId, silo: NameOrId })
const byName = { query: NameOrIdPaging, sorts: nameOrIdSorts }

/** Pools of silos took over the names of the system's a month later. */
const first = (id: string) => ({ since: 2026011601, laterId: { id, since: 2026020900 } })

export const subnetPoolOps = {
  ...family('system/subnet-pools', ['subnet-pool'], {
    subnetPoolList: get('/v1/system/subnet-pools', {
      ...first('system_subnet_pool_list'),
      summary: 'List subnet pools',
      ...byName,
      returns: pageOf('SubnetPool', SubnetPool),
    }),
    subnetPoolCreate: post('/v1/system/subnet-pools', {
      ...first('system_subnet_pool_create'),
      summary: 'Create a subnet pool',
      body: SubnetPoolCreate,
      returns: SubnetPool,
    }),
    subnetPoolView: get('/v1/system/subnet-pools/{pool}', {
      ...first('system_subnet_pool_view'),
      summary: 'Fetch a subnet pool',
      path,
      returns: SubnetPool,
    }),
    subnetPoolUpdate: put('/v1/system/subnet-pools/{pool}', {
      ...first('system_subnet_pool_update'),
      summary: 'Update a subnet pool',
      path,
      body: SubnetPoolUpdate,
      returns: SubnetPool,
    }),
    subnetPoolDelete: del('/v1/system/subnet-pools/{pool}', {
      ...first('system_subnet_pool_delete'),
      summary: 'Delete a subnet pool without members',
      path,
    }),
    subnetPoolUtilizationView: get('/v1/system/subnet-pools/{pool}/utilization', {
      ...first('system_subnet_pool_utilization_view'),
      reads: ['subnet-pool', 'subnet-pool-member', 'external-subnet'],
      summary: 'Fetch how many addresses of a subnet pool are in no external subnet',
      path,
      returns: SubnetPoolUtilization,
    }),
    subnetPoolSiloList: get('/v1/system/subnet-pools/{pool}/silos', {
      ...first('system_subnet_pool_silo_list'),
      summary: 'List the silos that a subnet pool is linked to',
      path,
      query: IdPaging,
      sorts: idSorts,
      returns: pageOf('SubnetPoolSiloLink', SubnetPoolSiloLink),
    }),
    subnetPoolSiloLink: post('/v1/system/subnet-pools/{pool}/silos', {
      ...first('system_subnet_pool_silo_link'),
      summary: 'Link a subnet pool to a silo',
      path,
      body: SubnetPoolLinkSilo,
      returns: SubnetPoolSiloLink,
    }),
    subnetPoolSiloUpdate: put('/v1/system/subnet-pools/{pool}/silos/{silo}', {
      ...first('system_subnet_pool_silo_update'),
      summary: 'Set whether a subnet pool is the default of a silo',
      path: linkPath,
      body: named('SubnetPoolSiloUpdate', z.object({ is_default: z.boolean() })),
      returns: SubnetPoolSiloLink,
    }),
    subnetPoolSiloUnlink: del('/v1/system/subnet-pools/{pool}/silos/{silo}', {
      ...first('system_subnet_pool_silo_unlink'),
      summary: 'Unlink a subnet pool from a silo',
      path: linkPath,
    }),
  }),
  ...family('system/subnet-pools', ['subnet-pool', 'subnet-pool-member'], {
    subnetPoolMemberList: get('/v1/system/subnet-pools/{pool}/members', {
      ...first('system_subnet_pool_member_list'),
      summary: 'List the members of a subnet pool, by their networks',
      path,
      query: z.object(paging(pageTokenMax)),
      returns: pageOf('SubnetPoolMember', SubnetPoolMember),
    }),
    subnetPoolMemberAdd: post('/v1/system/subnet-pools/{pool}/members/add', {
      ...first('system_subnet_pool_member_add'),
      summary: 'Add a network to a subnet pool',
      path,
      body: SubnetPoolMemberAdd,
      returns: SubnetPoolMember,
    }),
    subnetPoolMemberRemove: post('/v1/system/subnet-pools/{pool}/members/remove', {
      ...first('system_subnet_pool_member_remove'),
      summary: 'Remove a network from a subnet pool',
      path,
      body: SubnetPoolMemberRemove,
      status: 204,
    }),
  }),
  ...family('projects', ['subnet-pool'], {
    currentSiloSubnetPoolList: get('/v1/subnet-pools', {
      since: 2026020600,
      laterId: { id: 'subnet_pool_list', since: 2026020900 },
      summary: 'List subnet pools the silo may use',
      ...byName,
      returns: SiloSubnetPoolPage,
    }),
    currentSiloSubnetPoolView: get('/v1/subnet-pools/{pool}', {
      since: 2026020900,
      laterId: { id: 'subnet_pool_view', since: 2026020900 },
      summary: 'Fetch a subnet pool the silo may use',
      noScreen: { shownBy: 'currentSiloSubnetPoolList' },
      path,
      returns: SiloSubnetPool,
    }),
  }),
  ...family('system/silos', ['subnet-pool'], {
    siloSubnetPoolList: get('/v1/system/silos/{silo}/subnet-pools', {
      since: 2026020600,
      summary: 'List subnet pools linked to a silo',
      path: z.object({ silo: NameOrId }),
      ...byName,
      returns: SiloSubnetPoolPage,
    }),
  }),
  ...family('extensions', ['subnet-pool', 'subnet-pool-member', 'external-subnet'], {
    subnetPoolUseList: get('/ext/v1/system/subnet-pools', {
      summary: 'List subnet pools with their utilization, members and silos counted',
      ...filteredQuery('subnet-pool', {}, {}),
      returns: pageOf('SubnetPoolWithUse', SubnetPoolWithUse),
    }),
  }),
}
