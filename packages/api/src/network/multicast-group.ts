import { z } from 'zod'
import { Ip, IpVersion } from '../base/ip.ts'
import { isIp } from '../base/ip.rules.ts'
import { isUuid, nameMaxLength, nameProblem } from '../base/name.rules.ts'
import { del, family, get, put } from '../op.ts'
import { initialVersion } from '../versions/newest.rules.ts'
import {
  IdPaging,
  idSorts,
  InProject,
  list,
  maybe,
  named,
  NameOrId,
  NameOrIdPaging,
  nameOrIdSorts,
  pageOf,
  text,
  Uuid,
  withIdentity,
} from '../schema.ts'
import { maxSources, sourceProblem } from './multicast-group.rules.ts'

const noIdentifier = 'expected a name, an id or an address of a group'
const MulticastGroupIdentifier = named(
  'MulticastGroupIdentifier',
  text(nameMaxLength, noIdentifier).refine(
    (given) => isUuid(given) || isIp(given) || !nameProblem(given),
    noIdentifier,
  ),
)

const Source = Ip.superRefine((given, context) => {
  const message = sourceProblem(given)
  if (message) context.addIssue({ code: 'custom', message })
})
const joining = {
  /** Of the pool that a group created by its name is given an address of. */
  ip_version: maybe(IpVersion),
  /** Null for those that the member has, or for any; an empty list for any. */
  source_ips: maybe(list(Source, maxSources)),
}

/** A group that an instance shall be a member of. */
export const MulticastGroupJoin = named(
  'MulticastGroupJoinSpec',
  z.object({ group: MulticastGroupIdentifier, ...joining }),
)
export type MulticastGroupJoin = z.infer<typeof MulticastGroupJoin>
const InstanceMulticastGroupJoin = named('InstanceMulticastGroupJoin', z.object(joining))

const MulticastGroup = named(
  'MulticastGroup',
  withIdentity({
    multicast_ip: Ip,
    ip_pool_id: Uuid,
    /** Those that any member listens to, of the members that say so. */
    source_ips: z.array(Ip),
    /** Whether a member listens to any source. */
    has_any_source_member: z.boolean(),
    state: z.string(),
  }),
)
export type MulticastGroup = z.infer<typeof MulticastGroup>

const MulticastGroupMember = named(
  'MulticastGroupMember',
  withIdentity({
    multicast_group_id: Uuid,
    multicast_ip: Ip,
    instance_id: Uuid,
    /** Empty for any. */
    source_ips: z.array(Ip),
    state: z.string(),
  }),
)
export type MulticastGroupMember = z.infer<typeof MulticastGroupMember>

const since = initialVersion
/** From then on, groups come and go with their members. The operations by which they were managed are in `versions/retired`. */
const withMembers = 2026010800
const path = z.object({ multicast_group: MulticastGroupIdentifier })
const memberPath = z.object({ instance: NameOrId, multicast_group: MulticastGroupIdentifier })
const MemberPage = pageOf('MulticastGroupMember', MulticastGroupMember)

export const multicastGroupOps = family('multicast-groups', ['multicast-group-member', 'instance'], {
  multicastGroupList: get('/v1/multicast-groups', {
    since,
    summary: 'List multicast groups',
    query: NameOrIdPaging,
    sorts: nameOrIdSorts,
    returns: pageOf('MulticastGroup', MulticastGroup),
  }),
  multicastGroupView: get('/v1/multicast-groups/{multicast_group}', {
    since,
    formerTwin: {
      path: '/v1/system/multicast-groups/by-ip/{multicast_group}',
      id: 'lookup_multicast_group_by_ip',
      until: withMembers,
    },
    summary: 'Fetch a multicast group',
    path,
    returns: MulticastGroup,
  }),
  multicastGroupMemberList: get('/v1/multicast-groups/{multicast_group}/members', {
    since,
    summary: 'List the members of a multicast group',
    path,
    query: IdPaging,
    sorts: idSorts,
    returns: MemberPage,
  }),
  instanceMulticastGroupList: get('/v1/instances/{instance}/multicast-groups', {
    since,
    summary: 'List the multicast groups that an instance is a member of',
    path: z.object({ instance: NameOrId }),
    query: IdPaging.extend(InProject.shape),
    formerParams: { names: { limit: null, page_token: null, sort_by: null }, until: withMembers },
    sorts: idSorts,
    returns: MemberPage,
  }),
  instanceMulticastGroupJoin: put('/v1/instances/{instance}/multicast-groups/{multicast_group}', {
    since,
    changes: ['multicast-group-member'],
    summary: 'Make an instance a member of a multicast group, which is created if it is missing',
    path: memberPath,
    query: InProject,
    body: InstanceMulticastGroupJoin,
    bodySince: withMembers,
    returns: MulticastGroupMember,
    status: 201,
  }),
  instanceMulticastGroupLeave: del('/v1/instances/{instance}/multicast-groups/{multicast_group}', {
    since,
    changes: ['multicast-group-member'],
    summary: 'End the membership of an instance in a multicast group, which ends with its last member',
    path: memberPath,
    query: InProject,
  }),
})
