import type { affinityOps } from '@gantry/api/compute/affinity'
import { atlas, fresh, groupOf, instance, named, project } from '../../testing/case-values.ts'
import {
  type CasesOf,
  type OperationCase,
  createInProject,
  listChild,
  listProject,
  modifyChild,
  readChild,
  type Given,
} from '../../testing/operation-case.ts'

const together = { path: { affinity_group: 'nobody' }, query: project }
const togetherMember = { path: { ...together.path, instance: 'nobody' }, query: project }
const apart = { path: { anti_affinity_group: 'nobody' }, query: project }
const apartMember = { path: { ...apart.path, instance: 'nobody' }, query: project }

const addressed: OperationCase['addressed'] = [
  'anti_affinity_group',
  'anti-affinity-group',
  ['project'],
  'when providing anti_affinity_group as an ID, project should not be specified',
  'anti_affinity_group should either be UUID or project should be specified',
]

export const affinityCases: CasesOf<typeof affinityOps> = {
  affinityGroupList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/v1/affinity-groups?${atlas}`],
  },
  affinityGroupCreate: {
    sent: { query: project, body: { ...named, policy: 'allow', failure_domain: 'sled' } },
    rule: createInProject,
    allowed: () => [`/v1/affinity-groups?${atlas}`, groupOf(fresh())],
  },
  affinityGroupView: {
    sent: together,
    rule: readChild,
    allowed: () => [`/v1/affinity-groups/together?${atlas}`],
    addressed: [
      'affinity_group',
      'affinity-group',
      ['project'],
      'when providing affinity_group as an ID, project should not be specified',
      'affinity_group should either be UUID or project should be specified',
    ],
  },
  affinityGroupUpdate: {
    sent: { ...together, body: { description: 'x' } },
    rule: modifyChild,
    allowed: () => [`/v1/affinity-groups/together?${atlas}`, { description: fresh() }],
  },
  affinityGroupDelete: {
    sent: together,
    rule: modifyChild,
    allowed: async ({ made }) => [
      `/v1/affinity-groups/${await made(`/v1/affinity-groups?${atlas}`, groupOf(fresh()))}?${atlas}`,
    ],
  },
  affinityGroupMemberList: {
    sent: together,
    rule: listChild,
    allowed: () => [`/v1/affinity-groups/together/members?${atlas}`],
  },
  affinityGroupMemberInstanceView: {
    sent: togetherMember,
    rule: readChild,
    allowed: () => [`/v1/affinity-groups/together/members/instance/web?${atlas}`],
  },
  affinityGroupMemberInstanceAdd: {
    sent: togetherMember,
    rule: modifyChild,
    allowed: () => [`/v1/affinity-groups/together/members/instance/web?${atlas}`],
  },
  affinityGroupMemberInstanceDelete: {
    sent: togetherMember,
    rule: modifyChild,
    allowed: async ({ made, owner }) => {
      const group = await made(`/v1/affinity-groups?${atlas}`, groupOf(fresh()))
      const path = `/v1/affinity-groups/${group}/members/instance/web?${atlas}`
      await owner.post(path)
      return [path]
    },
  },
  instanceAffinityGroupList: {
    sent: instance,
    rule: listChild,
    allowed: () => [`/v1/instances/web/affinity-groups?${atlas}`],
  },
  affinityGroupSizeList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/ext/v1/affinity-group-sizes?${atlas}`],
  },
  antiAffinityGroupList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/v1/anti-affinity-groups?${atlas}`],
  },
  antiAffinityGroupCreate: {
    sent: { query: project, body: { ...named, policy: 'allow', failure_domain: 'sled' } },
    rule: createInProject,
    allowed: () => [`/v1/anti-affinity-groups?${atlas}`, groupOf(fresh())],
  },
  antiAffinityGroupView: {
    sent: apart,
    rule: readChild,
    allowed: () => [`/v1/anti-affinity-groups/apart?${atlas}`],
    addressed,
  },
  antiAffinityGroupUpdate: {
    sent: { ...apart, body: { description: 'x' } },
    rule: modifyChild,
    allowed: () => [`/v1/anti-affinity-groups/apart?${atlas}`, { description: fresh() }],
  },
  antiAffinityGroupDelete: {
    sent: apart,
    rule: modifyChild,
    allowed: async ({ made }) => [
      `/v1/anti-affinity-groups/${await made(`/v1/anti-affinity-groups?${atlas}`, groupOf(fresh()))}?${atlas}`,
    ],
    addressed,
  },
  antiAffinityGroupMemberList: {
    sent: apart,
    rule: listChild,
    allowed: () => [`/v1/anti-affinity-groups/apart/members?${atlas}`],
  },
  antiAffinityGroupMemberInstanceView: {
    sent: apartMember,
    rule: readChild,
    allowed: () => [`/v1/anti-affinity-groups/apart/members/instance/web?${atlas}`],
  },
  antiAffinityGroupMemberInstanceAdd: {
    sent: apartMember,
    rule: modifyChild,
    allowed: () => [`/v1/anti-affinity-groups/apart/members/instance/web?${atlas}`],
  },
  antiAffinityGroupMemberInstanceDelete: {
    sent: apartMember,
    rule: modifyChild,
    allowed: async ({ made, owner }) => {
      const group = await made(`/v1/anti-affinity-groups?${atlas}`, groupOf(fresh()))
      const path = `/v1/anti-affinity-groups/${group}/members/instance/web?${atlas}`
      await owner.post(path)
      return [path]
    },
  },
  instanceAntiAffinityGroupList: {
    sent: instance,
    rule: listChild,
    allowed: () => [`/v1/instances/web/anti-affinity-groups?${atlas}`],
  },
  antiAffinityGroupSizeList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/ext/v1/anti-affinity-group-sizes?${atlas}`],
  },
}

export const affinityGiven: Given = {
  affinity_group: ({ at, the }) => [`/v1/affinity-groups?${at}`, groupOf(the.name)],
  anti_affinity_group: ({ at, the }) => [`/v1/anti-affinity-groups?${at}`, groupOf(the.name)],
}
