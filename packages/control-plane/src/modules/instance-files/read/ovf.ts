import { GiB, KiB, MiB } from '@gantry/api/base/bytes.rules'
import { descriptionMaxLength } from '@gantry/api/base/name.rules'
import { instanceFileVersion } from '@gantry/api/compute/instance-file.rules'
import { instanceLimits } from '@gantry/api/compute/instance.rules'
import type { Described } from '../description.ts'
import { nameFrom } from './usable.ts'
import { allOf, childText, type Element, readXml } from './xml.ts'
import { damagedFile, tooManyDisks, unusable } from './unusable-file.ts'

const resource = {
  cpu: 3,
  memory: 4,
  ethernet: 10,
  disk: 17,
  serial: 21,
  sound: 35,
  cd: 15,
  usb: 23,
} as const
const controllers = { ide: 5, scsi: 6, other: 20 } as const

/** Reads an OVF envelope of VirtualBox, VMware or ours. What it says of other hardware is lost, and said to be. */
export function readOvf(text: string): Described {
  const root = readXml(text)
  if (root.name !== 'Envelope') throw damagedFile('its description is no OVF envelope')
  const systems = allOf(root, 'VirtualSystem')
  const [system] = systems
  if (!system || systems.length > 1)
    throw unusable(
      `The OVA holds ${systems.length} machines.`,
      'Export each machine as an OVA of its own, then upload them one after the other.',
    )
  const losses: string[] = []
  const hardware = allOf(system, 'VirtualHardwareSection')[0]
  if (!hardware) throw damagedFile('its description names no hardware')
  const items = hardware.children.filter(({ name }) =>
    ['Item', 'StorageItem', 'EthernetPortItem'].includes(name),
  )
  const ofType = (type: number): Element[] => items.filter((item) => numberIn(item, 'ResourceType') === type)
  const name = nameFrom(childText(system, 'Name') ?? system.attributes.get('id') ?? '', 'imported')
  const { disks, files } = disksOf(root, ofType(resource.disk), name)
  const interfaces = ofType(resource.ethernet)
  if (interfaces.length > instanceLimits.networkInterfaces)
    losses.push(`Only ${instanceLimits.networkInterfaces} of its ${interfaces.length} interfaces are made.`)
  const isUefi =
    allOf(system, 'Config').some(
      ({ attributes }) => attributes.get('key') === 'firmware' && attributes.get('value') === 'efi',
    ) || allOf(system, 'Firmware').some(({ attributes }) => attributes.get('type')?.startsWith('EFI'))
  for (const [type, word] of [
    [resource.cd, 'CD drives'],
    [resource.usb, 'USB controllers'],
    [resource.sound, 'sound cards'],
    [resource.serial, 'serial ports'],
  ] as const)
    if (ofType(type).length > 0) losses.push(`Its ${word} are not kept.`)
  const subTypes = (elements: readonly Element[]): string =>
    elements
      .map((item) => childText(item, 'ResourceSubType') ?? '')
      .join(' ')
      .toLowerCase()
  const isVirtioDisk = subTypes([
    ...ofType(controllers.scsi),
    ...ofType(controllers.other),
    ...ofType(controllers.ide),
  ]).includes('virtio')
  const annotation = allOf(system, 'Annotation')[0]?.text.trim() ?? ''
  return {
    description: {
      format: 'gantry-instance',
      version: instanceFileVersion,
      time: '',
      name,
      description: annotation.slice(0, descriptionMaxLength),
      hostname: name,
      ncpus: within(1, quantityOf(ofType(resource.cpu)[0]) ?? 1, instanceLimits.maxCpus),
      memory: memoryOf(ofType(resource.memory)[0]),
      auto_restart_policy: null,
      cpu_platform: null,
      // Guests from elsewhere may have no drivers for virtio: every system since 2005 knows these.
      hardware: {
        firmware: isUefi ? 'uefi' : 'bios',
        disk_model: isVirtioDisk ? 'virtio' : 'sata',
        network_model: subTypes(interfaces).includes('virtio') ? 'virtio' : 'e1000',
      },
      disks,
      network_interfaces: interfaces.slice(0, instanceLimits.networkInterfaces).map((item, at) => ({
        name: `net${at}`,
        description: '',
        vpc: '',
        subnet: (childText(item, 'Connection') ?? '').slice(0, 63),
        is_primary: at === 0,
        ip_stack: 'v4' as const,
      })),
      tags: {},
    },
    files,
    losses,
  }
}

const within = (least: number, value: number, most: number): number => Math.min(most, Math.max(least, value))

function numberIn(item: Element, name: string): number | undefined {
  const text = childText(item, name)
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

const quantityOf = (item: Element | undefined): number | undefined =>
  item && numberIn(item, 'VirtualQuantity')

function memoryOf(item: Element | undefined): number {
  const bytes =
    (quantityOf(item) ?? 1024) * unitOf((item && childText(item, 'AllocationUnits')) ?? 'MegaBytes')
  return within(instanceLimits.minMemory, Math.ceil(bytes / GiB) * GiB, instanceLimits.maxMemory)
}

/** `byte * 2^20`, as DMTF's DSP0004 has it, or the words of older versions. */
function unitOf(text: string): number {
  const [, power] = /^bytes?\s*\*\s*2\s*\^\s*(\d{1,2})$/i.exec(text.trim()) ?? []
  if (power !== undefined) return 2 ** Number(power)
  const words: Readonly<Record<string, number>> = {
    byte: 1,
    bytes: 1,
    kilobytes: KiB,
    megabytes: MiB,
    gigabytes: GiB,
    kb: KiB,
    mb: MiB,
    gb: GiB,
  }
  const unit = words[text.trim().toLowerCase()]
  if (unit === undefined) throw damagedFile('its description has a size in an unknown unit')
  return unit
}

/** The disks in the order of their controllers and places: the first one boots. */
function disksOf(root: Element, items: Element[], name: string) {
  if (items.length === 0) throw unusable('The OVA has no disks.', 'Export the machine again with its disks.')
  if (items.length > instanceLimits.disks) throw tooManyDisks(items.length)
  const placed = items.toSorted(
    (a, b) =>
      (numberIn(a, 'Parent') ?? 0) - (numberIn(b, 'Parent') ?? 0) ||
      (numberIn(a, 'AddressOnParent') ?? 0) - (numberIn(b, 'AddressOnParent') ?? 0),
  )
  const known = allOf(root, 'Disk')
  const files: (string | undefined)[] = []
  const disks = placed.map((item, at) => {
    const id = /\/disk\/(.+)$/.exec(childText(item, 'HostResource') ?? '')?.[1]
    const disk = known.find(({ attributes }) => attributes.get('diskId') === id)
    if (!disk) throw damagedFile('a disk of its machine is not described')
    const { attributes } = disk
    if (attributes.has('parentRef'))
      throw unusable('A disk of the OVA is based on another one.', 'Export the machine without snapshots.')
    const capacity = attributes.get('capacity') ?? ''
    if (!/^\d{1,15}$/.test(capacity)) throw damagedFile('a disk of its machine has no size')
    files.push(hrefOf(root, attributes.get('fileRef')))
    return {
      name: `${name.slice(0, 50)}-disk${at + 1}`,
      description: '',
      file: '',
      size: Number(capacity) * unitOf(attributes.get('capacityAllocationUnits') ?? 'byte'),
      block_size: 512,
      is_boot: at === 0,
      read_only: false,
      hardware: null,
    }
  })
  return { disks, files }
}

function hrefOf(root: Element, id: string | undefined): string | undefined {
  if (id === undefined) return undefined
  const file = allOf(root, 'File').find(({ attributes }) => attributes.get('id') === id)
  const href = file?.attributes.get('href')
  if (!file || href === undefined) throw damagedFile('the file of a disk is not described')
  if (
    file.attributes.has('chunkSize') ||
    !['identity', undefined].includes(file.attributes.get('compression'))
  )
    throw unusable(
      'A disk of the OVA is split or packed.',
      'Export the machine as one OVA with plain stream-optimised disks.',
    )
  return href
}
