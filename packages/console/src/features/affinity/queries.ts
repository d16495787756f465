// @chunk affinity-shared: every user of its operations needs this.
import type { AffinityFamily } from '@gantry/api/compute/affinity.rules'
import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'

/** Groups of both families have the same fields. */
export type Group = OutputOf<'antiAffinityGroupView'>
export type AffinityPolicy = Group['policy']
export type Member = OutputOf<'antiAffinityGroupMemberInstanceView'>['value']

const antiAffinityReads = {
  list: op.antiAffinityGroupList,
  view: op.antiAffinityGroupView,
  members: op.antiAffinityGroupMemberList,
  sizes: op.antiAffinityGroupSizeList,
  ofInstance: op.instanceAntiAffinityGroupList,
}
const affinityReads = {
  list: op.affinityGroupList,
  view: op.affinityGroupView,
  members: op.affinityGroupMemberList,
  sizes: op.affinityGroupSizeList,
  ofInstance: op.instanceAffinityGroupList,
}
/**
 * The operations of the two families differ only in their names, and in the path's selector, which `groupAt` names. So
 * the type of one stands for both.
 */
export const familyReads = {
  'anti-affinity': antiAffinityReads,
  affinity: affinityReads as unknown as typeof antiAffinityReads,
} satisfies Record<AffinityFamily, typeof antiAffinityReads>

const selectors = { 'anti-affinity': 'antiAffinityGroup', affinity: 'affinityGroup' } as const

/** The path of a group, typed like `familyReads`. */
export const groupPath = (family: AffinityFamily, group: string) =>
  ({ [selectors[family]]: group }) as unknown as { antiAffinityGroup: string }

/** Path and query of a group, shared by all its operations. */
export const groupAt = (family: AffinityFamily, project: string, group: string) => ({
  path: groupPath(family, group),
  query: { project },
})
export const memberAt = (family: AffinityFamily, project: string, group: string, instance: string) => ({
  path: { ...groupPath(family, group), instance },
  query: { project },
})

export const groupsIn = (family: AffinityFamily, project: string) =>
  listQuery(familyReads[family].list, { query: { project } })
export const allGroups = (family: AffinityFamily, project: string) =>
  allQuery(familyReads[family].list, { query: { project } })
export const groupView = (family: AffinityFamily, project: string, group: string) =>
  opQuery(familyReads[family].view, groupAt(family, project, group))
export const groupMembers = (family: AffinityFamily, project: string, group: string) =>
  allQuery(familyReads[family].members, groupAt(family, project, group))
export const groupsOfInstance = (family: AffinityFamily, project: string, instance: string) =>
  allQuery(familyReads[family].ofInstance, { path: { instance }, query: { project } })

/** Everything that shows group membership. */
export const membershipReads = Object.values(familyReads).flatMap(({ members, sizes, ofInstance }) => [
  members,
  sizes,
  ofInstance,
])

const antiAffinityChanges = {
  create: op.antiAffinityGroupCreate,
  update: op.antiAffinityGroupUpdate,
  delete: op.antiAffinityGroupDelete,
  memberAdd: op.antiAffinityGroupMemberInstanceAdd,
  memberRemove: op.antiAffinityGroupMemberInstanceDelete,
}
const affinityChanges = {
  create: op.affinityGroupCreate,
  update: op.affinityGroupUpdate,
  delete: op.affinityGroupDelete,
  memberAdd: op.affinityGroupMemberInstanceAdd,
  memberRemove: op.affinityGroupMemberInstanceDelete,
}

/** As in `familyReads`, one type stands for both families. */
export const familyChanges = {
  'anti-affinity': antiAffinityChanges,
  affinity: affinityChanges as unknown as typeof antiAffinityChanges,
} satisfies Record<AffinityFamily, typeof antiAffinityChanges>
