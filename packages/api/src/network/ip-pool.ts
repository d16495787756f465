import { z } from 'zod'
import { filteredQuery } from '../base/filtered-query.ts'
import { IpVersion } from '../base/ip.ts'
import { parseIp, formatIp } from '../base/ip.rules.ts'
import { rangeBounds, rangeOrderProblem, poolTypes } from './ip-pool.rules.ts'
import { del, family, get, post, put } from '../op.ts'
import {
  identityCreate,
  IdentityUpdate,
  IdPaging,
  idSorts,
  ipMaxLength,
  maybe,
  named,
  NameOrId,
  NameOrIdPaging,
  nameOrIdSorts,
  ours,
  pageOf,
  pageTokenMax,
  paging,
  text,
  Timestamp,
  Uuid,
  withIdentity,
} from '../schema.ts'

export const IpPoolType = named('IpPoolType', z.enum(poolTypes))
export const IpPoolAssignment = named('IpPoolAssignment', z.enum(['silos', 'system_services']))

/** What a list of pools can be filtered by. */
export const poolFilters = { ip_version: maybe(IpVersion), pool_type: maybe(IpPoolType) }

export const IpPool = named(
  'IpPool',
  withIdentity({ ip_version: IpVersion, pool_type: IpPoolType, assignment: IpPoolAssignment }),
)
export type IpPool = z.infer<typeof IpPool>
const IpPoolCreate = named(
  'IpPoolCreate',
  z.object({
    ...identityCreate,
    /** Of all its ranges. Absent, the first range decides, and others may be of the other version. */
    ip_version: IpVersion.optional(),
    pool_type: IpPoolType.default('unicast'),
    assignment: IpPoolAssignment.default('silos'),
  }),
)
export type IpPoolCreate = z.infer<typeof IpPoolCreate>
const IpPoolUpdate = named('IpPoolUpdate', z.object(IdentityUpdate))
export type IpPoolUpdate = z.infer<typeof IpPoolUpdate>

const addressOf = (version: 4 | 6) => {
  const problem = `invalid IPv${version} address; first and last must be addresses of one version`
  return text(ipMaxLength, problem)
    .refine((given) => parseIp(given)?.version === version, { error: problem, abort: true })
    .overwrite((given) => {
      const ip = parseIp(given)
      return ip ? formatIp(ip) : given
    })
    .meta({ format: `ipv${version}` })
}
const rangeOf = (version: 4 | 6) =>
  named(`Ipv${version}Range`, z.object({ first: addressOf(version), last: addressOf(version) }))

/** Inclusive of both ends. */
export const IpRange = named(
  'IpRange',
  z
    .union([rangeOf(4), rangeOf(6)])
    .refine(({ first, last }) => rangeBounds(first, last) !== undefined, rangeOrderProblem),
)
export type IpRange = z.infer<typeof IpRange>

export const IpPoolRange = named(
  'IpPoolRange',
  z.object({ id: Uuid, ip_pool_id: Uuid, range: IpRange, time_created: Timestamp }),
)
export type IpPoolRange = z.infer<typeof IpPoolRange>

export const IpPoolSiloLink = named(
  'IpPoolSiloLink',
  z.object({ ip_pool_id: Uuid, silo_id: Uuid, is_default: z.boolean() }),
)
export type IpPoolSiloLink = z.infer<typeof IpPoolSiloLink>
const IpPoolLinkSilo = named('IpPoolLinkSilo', z.object({ silo: NameOrId, is_default: z.boolean() }))
export type IpPoolLinkSilo = z.infer<typeof IpPoolLinkSilo>

/** There are at most 2^32 IPv4 addresses; counts of IPv6 addresses are decimal text, up to 2^128. */
const Ipv4Count = z.number().int().nonnegative().meta({ format: 'uint32' })
const Ipv6Count = z.string().meta({ format: 'uint128' })
export const IpPoolUtilization = named(
  'IpPoolUtilization',
  z.object({
    /** Addresses in all, which lose precision beyond 2^53. */
    capacity: z.number().meta({ format: 'double' }),
    remaining: z.number().meta({ format: 'double' }),
    /** Ours: exact counts for each version, as the base edition has them. */
    ipv4: ours(named('Ipv4Utilization', z.object({ allocated: Ipv4Count, capacity: Ipv4Count })).optional()),
    ipv6: ours(named('Ipv6Utilization', z.object({ allocated: Ipv6Count, capacity: Ipv6Count })).optional()),
  }),
)
export type IpPoolUtilization = z.infer<typeof IpPoolUtilization>

const IpPoolWithUse = named(
  'IpPoolWithUse',
  withIdentity({
    assignment: IpPoolAssignment,
    utilization: IpPoolUtilization,
    ranges: z.number().int(),
    silos: z.number().int(),
    /** Number of silos that use the pool by default. */
    default_silos: z.number().int(),
  }),
)
export type IpPoolWithUse = z.infer<typeof IpPoolWithUse>

/** The holder of a pool's address. A shared SNAT address appears once for each instance that uses it. */
const IpPoolAddress = named(
  'IpPoolAddress',
  z.object({
    id: Uuid,
    ip: z.string(),
    kind: z.enum(['snat', 'ephemeral', 'floating']),
    first_port: z.number().int(),
    last_port: z.number().int(),
    floating_ip: z.object({ id: Uuid, name: z.string() }).nullable(),
    instance: z.object({ id: Uuid, name: z.string() }).nullable(),
    probe: z.object({ id: Uuid, name: z.string() }).nullable(),
    project_name: z.string().nullable(),
    silo_name: z.string().nullable(),
    time_created: Timestamp,
  }),
)
export type IpPoolAddress = z.infer<typeof IpPoolAddress>

const path = z.object({ pool: NameOrId })
const linkPath = z.object({ pool: NameOrId, silo: NameOrId })
export const rangeSorts = ['first_ascending', 'first_descending'] as const
const rangePaging = z.object({ ...paging(pageTokenMax), sort_by: maybe(z.enum(rangeSorts)) })
export const addressSorts = ['ip_ascending', 'ip_descending'] as const

/** When pools of the system's services became ones like others. */
const assignments = 2026061100
/** Pools that had operations of their own. */
const ofServices = {
  until: assignments,
  noScreen: { sentBy: 'programs of former versions; pages send what all pools have' },
} as const

/** Pools of silos took over the names of the system's in February 2026. */
const since2026 = (id: string) => ({ laterId: { id, since: 2026020900 } })

export const ipPoolOps = {
  ...family('system/ip-pools', ['ip-pool'], {
    ipPoolList: get('/v1/system/ip-pools', {
      ...since2026('system_ip_pool_list'),
      summary: 'List IP pools',
      query: NameOrIdPaging.extend({ ...poolFilters, assignment: maybe(IpPoolAssignment) }),
      formerParams: {
        names: { ip_version: null, pool_type: null, assignment: null },
        means: { assignment: 'silos' },
        until: assignments,
      },
      sorts: nameOrIdSorts,
      returns: pageOf('IpPool', IpPool),
    }),
    ipPoolCreate: post('/v1/system/ip-pools', {
      ...since2026('system_ip_pool_create'),
      summary: 'Create an IP pool',
      body: IpPoolCreate,
      returns: IpPool,
    }),
    ipPoolView: get('/v1/system/ip-pools/{pool}', {
      ...since2026('system_ip_pool_view'),
      summary: 'Fetch an IP pool',
      path,
      returns: IpPool,
    }),
    ipPoolUpdate: put('/v1/system/ip-pools/{pool}', {
      ...since2026('system_ip_pool_update'),
      summary: 'Update an IP pool',
      path,
      body: IpPoolUpdate,
      returns: IpPool,
    }),
    ipPoolDelete: del('/v1/system/ip-pools/{pool}', {
      ...since2026('system_ip_pool_delete'),
      changes: ['ip-pool', 'internet-gateway-ip-pool'],
      summary: 'Delete an IP pool without ranges',
      path,
    }),
    ipPoolUtilizationView: get('/v1/system/ip-pools/{pool}/utilization', {
      ...since2026('system_ip_pool_utilization_view'),
      reads: ['ip-pool', 'external-ip', 'floating-ip'],
      summary: 'Fetch how many addresses of an IP pool are allocated',
      path,
      returns: IpPoolUtilization,
    }),
    ipPoolSiloList: get('/v1/system/ip-pools/{pool}/silos', {
      ...since2026('system_ip_pool_silo_list'),
      summary: 'List the silos that an IP pool is linked to',
      path,
      query: IdPaging,
      sorts: idSorts,
      returns: pageOf('IpPoolSiloLink', IpPoolSiloLink),
    }),
    ipPoolSiloLink: post('/v1/system/ip-pools/{pool}/silos', {
      ...since2026('system_ip_pool_silo_link'),
      changes: ['ip-pool', 'internet-gateway-ip-pool'],
      summary: 'Link an IP pool to a silo',
      path,
      body: IpPoolLinkSilo,
      returns: IpPoolSiloLink,
    }),
    ipPoolSiloUpdate: put('/v1/system/ip-pools/{pool}/silos/{silo}', {
      ...since2026('system_ip_pool_silo_update'),
      changes: ['ip-pool', 'internet-gateway-ip-pool'],
      summary: 'Set whether an IP pool is the default of a silo',
      path: linkPath,
      body: named('IpPoolSiloUpdate', z.object({ is_default: z.boolean() })),
      returns: IpPoolSiloLink,
    }),
    ipPoolSiloUnlink: del('/v1/system/ip-pools/{pool}/silos/{silo}', {
      ...since2026('system_ip_pool_silo_unlink'),
      changes: ['ip-pool', 'internet-gateway-ip-pool'],
      summary: 'Unlink an IP pool from a silo',
      path: linkPath,
    }),
    systemIpPoolAssign: post('/v1/system/ip-pools/{pool}/assignment', {
      since: assignments,
      summary: "Assign an IP pool to silos or to the system's own services",
      path,
      body: named('IpPoolAssignParam', z.object({ assignment: IpPoolAssignment })),
      returns: IpPool,
      status: 200,
    }),
    ipPoolServiceView: get('/v1/system/ip-pools-service', {
      ...ofServices,
      ...since2026('system_ip_pool_service_view'),
      summary: "Fetch the IP pool of the rack's own services",
      returns: IpPool,
    }),
  }),
  ...family('system/ip-pools', ['ip-pool', 'ip-pool-range'], {
    ipPoolRangeList: get('/v1/system/ip-pools/{pool}/ranges', {
      ...since2026('system_ip_pool_range_list'),
      summary: 'List the address ranges of an IP pool',
      path,
      query: rangePaging,
      sorts: rangeSorts,
      returns: pageOf('IpPoolRange', IpPoolRange),
    }),
    ipPoolRangeAdd: post('/v1/system/ip-pools/{pool}/ranges/add', {
      ...since2026('system_ip_pool_range_add'),
      summary: 'Add a range to an IP pool',
      path,
      body: IpRange,
      returns: IpPoolRange,
    }),
    ipPoolRangeRemove: post('/v1/system/ip-pools/{pool}/ranges/remove', {
      ...since2026('system_ip_pool_range_remove'),
      changes: ['ip-pool', 'ip-pool-range', 'external-ip'],
      summary: 'Remove a range from an IP pool',
      path,
      body: IpRange,
      status: 204,
    }),
    ipPoolServiceRangeList: get('/v1/system/ip-pools-service/ranges', {
      ...ofServices,
      ...since2026('system_ip_pool_service_range_list'),
      summary: "List the address ranges of the IP pool of the rack's own services",
      query: rangePaging,
      sorts: rangeSorts,
      returns: pageOf('IpPoolRange', IpPoolRange),
    }),
    ipPoolServiceRangeAdd: post('/v1/system/ip-pools-service/ranges/add', {
      ...ofServices,
      ...since2026('system_ip_pool_service_range_add'),
      summary: "Add a range to the IP pool of the rack's own services",
      body: IpRange,
      returns: IpPoolRange,
    }),
    ipPoolServiceRangeRemove: post('/v1/system/ip-pools-service/ranges/remove', {
      ...ofServices,
      ...since2026('system_ip_pool_service_range_remove'),
      summary: "Remove a range from the IP pool of the rack's own services",
      body: IpRange,
      status: 204,
    }),
  }),
  ...family('extensions', ['ip-pool'], {
    ipPoolLinkList: get('/ext/v1/system/ip-pools/{pool}/silos', {
      summary: 'List all silos that an IP pool is linked to, discoverable or not',
      path,
      query: IdPaging,
      sorts: idSorts,
      returns: pageOf('IpPoolSiloLink', IpPoolSiloLink),
    }),
  }),
  ...family('extensions', ['ip-pool', 'ip-pool-range', 'external-ip', 'floating-ip'], {
    ipPoolUseList: get('/ext/v1/system/ip-pools', {
      summary: 'List IP pools with their utilization, ranges and silos counted',
      ...filteredQuery('ip-pool', {}, {}),
      returns: pageOf('IpPoolWithUse', IpPoolWithUse),
    }),
    ipPoolAddressList: get('/ext/v1/system/ip-pools/{pool}/addresses', {
      summary:
        'List the allocated addresses of an IP pool with the instances and floating IPs that hold them',
      path,
      query: z.object({
        ...paging(pageTokenMax),
        sort_by: maybe(z.enum(addressSorts)),
      }),
      sorts: addressSorts,
      returns: pageOf('IpPoolAddress', IpPoolAddress),
    }),
  }),
}
