import { oneOfPools } from '../network/addresses/pools.ts'
import { implement } from '../../pipeline/implement.ts'
import { needFleet } from '../../lookup/need.ts'
import { listPage } from '../../list/page.ts'
import { listAddresses } from './addresses.ts'
import { linkSilo, listLinks, unlinkSilo, updateLink } from './links.ts'
import {
  assignPool,
  createPool,
  deletePool,
  needPool,
  needServicePool,
  poolView,
  updatePool,
} from './pools.ts'
import {
  addRange,
  addServiceRange,
  listRanges,
  listServiceRanges,
  removeRange,
  removeServiceRange,
} from './ranges.ts'
import { listWithUse, viewUtilization } from './use.ts'

export const ipPoolsHttp = implement({
  ipPoolList: (cx, { query: { assignment, ip_version, pool_type, ...query } }) => {
    needFleet(cx, 'list_children')
    const where = assignment ? { is_service: assignment === 'system_services' } : {}
    return listPage(
      cx,
      'ip_pool',
      query,
      () => ({ where, and: oneOfPools({ ip_version, pool_type }) }),
      poolView,
    )
  },
  ipPoolCreate: async (cx, { body }) => poolView(await createPool(cx, body)),
  ipPoolView: async (cx, { path }) => poolView(await needPool(cx, path, 'read')),
  ipPoolUpdate: async (cx, { path, body }) => poolView(await updatePool(cx, path, body)),
  ipPoolDelete: (cx, { path }) => deletePool(cx, path),
  ipPoolUtilizationView: (cx, { path }) => viewUtilization(cx, path),

  ipPoolRangeList: (cx, { path, query }) => listRanges(cx, path, query),
  ipPoolRangeAdd: (cx, { path, body }) => addRange(cx, path, body),
  ipPoolRangeRemove: (cx, { path, body }) => removeRange(cx, path, body),

  ipPoolSiloList: (cx, { path, query }) => listLinks(cx, path, query, { discoverable: true }),
  ipPoolLinkList: (cx, { path, query }) => listLinks(cx, path, query, {}),
  ipPoolSiloLink: (cx, { path, body }) => linkSilo(cx, path, body),
  ipPoolSiloUpdate: (cx, { path, body }) => updateLink(cx, path, body),
  ipPoolSiloUnlink: (cx, { path }) => unlinkSilo(cx, path),

  systemIpPoolAssign: async (cx, { path, body }) => poolView(await assignPool(cx, path, body.assignment)),

  ipPoolServiceView: async (cx) => poolView(await needServicePool(cx, 'read')),
  ipPoolServiceRangeList: (cx, { query }) => listServiceRanges(cx, query),
  ipPoolServiceRangeAdd: (cx, { body }) => addServiceRange(cx, body),
  ipPoolServiceRangeRemove: (cx, { body }) => removeServiceRange(cx, body),

  ipPoolUseList: listWithUse,
  ipPoolAddressList: (cx, { path, query }) => listAddresses(cx, path, query),
})
