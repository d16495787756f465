import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'

export type AntiAffinityGroup = OutputOf<'antiAffinityGroupView'>
export type AffinityPolicy = AntiAffinityGroup['policy']
export type Member = OutputOf<'antiAffinityGroupMemberInstanceView'>['value']

/** Path and query of a group, shared by all its operations. */
export const groupAt = (project: string, antiAffinityGroup: string) => ({
  path: { antiAffinityGroup },
  query: { project },
})
export const memberAt = (project: string, antiAffinityGroup: string, instance: string) => ({
  path: { antiAffinityGroup, instance },
  query: { project },
})

export const groupsIn = (project: string) => listQuery(op.antiAffinityGroupList, { query: { project } })
export const allAntiAffinityGroups = (project: string) =>
  allQuery(op.antiAffinityGroupList, { query: { project } })
export const groupView = (project: string, group: string) =>
  opQuery(op.antiAffinityGroupView, groupAt(project, group))
export const groupMembers = (project: string, group: string) =>
  allQuery(op.antiAffinityGroupMemberList, groupAt(project, group))
export const groupsOfInstance = (project: string, instance: string) =>
  allQuery(op.instanceAntiAffinityGroupList, { path: { instance }, query: { project } })

/** Everything that shows group membership. */
export const membershipReads = [
  op.antiAffinityGroupMemberList,
  op.antiAffinityGroupSizeList,
  op.instanceAntiAffinityGroupList,
] as const
