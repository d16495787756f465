import type { OpName } from '../registry.ts'

/**
 * Before the path of a request, it asks for a plan of that request instead. A path of its own, because a server without
 * plans must not take the question for the request itself.
 */
export const planPrefix = '/ext/v1/plans'

/** Names the plan that a request carries out: it is refused if it would do anything else by now. */
export const planHeader = 'if-plan'

export const planLimits = {
  /** Changes shown; the count covers the rest. */
  changes: 200,
  /** Instances, users and packets shown. */
  affected: 100,
} as const

/**
 * What can be planned truthfully: all that these do, they do in one transaction, or by work queued in it, whose own plan
 * is a part of theirs.
 */
const planned: ReadonlySet<string> = new Set<OpName>([
  'affinityGroupCreate',
  'affinityGroupDelete',
  'affinityGroupUpdate',
  'antiAffinityGroupCreate',
  'antiAffinityGroupDelete',
  'antiAffinityGroupUpdate',
  'deletionCreate',
  'diskDelete',
  'diskGrow',
  'externalSubnetAttach',
  'externalSubnetCreate',
  'externalSubnetDelete',
  'externalSubnetDetach',
  'externalSubnetUpdate',
  'floatingIpAttach',
  'floatingIpCreate',
  'floatingIpDelete',
  'floatingIpDetach',
  'floatingIpUpdate',
  'fourEyesSettingsUpdate',
  'imageDelete',
  'imageDemote',
  'imagePromote',
  'instanceDelete',
  'instanceDiskAttach',
  'instanceDiskDetach',
  'instanceEphemeralIpAttach',
  'instanceEphemeralIpDetach',
  'instanceForceOff',
  'instanceNetworkInterfaceCreate',
  'instanceNetworkInterfaceDelete',
  'instanceNetworkInterfaceUpdate',
  'instanceReboot',
  'instanceSnapshotDelete',
  'instanceStart',
  'instanceStop',
  'instanceUpdate',
  'internetGatewayCreate',
  'internetGatewayDelete',
  'internetGatewayIpAddressCreate',
  'internetGatewayIpAddressDelete',
  'internetGatewayIpPoolCreate',
  'internetGatewayIpPoolDelete',
  'ipPoolCreate',
  'ipPoolDelete',
  'ipPoolRangeAdd',
  'ipPoolRangeRemove',
  'ipPoolSiloLink',
  'ipPoolSiloUnlink',
  'ipPoolSiloUpdate',
  'ipPoolUpdate',
  'policyUpdate',
  'projectCreate',
  'projectDelete',
  'projectPolicyUpdate',
  'projectUpdate',
  'protectionRemove',
  'protectionUpdate',
  'recycledItemRestore',
  'restorationCreate',
  'siloPolicyUpdate',
  'siloQuotasUpdate',
  'snapshotDelete',
  'subnetPoolCreate',
  'subnetPoolDelete',
  'subnetPoolMemberAdd',
  'subnetPoolMemberRemove',
  'subnetPoolSiloLink',
  'subnetPoolSiloUnlink',
  'subnetPoolSiloUpdate',
  'subnetPoolUpdate',
  'systemIpPoolAssign',
  'systemPolicyUpdate',
  'tagsEdit',
  'tagsUpdate',
  'vpcCreate',
  'vpcDelete',
  'vpcFirewallRulesUpdate',
  'vpcRouterCreate',
  'vpcRouterDelete',
  'vpcRouterRouteCreate',
  'vpcRouterRouteDelete',
  'vpcRouterRouteUpdate',
  'vpcRouterUpdate',
  'vpcSubnetCreate',
  'vpcSubnetDelete',
  'vpcSubnetUpdate',
  'vpcUpdate',
])

export const isPlannable = (name: OpName): boolean => planned.has(name)
