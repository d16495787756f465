import { z } from 'zod'
import { InstanceState } from './instance.ts'
import { type BodyOf, del, family, get, type Kind, post, put, type ReturnOf } from '../op.ts'
import {
  identityCreate,
  IdentityUpdate,
  InProject,
  listInProject,
  Name,
  named,
  NameOrId,
  nameOrIdSorts,
  OfProject,
  pageOf,
  projectPaging,
  Uuid,
  withIdentity,
} from '../schema.ts'

export const AffinityPolicy = named('AffinityPolicy', z.enum(['allow', 'fail']))
export const FailureDomain = named('FailureDomain', z.enum(['sled']))

const groupFields = { policy: AffinityPolicy, failure_domain: FailureDomain }

/** The families differ only in their names, so one function creates the schemas and operations of both. */
function groupsOf<Key extends 'affinity_group' | 'anti_affinity_group'>(
  key: Key,
  name: 'AffinityGroup' | 'AntiAffinityGroup',
  words: string,
) {
  const kind = key.replaceAll('_', '-') as 'affinity-group' | 'anti-affinity-group'
  const base = `/v1/${kind}s` as const
  const memberReads: readonly Kind[] = [kind, `${kind}-member`, 'instance']
  const Group = named(name, withIdentity({ project_id: Uuid, ...groupFields }))
  const GroupPage = pageOf(name, Group)
  const Member = named(
    `${name}Member`,
    z.discriminatedUnion('type', [
      z.object({
        type: z.literal('instance'),
        value: z.object({ id: Uuid, name: Name, run_state: InstanceState }),
      }),
    ]),
  )
  const path = z.object({ [key]: NameOrId } as Record<Key, typeof NameOrId>)
  const memberPath = path.extend({ instance: NameOrId })
  const at = { path, query: InProject }
  const member = { path: memberPath, query: InProject, returns: Member }
  return family('affinity', [kind], {
    list: get(base, {
      summary: `List ${words} groups of a project`,
      ...listInProject,
      returns: GroupPage,
    }),
    create: post(base, {
      summary: `Create an ${words} group`,
      query: OfProject,
      body: named(`${name}Create`, z.object({ ...identityCreate, ...groupFields })),
      returns: Group,
    }),
    view: get(`${base}/{${key}}`, { summary: `Fetch an ${words} group`, ...at, returns: Group }),
    update: put(`${base}/{${key}}`, {
      summary: `Update an ${words} group`,
      ...at,
      body: named(`${name}Update`, z.object(IdentityUpdate)),
      returns: Group,
    }),
    delete: del(`${base}/{${key}}`, {
      changes: [kind, `${kind}-member`],
      summary: `Delete an ${words} group`,
      ...at,
    }),
    memberList: get(`${base}/{${key}}/members`, {
      summary: `List members of an ${words} group`,
      path,
      query: projectPaging,
      sorts: nameOrIdSorts,
      returns: pageOf(`${name}Member`, Member),
      reads: memberReads,
    }),
    memberView: get(`${base}/{${key}}/members/instance/{instance}`, {
      summary: `Fetch a member of an ${words} group`,
      noScreen: { shownBy: `${name.replace(/^A/, 'a')}MemberList` },
      ...member,
      reads: memberReads,
    }),
    memberAdd: post(`${base}/{${key}}/members/instance/{instance}`, {
      changes: [`${kind}-member`],
      summary: `Add an instance to an ${words} group`,
      ...member,
    }),
    memberDelete: del(`${base}/{${key}}/members/instance/{instance}`, {
      changes: [`${kind}-member`],
      summary: `Remove an instance from an ${words} group`,
      path: memberPath,
      query: InProject,
    }),
    ofInstance: get(`/v1/instances/{instance}/${kind}s`, {
      summary: `List ${words} groups of an instance`,
      path: z.object({ instance: NameOrId }),
      query: projectPaging,
      sorts: nameOrIdSorts,
      returns: GroupPage,
      reads: [kind, `${kind}-member`],
      tag: 'instances',
    }),
    // Ours: the data that a list of groups shows, in one request. Groups without members are omitted.
    sizes: get(`/ext/v1/${kind}-sizes`, {
      summary: `Count members of each ${words} group of a project`,
      query: OfProject,
      returns: named(
        `${name}Sizes`,
        z.object({
          items: z.array(named(`${name}Size`, z.object({ group_id: Uuid, members: z.number().int() }))),
        }),
      ),
      reads: [kind, `${kind}-member`],
    }),
  })
}

const affinity = groupsOf('affinity_group', 'AffinityGroup', 'affinity')
const antiAffinity = groupsOf('anti_affinity_group', 'AntiAffinityGroup', 'anti-affinity')
/** Groups of both families have the same shape. */
export type Group = ReturnOf<typeof affinity.view>
export type GroupCreate = BodyOf<typeof affinity.create>
export type GroupUpdate = BodyOf<typeof affinity.update>
export type GroupMember = ReturnOf<typeof affinity.memberView>

export type GroupSizes = ReturnOf<typeof antiAffinity.sizes>

export const affinityOps = {
  affinityGroupList: affinity.list,
  affinityGroupCreate: affinity.create,
  affinityGroupView: affinity.view,
  affinityGroupUpdate: affinity.update,
  affinityGroupDelete: affinity.delete,
  affinityGroupMemberList: affinity.memberList,
  affinityGroupMemberInstanceView: affinity.memberView,
  affinityGroupMemberInstanceAdd: affinity.memberAdd,
  affinityGroupMemberInstanceDelete: affinity.memberDelete,
  instanceAffinityGroupList: affinity.ofInstance,
  affinityGroupSizeList: affinity.sizes,
  antiAffinityGroupList: antiAffinity.list,
  antiAffinityGroupCreate: antiAffinity.create,
  antiAffinityGroupView: antiAffinity.view,
  antiAffinityGroupUpdate: antiAffinity.update,
  antiAffinityGroupDelete: antiAffinity.delete,
  antiAffinityGroupMemberList: antiAffinity.memberList,
  antiAffinityGroupMemberInstanceView: antiAffinity.memberView,
  antiAffinityGroupMemberInstanceAdd: antiAffinity.memberAdd,
  antiAffinityGroupMemberInstanceDelete: antiAffinity.memberDelete,
  instanceAntiAffinityGroupList: antiAffinity.ofInstance,
  antiAffinityGroupSizeList: antiAffinity.sizes,
}
