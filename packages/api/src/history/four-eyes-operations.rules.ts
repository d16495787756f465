import type { OpName } from '../registry.ts'
import { type FourEyesKind, fourEyesKinds, fourEyesWords } from './four-eyes.rules.ts'

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
    'instanceSnapshotDelete',
    'projectDelete',
    'snapshotDelete',
    'vpcDelete',
    'vpcSubnetDelete',
    'deletionCreate',
    // What two users deleted, one of them does not bring back alone.
    'recycledItemRestore',
    'restorationCreate',
    // These cannot be planned, so no user may send them where deletions need a second person.
    'objectDelete',
    'recycledItemDelete',
    'recycleBinEmpty',
    'bulkDeletionCreate',
    'bulkDeletionRetry',
  ],
}

/** What is refused, as the subject of a sentence, and the way on where the request cannot be saved. */
interface Refused {
  what: string
  instead: string
}

const deletion: Refused = {
  what: 'deletions need',
  instead: 'Delete the objects by saved plans, one after the other.',
}
const restoration: Refused = {
  what: 'restoring what was deleted needs',
  instead: 'Restore the objects by saved plans, one after the other.',
}
const purge: Refused = {
  what: 'emptying the recycle bin needs',
  instead: 'What is in the recycle bin goes when its time ends. It holds no name, and no quota.',
}

const words: Readonly<Partial<Record<OpName, Refused>>> = {
  recycledItemRestore: restoration,
  restorationCreate: restoration,
  recycledItemDelete: purge,
  recycleBinEmpty: purge,
}

/** How a request is refused that needs a second person. */
export const refusedAlone = (name: OpName, kind: FourEyesKind): Refused =>
  kind === 'deletions'
    ? (words[name] ?? deletion)
    : { ...deletion, what: `changes of ${fourEyesWords[kind]} need` }

const kindOf: ReadonlyMap<OpName, FourEyesKind> = new Map(
  fourEyesKinds.flatMap((kind) => operations[kind].map((name) => [name, kind] as const)),
)

/** The kind that an operation is of, whatever it is sent with. */
export const fourEyesOf = (name: OpName): FourEyesKind | undefined => kindOf.get(name)
