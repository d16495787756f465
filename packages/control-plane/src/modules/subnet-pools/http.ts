import { implement } from '../../pipeline/implement.ts'
import { need, needFleet, needOwnSilo } from '../../lookup/need.ts'
import { listPage } from '../../list/page.ts'
import { linkSilo, listLinks, unlinkSilo, updateLink } from './links.ts'
import { addMember, listMembers, removeMember } from './members.ts'
import { listPoolsOf, viewOwnPool } from './of-silo.ts'
import { createPool, deletePool, poolView, updatePool } from './pools.ts'
import { listWithUse, viewUtilization } from './use.ts'

export const subnetPoolsHttp = implement({
  subnetPoolList: (cx, { query }) => {
    needFleet(cx, 'list_children')
    return listPage(cx, 'subnet_pool', query, () => ({ where: {} }), poolView)
  },
  subnetPoolCreate: async (cx, { body }) => poolView(await createPool(cx, body)),
  subnetPoolView: async (cx, { path }) => poolView((await need(cx, 'subnet_pool', path, 'read')).row),
  subnetPoolUpdate: async (cx, { path, body }) => poolView(await updatePool(cx, path, body)),
  subnetPoolDelete: (cx, { path }) => deletePool(cx, path),
  subnetPoolUtilizationView: (cx, { path }) => viewUtilization(cx, path),

  subnetPoolMemberList: (cx, { path, query }) => listMembers(cx, path, query),
  subnetPoolMemberAdd: (cx, { path, body }) => addMember(cx, path, body),
  subnetPoolMemberRemove: (cx, { path, body }) => removeMember(cx, path, body),

  subnetPoolSiloList: (cx, { path, query }) => listLinks(cx, path, query),
  subnetPoolSiloLink: (cx, { path, body }) => linkSilo(cx, path, body),
  subnetPoolSiloUpdate: (cx, { path, body }) => updateLink(cx, path, body),
  subnetPoolSiloUnlink: (cx, { path }) => unlinkSilo(cx, path),

  currentSiloSubnetPoolList: (cx, { query }) =>
    listPoolsOf(cx, query, needOwnSilo(cx, 'list_children', 'siloIpPool').silo_id),
  currentSiloSubnetPoolView: (cx, { path }) => viewOwnPool(cx, path.pool),
  siloSubnetPoolList: async (cx, { path, query }) =>
    listPoolsOf(cx, query, (await need(cx, 'silo', path, 'read')).row.id),

  subnetPoolUseList: listWithUse,
})
