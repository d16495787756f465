import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { opQuery } from '#/data/queries.ts'
import { allSnapshots } from '#/features/snapshots/queries.ts'
import { allSubnets, allVpcs } from '#/features/vpcs/queries.ts'
import {
  type Instance,
  instanceAt,
  instanceDisks,
  instanceExternalIps,
  instanceInterfaces,
  instanceView,
} from '../../queries.ts'

type Items<Name extends 'vpcList' | 'vpcSubnetList' | 'snapshotList'> = OutputOf<Name>['items']

/** The settings of an instance that a clone can share. */
export interface CloneSource {
  instance: Instance
  disks: OutputOf<'instanceDiskList'>['items']
  interfaces: OutputOf<'instanceNetworkInterfaceList'>['items']
  externalIps: OutputOf<'instanceExternalIpList'>['items']
  sshKeys: OutputOf<'instanceSshPublicKeyList'>['items']
  antiAffinityGroups: OutputOf<'instanceAntiAffinityGroupList'>['items']
  affinityGroups: OutputOf<'instanceAffinityGroupList'>['items']
  vpcs: Items<'vpcList'>
  /** Of the VPCs with its interfaces. */
  subnets: Items<'vpcSubnetList'>
  /** Read only if a disk was created from one. */
  snapshots: Items<'snapshotList'>
}

/** Long enough to follow the link to the form; after that the instance may have changed. */
const cacheMs = 10_000

/** Read once: later changes must not alter a form the user is filling in. */
export const cloneSource = (project: string, name: string) =>
  queryOptions({
    queryKey: ['cloneSource', project, name],
    queryFn: ({ client }) => readSource(client, project, name),
    gcTime: cacheMs,
    staleTime: cacheMs,
  })

async function readSource(client: QueryClient, project: string, name: string): Promise<CloneSource> {
  const at = instanceAt(project, name)
  const allAt = { ...at, query: { ...at.query, limit: 1000 } }
  const [instance, disks, interfaces, externalIps, sshKeys, antiAffinityGroups, affinityGroups] =
    await Promise.all([
      client.fetchQuery(instanceView(project, name)),
      client.fetchQuery(instanceDisks(project, name)),
      client.fetchQuery(instanceInterfaces(project, name)),
      client.fetchQuery(instanceExternalIps(project, name)),
      client.fetchQuery(opQuery(op.instanceSshPublicKeyList, allAt)),
      client.fetchQuery(opQuery(op.instanceAntiAffinityGroupList, allAt)),
      client.fetchQuery(opQuery(op.instanceAffinityGroupList, allAt)),
    ])
  const vpcIds = new Set(interfaces.items.map(({ vpcId }) => vpcId))
  const vpcs = vpcIds.size > 0 ? await client.fetchQuery(allVpcs(project)) : []
  const subnets = await Promise.all(
    vpcs
      .filter(({ id }) => vpcIds.has(id))
      .map(({ name: vpc }) => client.fetchQuery(allSubnets(project, vpc))),
  )
  return {
    instance,
    disks: disks.items,
    interfaces: interfaces.items,
    externalIps: externalIps.items,
    sshKeys: sshKeys.items,
    antiAffinityGroups: antiAffinityGroups.items,
    affinityGroups: affinityGroups.items,
    vpcs,
    subnets: subnets.flat(),
    snapshots: disks.items.some(({ snapshotId }) => snapshotId)
      ? await client.fetchQuery(allSnapshots(project))
      : [],
  }
}
