import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, opQuery } from '../../data/queries.ts'

export type IpPool = OutputOf<'projectIpPoolView'>
export type FloatingIp = OutputOf<'floatingIpView'>
export type ExternalIp = OutputOf<'instanceExternalIpList'>['items'][number]
export type Subnet = OutputOf<'vpcSubnetView'>
export type NetworkInterface = OutputOf<'instanceNetworkInterfaceView'>

/** Pools linked to the silo. */
export const allIpPools = allQuery(op.projectIpPoolList, {})
export const allFloatingIps = (project: string) => allQuery(op.floatingIpList, { query: { project } })
export const allVpcs = (project: string) => allQuery(op.vpcList, { query: { project } })
export const allSubnets = (project: string, vpc: string) =>
  allQuery(op.vpcSubnetList, { query: { project, vpc } })
/** By id, and so without a project. */
export const vpcById = (id: string) => opQuery(op.vpcView, { path: { vpc: id } })
export const subnetsOf = (vpcId: string) => allQuery(op.vpcSubnetList, { query: { vpc: vpcId } })
export const interfaceById = (id: string) =>
  opQuery(op.instanceNetworkInterfaceView, { path: { interface: id } })
