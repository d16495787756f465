import type { subnetPoolOps } from '@gantry/api/network/subnet-pool'
import { fresh, named, plain, silo } from '../../testing/case-values.ts'
import { type CasesOf, inNamedSilo, on, onFleet, openly } from '../../testing/operation-case.ts'

const pools = '/v1/system/subnet-pools'
const external = `${pools}/external`
const pool = { path: { pool: 'nobody' } }
/** It overlaps the member of the demo's pool, and is none itself. */
const taken = { subnet: '198.18.64.0/24' }

export const subnetPoolCases: CasesOf<typeof subnetPoolOps> = {
  subnetPoolList: { sent: {}, rule: openly('list_children', 'fleet'), allowed: () => [pools] },
  subnetPoolCreate: {
    sent: { body: { ...named, ip_version: 'v4' } },
    rule: openly('modify', 'fleet'),
    allowed: () => [pools, { ...plain(), ip_version: 'v6' }],
  },
  subnetPoolView: { sent: pool, rule: onFleet('read'), allowed: () => [external] },
  subnetPoolUpdate: {
    sent: { ...pool, body: { description: 'x' } },
    rule: onFleet('modify'),
    allowed: () => [external, { description: fresh() }],
  },
  subnetPoolDelete: {
    sent: pool,
    rule: onFleet('modify'),
    allowed: async ({ made, operator }) => [
      `${pools}/${await made(pools, { ...plain(), ip_version: 'v4' }, operator)}`,
    ],
  },
  subnetPoolUtilizationView: {
    sent: pool,
    rule: onFleet('read'),
    allowed: () => [`${external}/utilization`],
  },
  subnetPoolSiloList: { sent: pool, rule: onFleet('list_children'), allowed: () => [`${external}/silos`] },
  subnetPoolSiloLink: {
    sent: { ...pool, body: { ...silo, is_default: false } },
    rule: onFleet('modify'),
    allowed: () => [`${external}/silos`, { silo: 'demo', is_default: false }],
  },
  subnetPoolSiloUpdate: {
    sent: { path: { ...pool.path, ...silo }, body: { is_default: true } },
    rule: onFleet('modify'),
    allowed: () => [`${external}/silos/demo`, { is_default: true }],
  },
  subnetPoolSiloUnlink: {
    sent: { path: { ...pool.path, ...silo } },
    rule: onFleet('modify'),
    allowed: async ({ made, operator }) => {
      const id = await made(pools, { ...plain(), ip_version: 'v4' }, operator)
      await operator.post(`${pools}/${id}/silos`, { silo: 'demo', is_default: false })
      return [`${pools}/${id}/silos/demo`]
    },
  },
  subnetPoolMemberList: {
    sent: pool,
    rule: onFleet('list_children'),
    allowed: () => [`${external}/members`],
  },
  subnetPoolMemberAdd: {
    sent: { ...pool, body: taken },
    rule: onFleet('modify'),
    allowed: () => [`${external}/members/add`, taken],
  },
  subnetPoolMemberRemove: {
    sent: { ...pool, body: taken },
    rule: onFleet('modify'),
    allowed: () => [`${external}/members/remove`, taken],
  },
  currentSiloSubnetPoolList: {
    sent: {},
    rule: openly('list_children', 'siloIpPool'),
    allowed: () => ['/v1/subnet-pools'],
  },
  currentSiloSubnetPoolView: {
    sent: pool,
    rule: on('read', 'siloIpPool'),
    allowed: () => ['/v1/subnet-pools/external'],
  },
  siloSubnetPoolList: {
    sent: { path: { silo: 'demo' } },
    rule: inNamedSilo('read'),
    allowed: () => ['/v1/system/silos/demo/subnet-pools'],
  },
  subnetPoolUseList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/ext/v1/system/subnet-pools'],
  },
}
