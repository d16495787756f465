import { GiB } from '@gantry/api/base/bytes.rules'
import type { InputOf } from '@gantry/api/client/client'
import { generateName } from '@gantry/api/base/name.rules'
import { interfaceBody } from '#/features/addresses/interface-values.ts'
import { backendOf } from '#/data/disk-backend.ts'
import type { Image } from '#/features/images/queries.ts'
import { fromPool } from '#/features/ip-pools/pool-selector.ts'
import {
  bootImageOf,
  type CopiedDisk,
  hardwareOf,
  ephemeralIps,
  primaryVersions,
  type InstanceValues,
  type QueuedDisk,
} from './values.ts'

export type InstanceBody = InputOf<'instanceCreate'>['body']
type DiskBody = NonNullable<InstanceBody['disks']>[number]
type Interfaces = InstanceBody['networkInterfaces']

export interface BodyContext {
  images: readonly Pick<Image, 'id' | 'name'>[]
  /** In base64. */
  userData: string | undefined
  randomHex: (digits: number) => string
  /** Snapshot ids by the id of their disk. */
  snapshotOf: ReadonlyMap<string, string>
  hasExternalAddresses: boolean
}

/** The request body for the form's values. */
export function instanceBody(values: InstanceValues, context: BodyContext): InstanceBody {
  const { userData, snapshotOf } = context
  const { ncpus, memoryGib } = hardwareOf(values)
  return {
    name: values.name,
    description: values.description,
    hostname: values.hostname || values.name,
    ncpus,
    memory: memoryGib * GiB,
    start: values.start,
    bootDisk: bootDisk(values, context),
    disks: values.disks.map((disk) => diskBody(disk, snapshotOf)),
    networkInterfaces: interfaces(values),
    externalIps:
      context.hasExternalAddresses && primaryVersions(values).length > 0
        ? [
            ...ephemeralIps(values).map(({ version, pool }) => ({
              type: 'ephemeral' as const,
              ...fromPool(pool, version),
            })),
            ...values.floatingIps.map((floatingIp) => ({ type: 'floating' as const, floatingIp })),
          ]
        : [],
    // An empty list means no keys; leaving it out would mean all keys.
    sshPublicKeys: values.sshKeys,
    antiAffinityGroups: values.antiAffinityGroups.length > 0 ? values.antiAffinityGroups : undefined,
    autoRestartPolicy: values.autoRestartPolicy === 'default' ? undefined : values.autoRestartPolicy,
    userData: userData || undefined,
    cpuPlatform: values.cpuPlatform || undefined,
    enableJumboFrames: undefined,
    multicastGroups: undefined,
    cds:
      values.bootSource === 'installer'
        ? [values.installer, values.drivers].filter((id) => id !== '')
        : undefined,
    hardware:
      values.bootSource === 'installer' && values.installerFirmware
        ? { ...values.chosenHardware, firmware: values.installerFirmware }
        : values.chosenHardware,
    // A field that the form forgets would be created with the server's default.
  } satisfies Record<keyof InstanceBody, unknown>
}

function bootDisk(values: InstanceValues, { images, randomHex, snapshotOf }: BodyContext): DiskBody {
  if (values.bootSource === 'disk') return { type: 'attach', name: values.bootDisk }
  const imageId = bootImageOf(values)
  const copyOf = values.bootSource === 'copy' ? values.bootCopy : undefined
  const kept = values.bootSource === 'template' ? values.bootTemplate : undefined
  const sourceName = copyOf?.name ?? images.find(({ id }) => id === imageId)?.name ?? 'boot'
  return {
    type: 'create',
    name: values.bootDiskName || generateName(randomHex, values.name, sourceName),
    description: `Created as a boot disk for ${values.name}`,
    size: (values.bootDiskSize ?? 0) * GiB,
    diskBackend: backendOf(
      copyOf
        ? fromSnapshot(copyOf, snapshotOf)
        : values.bootSource === 'installer'
          ? { type: 'blank', blockSize: 512 }
          : (kept?.source ?? { type: 'image', imageId }),
    ),
  }
}

function diskBody(disk: QueuedDisk, snapshotOf: BodyContext['snapshotOf']): DiskBody {
  switch (disk.type) {
    case 'create':
      return { type: 'create', ...disk.body }
    case 'copy':
      return { type: 'create', ...disk.body, diskBackend: backendOf(fromSnapshot(disk.of, snapshotOf)) }
    case 'attach':
      return { type: 'attach', name: disk.name }
    default:
      return disk satisfies never
  }
}

function fromSnapshot({ id, name }: CopiedDisk, snapshotOf: BodyContext['snapshotOf']) {
  const snapshotId = snapshotOf.get(id)
  if (!snapshotId) throw new Error(`disk ${name} has no snapshot to copy`)
  return { type: 'snapshot' as const, snapshotId }
}

/** Undefined where the server's default is the same. */
function interfaces({ networkType, ipStack, interfaces }: InstanceValues): Interfaces {
  if (networkType === 'none') return { type: 'none' }
  if (networkType === 'custom') return { type: 'create', params: interfaces.map(interfaceBody) }
  return ipStack === 'dual_stack' ? undefined : { type: ipStack === 'v4' ? 'default_ipv4' : 'default_ipv6' }
}
