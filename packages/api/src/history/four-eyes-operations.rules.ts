import type { OpName } from '../registry.ts'
import { type FourEyesKind, fourEyesKinds } from './four-eyes.rules.ts'

const operations: Readonly<Record<FourEyesKind, readonly OpName[]>> = {
  firewall: ['vpcFirewallRulesUpdate'],
  routing: [
    'vpcRouterCreate',
    'vpcRouterUpdate',
    'vpcRouterDelete',
    'vpcRouterRouteCreate',
    'vpcRouterRouteUpdate',
    'vpcRouterRouteDelete',
  ],
  roles: ['policyUpdate', 'projectPolicyUpdate', 'siloPolicyUpdate', 'systemPolicyUpdate'],
  quotas: ['siloQuotasUpdate'],
  pools: [
    'ipPoolCreate',
    'ipPoolUpdate',
    'ipPoolDelete',
    'ipPoolRangeAdd',
    'ipPoolRangeRemove',
    'ipPoolSiloLink',
    'ipPoolSiloUpdate',
    'ipPoolSiloUnlink',
    'subnetPoolCreate',
    'subnetPoolDelete',
    'subnetPoolMemberAdd',
    'subnetPoolMemberRemove',
    'subnetPoolSiloLink',
    'subnetPoolSiloUnlink',
    'subnetPoolSiloUpdate',
    'subnetPoolUpdate',
    'systemIpPoolAssign',
  ],
  deletions: [
    'diskDelete',
    'externalSubnetDelete',
    'floatingIpDelete',
    'imageDelete',
    'instanceDelete',
    'projectDelete',
    'snapshotDelete',
    'vpcDelete',
    'vpcSubnetDelete',
    'deletionCreate',
    // These cannot be planned, so no user may send them where deletions need a second person.
    'objectDelete',
    'recycledItemDelete',
    'recycleBinEmpty',
  ],
}

const kindOf: ReadonlyMap<OpName, FourEyesKind> = new Map(
  fourEyesKinds.flatMap((kind) => operations[kind].map((name) => [name, kind] as const)),
)

/** The kind that an operation is of, whatever it is sent with. */
export const fourEyesOf = (name: OpName): FourEyesKind | undefined => kindOf.get(name)
