import type { ipPoolOps } from '@gantry/api/network/ip-pool'
import { fresh, named, plain, silo } from '../../testing/case-values.ts'
import { type CasesOf, onFleet, openly } from '../../testing/operation-case.ts'

const pool = { path: { pool: 'nobody' } }
const range = { first: '10.0.0.1', last: '10.0.0.9' }
/** It overlaps a range of the demo's pool, and belongs to no pool. */
const takenRange = { first: '198.51.100.200', last: '198.51.101.10' }

export const ipPoolCases: CasesOf<typeof ipPoolOps> = {
  ipPoolList: { sent: {}, rule: openly('list_children', 'fleet'), allowed: () => ['/v1/system/ip-pools'] },
  ipPoolCreate: {
    sent: { body: named },
    rule: openly('modify', 'fleet'),
    allowed: () => ['/v1/system/ip-pools', plain()],
  },
  systemIpPoolAssign: {
    sent: { ...pool, body: { assignment: 'silos' } },
    rule: onFleet('modify'),
    // It is theirs already, which is checked later: another pool of services would be in the way of other cases.
    allowed: () => ['/v1/system/ip-pools/external/assignment', { assignment: 'silos' }],
  },
  ipPoolView: { sent: pool, rule: onFleet('read'), allowed: () => ['/v1/system/ip-pools/external'] },
  ipPoolUpdate: {
    sent: { ...pool, body: { description: 'x' } },
    rule: onFleet('modify'),
    allowed: () => ['/v1/system/ip-pools/external', { description: fresh() }],
  },
  ipPoolDelete: {
    sent: pool,
    rule: onFleet('modify'),
    allowed: async ({ made, operator }) => [
      `/v1/system/ip-pools/${await made('/v1/system/ip-pools', plain(), operator)}`,
    ],
  },
  ipPoolUtilizationView: {
    sent: pool,
    rule: onFleet('read'),
    allowed: () => ['/v1/system/ip-pools/external/utilization'],
  },
  ipPoolSiloList: {
    sent: pool,
    rule: onFleet('list_children'),
    allowed: () => ['/v1/system/ip-pools/external/silos'],
  },
  ipPoolLinkList: {
    sent: pool,
    rule: onFleet('list_children'),
    allowed: () => ['/ext/v1/system/ip-pools/external/silos'],
  },
  ipPoolSiloLink: {
    sent: { ...pool, body: { ...silo, is_default: false } },
    rule: onFleet('modify'),
    allowed: () => ['/v1/system/ip-pools/external/silos', { silo: 'demo', is_default: false }],
  },
  ipPoolSiloUpdate: {
    sent: { path: { ...pool.path, ...silo }, body: { is_default: true } },
    rule: onFleet('modify'),
    allowed: () => ['/v1/system/ip-pools/external/silos/demo', { is_default: true }],
  },
  ipPoolSiloUnlink: {
    sent: { path: { ...pool.path, ...silo } },
    rule: onFleet('modify'),
    allowed: () => ['/v1/system/ip-pools/external/silos/demo'],
  },
  ipPoolServiceView: {
    sent: {},
    rule: openly('read', 'fleet'),
    allowed: () => ['/v1/system/ip-pools-service'],
  },
  ipPoolRangeList: {
    sent: pool,
    rule: onFleet('list_children'),
    allowed: () => ['/v1/system/ip-pools/external/ranges'],
  },
  ipPoolRangeAdd: {
    sent: { ...pool, body: range },
    rule: onFleet('modify'),
    allowed: () => ['/v1/system/ip-pools/external/ranges/add', takenRange],
  },
  ipPoolRangeRemove: {
    sent: { ...pool, body: range },
    rule: onFleet('modify'),
    allowed: () => ['/v1/system/ip-pools/external/ranges/remove', takenRange],
  },
  ipPoolServiceRangeList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/v1/system/ip-pools-service/ranges'],
  },
  ipPoolServiceRangeAdd: {
    sent: { body: range },
    rule: openly('modify', 'fleet'),
    allowed: () => ['/v1/system/ip-pools-service/ranges/add', takenRange],
  },
  ipPoolServiceRangeRemove: {
    sent: { body: range },
    rule: openly('modify', 'fleet'),
    allowed: () => ['/v1/system/ip-pools-service/ranges/remove', takenRange],
  },
  ipPoolUseList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/ext/v1/system/ip-pools'],
  },
  ipPoolAddressList: {
    sent: pool,
    rule: onFleet('list_children'),
    allowed: () => ['/ext/v1/system/ip-pools/external/addresses'],
  },
}
