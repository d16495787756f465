import { GiB } from '@gantry/api/bytes.rules'
import type { InputOf } from '@gantry/api/client/client'
import { generateName } from '@gantry/api/name.rules'
import { interfaceBody } from '../../networking/interface-values.ts'
import type { Image } from '../../images/queries.ts'
import { bootImageOf, hardwareOf, type InstanceValues, type QueuedDisk } from './values.ts'

export type InstanceBody = InputOf<'instanceCreate'>['body']
type DiskBody = NonNullable<InstanceBody['disks']>[number]
type Interfaces = NonNullable<InstanceBody['networkInterfaces']>

interface Known {
  images: readonly Pick<Image, 'id' | 'name'>[]
  /** The file of the form in base64. */
  userData: string | undefined
  randomHex: (digits: number) => string
}

/** What is sent for what the form shows. */
export function instanceBody(values: InstanceValues, { images, userData, randomHex }: Known): InstanceBody {
  const { ncpus, memoryGib } = hardwareOf(values)
  return {
    name: values.name,
    description: values.description,
    hostname: values.hostname || values.name,
    ncpus,
    memory: memoryGib * GiB,
    start: values.start,
    bootDisk: bootDisk(values, images, randomHex),
    disks: values.disks.map(diskBody),
    networkInterfaces: interfaces(values),
    externalIps: [
      ...(values.ephemeral ? [{ type: 'ephemeral' as const, pool: values.pool }] : []),
      ...values.floatingIps.map((floatingIp) => ({ type: 'floating' as const, floatingIp })),
    ],
    // An empty list means none; left out, it would mean every key there is.
    sshPublicKeys: values.sshKeys,
    ...(values.antiAffinityGroups.length > 0 && { antiAffinityGroups: values.antiAffinityGroups }),
    ...(values.autoRestartPolicy !== 'default' && { autoRestartPolicy: values.autoRestartPolicy }),
    ...(userData && { userData }),
  }
}

function bootDisk(values: InstanceValues, images: Known['images'], randomHex: Known['randomHex']): DiskBody {
  if (values.bootSource === 'disk') return { type: 'attach', name: values.bootDisk }
  const imageId = bootImageOf(values)
  const imageName = images.find(({ id }) => id === imageId)?.name ?? 'boot'
  return {
    type: 'create',
    name: values.bootDiskName || generateName(randomHex, values.name, imageName),
    description: `Created as a boot disk for ${values.name}`,
    size: (values.bootDiskSize ?? 0) * GiB,
    diskSource: { type: 'image', imageId },
  }
}

const diskBody = (disk: QueuedDisk): DiskBody =>
  disk.type === 'create' ? { type: 'create', ...disk.body } : { type: 'attach', name: disk.name }

function interfaces({ networkType, interfaces }: InstanceValues): Interfaces {
  if (networkType !== 'custom') return { type: networkType }
  return { type: 'create', params: interfaces.map(interfaceBody) }
}
