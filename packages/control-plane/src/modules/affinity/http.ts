import type { GroupCreate, GroupUpdate } from '@gantry/api/compute/affinity'
import type { Cx } from '../../context/cx.ts'
import { implement } from '../../pipeline/implement.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { listInProject, type ListQuery } from '../../list/page.ts'
import { affinity, antiAffinity, type Family } from './families.ts'
import { createGroup, deleteGroup, groupView, updateGroup } from './groups.ts'
import {
  addMember,
  listGroupsOfInstance,
  listGroupSizes,
  listMembers,
  removeMember,
  viewMember,
} from './members.ts'

interface At {
  path: Selectors
  query: Selectors
}
interface List {
  path: Selectors
  query: ListQuery
}

/** The operations of one family. */
const handlersOf = (family: Family) => ({
  list: (cx: Cx, { query }: Pick<List, 'query'>) => listInProject(cx, family.groups, query, groupView),
  create: async (cx: Cx, { query, body }: Pick<At, 'query'> & { body: GroupCreate }) =>
    groupView(await createGroup(cx, family, query, body)),
  view: async (cx: Cx, { path, query }: At) =>
    groupView((await need(cx, family.groups, { ...query, ...path }, 'read')).row),
  update: async (cx: Cx, { path, query, body }: At & { body: GroupUpdate }) =>
    groupView(await updateGroup(cx, family, { ...query, ...path }, body)),
  delete: (cx: Cx, { path, query }: At) => deleteGroup(cx, family, { ...query, ...path }),
  memberList: (cx: Cx, { path, query }: List) => listMembers(cx, family, path, query),
  memberView: (cx: Cx, { path, query }: At) => viewMember(cx, family, { ...query, ...path }),
  memberAdd: (cx: Cx, { path, query }: At) => addMember(cx, family, { ...query, ...path }),
  memberDelete: (cx: Cx, { path, query }: At) => removeMember(cx, family, { ...query, ...path }),
  ofInstance: (cx: Cx, { path, query }: List) => listGroupsOfInstance(cx, family, path, query),
  sizes: (cx: Cx, { query }: Pick<At, 'query'>) => listGroupSizes(cx, family, query),
})

const together = handlersOf(affinity)
const apart = handlersOf(antiAffinity)

export const affinityHttp = implement({
  affinityGroupList: together.list,
  affinityGroupCreate: together.create,
  affinityGroupView: together.view,
  affinityGroupUpdate: together.update,
  affinityGroupDelete: together.delete,
  affinityGroupMemberList: together.memberList,
  affinityGroupMemberInstanceView: together.memberView,
  affinityGroupMemberInstanceAdd: together.memberAdd,
  affinityGroupMemberInstanceDelete: together.memberDelete,
  instanceAffinityGroupList: together.ofInstance,
  affinityGroupSizeList: together.sizes,
  antiAffinityGroupList: apart.list,
  antiAffinityGroupCreate: apart.create,
  antiAffinityGroupView: apart.view,
  antiAffinityGroupUpdate: apart.update,
  antiAffinityGroupDelete: apart.delete,
  antiAffinityGroupMemberList: apart.memberList,
  antiAffinityGroupMemberInstanceView: apart.memberView,
  antiAffinityGroupMemberInstanceAdd: apart.memberAdd,
  antiAffinityGroupMemberInstanceDelete: apart.memberDelete,
  instanceAntiAffinityGroupList: apart.ofInstance,
  antiAffinityGroupSizeList: apart.sizes,
})
