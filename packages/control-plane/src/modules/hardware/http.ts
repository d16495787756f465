import { implement } from '../../pipeline/implement.ts'
import { need, needFleet } from '../../lookup/need.ts'
import { listAll, listPage } from '../../list/page.ts'
import { cancelDrain, createDrain, listDrains, viewDrain } from '../compute/drain/service.ts'
import { disableAdoption, enableAdoption, listAdoptionRequests, listUnadopted } from './disk-adoption.ts'
import { expungeSled } from './expunge.ts'
import { startElsewhere } from './outage-start.ts'
import { viewOutage } from './outage.ts'
import { listSledUses } from './sled-uses.ts'
import { listFleetInstances } from './fleet-instances.ts'
import { addSled, listSledInstances, listUninitialized, setProvisionPolicy } from './sleds.ts'
import { abortMembership, addSleds, viewMembership } from './rack-membership.ts'
import { diskView, rackView, sledView, switchView } from './views.ts'

const inService = { policy: 'in_service', state: 'active' } as const

export const hardwareHttp = implement({
  rackList: (cx, { query }) => {
    needFleet(cx, 'list_children')
    return listAll(cx, 'rack', query, rackView)
  },
  rackView: async (cx, { path }) => rackView((await need(cx, 'rack', path, 'read')).row),

  rackMembershipStatus: (cx, { path, query }) => viewMembership(cx, path, query.version),
  rackMembershipAddSleds: (cx, { path, body }) => addSleds(cx, path, body.sled_ids),
  rackMembershipAbort: (cx, { path }) => abortMembership(cx, path),

  sledList: (cx, { query }) => {
    needFleet(cx, 'list_children')
    return listPage(cx, 'sled', query, () => ({ where: inService }), sledView)
  },
  sledAdd: (cx, { body }) => addSled(cx, body),
  sledView: async (cx, { path }) => sledView((await need(cx, 'sled', path, 'read')).row),
  systemInstanceList: listFleetInstances,
  sledInstanceList: (cx, { path, query }) => listSledInstances(cx, path, query),
  sledSetProvisionPolicy: (cx, { path, body }) => setProvisionPolicy(cx, path, body.state),
  sledListUninitialized: (cx, { query }) => listUninitialized(cx, query.page_token),

  physicalDiskList: (cx, { query }) => {
    needFleet(cx, 'list_children')
    return listPage(cx, 'physical_disk', query, () => ({ where: inService }), diskView)
  },
  physicalDiskView: async (cx, { path }) => diskView((await need(cx, 'physical_disk', path, 'read')).row),
  /** An unknown sled has an empty page (control plane reference, A 18). */
  sledPhysicalDiskList: (cx, { path, query }) => {
    needFleet(cx, 'list_children')
    return listPage(cx, 'physical_disk', query, () => ({ where: { sled_id: path.sled_id } }), diskView)
  },

  physicalDiskListUnadopted: (cx, { query }) => listUnadopted(cx, query.page_token),
  physicalDiskListAdoptionRequests: (cx, { query }) => listAdoptionRequests(cx, query),
  physicalDiskEnableAdoption: (cx, { body }) => enableAdoption(cx, body),
  physicalDiskDisableAdoption: (cx, { path }) => disableAdoption(cx, path),

  switchList: (cx, { query }) => {
    needFleet(cx, 'list_children')
    return listAll(cx, 'switch', query, switchView)
  },
  switchView: async (cx, { path }) => switchView((await need(cx, 'switch', path, 'read')).row),

  sledUseList: listSledUses,
  sledOutageView: (cx, { path }) => viewOutage(cx, path),
  sledOutageStart: (cx, { path, body }) => startElsewhere(cx, path, body.instances),
  sledExpunge: (cx, { path }) => expungeSled(cx, path),
  sledDrainList: (cx, { path }) => listDrains(cx, path),
  sledDrainCreate: (cx, { path, body }) => createDrain(cx, path, body.mode),
  sledDrainView: (cx, { path }) => viewDrain(cx, path.drain_id),
  sledDrainCancel: (cx, { path }) => cancelDrain(cx, path.drain_id),
})
