import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'

export type MulticastGroup = OutputOf<'multicastGroupView'>
export type Membership = OutputOf<'multicastGroupMemberList'>['items'][number]

export const multicastGroups = listQuery(op.multicastGroupList, {})
export const multicastGroup = (multicastGroupName: string) =>
  opQuery(op.multicastGroupView, { path: { multicastGroup: multicastGroupName } })
export const membersOf = (multicastGroupName: string) =>
  listQuery(op.multicastGroupMemberList, { path: { multicastGroup: multicastGroupName } })
/** Path and query of an instance, shared by all operations of its groups. */
export const groupsAt = (project: string, instance: string) => ({ path: { instance }, query: { project } })
export const groupsOf = (project: string, instance: string) =>
  allQuery(op.instanceMulticastGroupList, groupsAt(project, instance))
