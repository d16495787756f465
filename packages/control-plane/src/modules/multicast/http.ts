import { ops } from '@gantry/api/registry'
import { sql } from 'kysely'
import { change } from '../../change/change.ts'
import { idKey, nameKeys } from '../../list/page.ts'
import { relationPage } from '../../list/keyset-page.ts'
import { need } from '../../lookup/need.ts'
import { implement } from '../../pipeline/implement.ts'
import { joinGroup, leaveGroup, needMulticast } from './members.ts'
import { groupView, groups, memberView, members, needGroup } from './views.ts'

export const multicastHttp = implement({
  multicastGroupList: (cx, { query }) => {
    // Groups are of the whole fleet, and open to the users of every silo.
    cx.user()
    return relationPage(
      cx,
      ops.multicastGroupList,
      groups,
      query,
      { keys: nameKeys, where: async () => [] },
      groupView,
    )
  },
  multicastGroupView: async (cx, { path }) => {
    cx.user()
    return groupView(await needGroup(cx.db, path.multicast_group))
  },
  multicastGroupMemberList: async (cx, { path, query }) => {
    cx.user()
    const { id } = await needGroup(cx.db, path.multicast_group)
    const where = async () => [sql`t.multicast_group_id = ${id}`]
    return relationPage(
      cx,
      ops.multicastGroupMemberList,
      members,
      query,
      { keys: { id: idKey }, where },
      memberView,
    )
  },
  instanceMulticastGroupList: (cx, { path, query }) =>
    relationPage(
      cx,
      ops.instanceMulticastGroupList,
      members,
      query,
      {
        keys: { id: idKey },
        where: async ({ project }) => {
          const { row } = await need(cx, 'instance', { ...path, project }, 'read')
          return [sql`t.instance_id = ${row.id}`]
        },
      },
      memberView,
    ),
  instanceMulticastGroupJoin: async (cx, { path, query, body }) => {
    const { row, scope } = await need(
      cx,
      'instance',
      { project: query.project, instance: path.instance },
      'modify',
    )
    needMulticast(cx)
    return change(cx, scope, async (tx) => {
      const instance = await tx.lock('instance', row)
      const wanted = { group: path.multicast_group, ...body }
      const id = await joinGroup(tx, instance, scope.silo_id ?? '', wanted)
      // Read before the change ends: another one may end the membership right after it.
      const found = await sql<
        Parameters<typeof memberView>[0]
      >`SELECT * FROM ${members.from} t WHERE t.id = ${id}`.execute(tx.plain)
      const [member] = found.rows
      if (!member) throw new Error('a membership that was written cannot be read')
      return memberView(member)
    })
  },
  instanceMulticastGroupLeave: async (cx, { path, query }) => {
    const { row, scope } = await need(
      cx,
      'instance',
      { project: query.project, instance: path.instance },
      'modify',
    )
    await change(cx, scope, async (tx) => {
      const instance = await tx.lock('instance', row)
      const group = await needGroup(tx.read, path.multicast_group)
      await leaveGroup(tx, instance, group.id)
    })
  },
})
