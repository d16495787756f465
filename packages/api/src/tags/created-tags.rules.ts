import type { ImageUploadCreate } from '../storage/image-upload.ts'
import type { OpName } from '../registry.ts'
import type { TaggedKind } from './tag.rules.ts'

/** The kinds that get the tags of the request, by the operation that creates them. */
const created: Readonly<Partial<Record<OpName, readonly TaggedKind[]>>> = {
  projectCreate: ['project'],
  // Disks that are created with an instance belong to it.
  instanceCreate: ['instance', 'disk'],
  instanceBatchCreate: ['instance', 'disk'],
  instanceNetworkInterfaceCreate: ['instance-network-interface'],
  affinityGroupCreate: ['affinity-group'],
  antiAffinityGroupCreate: ['anti-affinity-group'],
  diskCreate: ['disk'],
  snapshotCreate: ['snapshot'],
  // The snapshots of its disks belong to it.
  instanceSnapshotCreate: ['instance-snapshot', 'snapshot'],
  instanceSnapshotUse: ['instance', 'disk'],
  // Instead of those that the file has.
  instanceImport: ['instance', 'disk'],
  instanceBackupCreate: ['instance-backup'],
  imageCreate: ['image'],
  // The image that becomes of it.
  imageUploadCreate: ['image'],
  imageImportCreate: ['image'],
  diskImageCreate: ['image'],
  floatingIpCreate: ['floating-ip'],
  externalSubnetCreate: ['external-subnet'],
  vpcCreate: ['vpc'],
  vpcSubnetCreate: ['vpc-subnet'],
  vpcRouterCreate: ['vpc-router'],
  vpcRouterRouteCreate: ['router-route'],
  internetGatewayCreate: ['internet-gateway'],
  ipPoolCreate: ['ip-pool'],
  siloCreate: ['silo'],
}

/**
 * The kinds that get the tags that come with this operation; undefined if it takes none. The body can decide: a file that
 * an instance is made of becomes no image, and its instance gets tags when it is created.
 */
export function kindsCreatedBy(name: OpName, body?: unknown): readonly TaggedKind[] | undefined {
  const isOfInstance =
    name === 'imageUploadCreate' && (body as ImageUploadCreate | undefined)?.purpose === 'instance'
  return isOfInstance ? [] : created[name]
}

export const createsTagged = Object.keys(created) as OpName[]
