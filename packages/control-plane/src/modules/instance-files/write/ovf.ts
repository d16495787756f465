import { MiB } from '@gantry/api/base/bytes.rules'
import { type Hardware, usualHardware } from '@gantry/api/storage/hardware.rules'
import type { Description } from '../description.ts'

/** Of the resource types of DMTF's CIM, those that an instance has. */
const resource = { cpu: 3, memory: 4, scsi: 6, ethernet: 10, disk: 17, sata: 20 } as const

interface Files {
  /** The entry of each disk, with its size. */
  files: readonly { name: string; size: number }[]
}

/** A description of an instance as other products read it: an envelope of the Open Virtualization Format 1.1. */
export function ovfOf(instance: Description, { files }: Files): string {
  const { disks, network_interfaces: interfaces } = instance
  const hardware: Hardware = {
    ...usualHardware,
    ...disks.find(({ is_boot }) => is_boot)?.hardware,
    ...chosenOf(instance),
  }
  const networks = [...new Set(interfaces.map(({ vpc, subnet }) => `${vpc}/${subnet}`))]
  const controller = 3
  const items = [
    item(1, resource.cpu, `${instance.ncpus} virtual CPUs`, { VirtualQuantity: instance.ncpus }),
    item(2, resource.memory, `${Math.ceil(instance.memory / MiB)} MB of memory`, {
      AllocationUnits: 'byte * 2^20',
      VirtualQuantity: Math.ceil(instance.memory / MiB),
    }),
    hardware.disk_model === 'sata'
      ? item(controller, resource.sata, 'SATA controller', { Address: 0, ResourceSubType: 'AHCI' })
      : item(controller, resource.scsi, 'SCSI controller', { Address: 0, ResourceSubType: 'lsilogic' }),
    ...disks.map(({ name }, at) =>
      item(10 + at, resource.disk, name, {
        AddressOnParent: at,
        HostResource: `ovf:/disk/disk${at + 1}`,
        Parent: controller,
      }),
    ),
    ...interfaces.map(({ name, vpc, subnet }, at) =>
      item(100 + at, resource.ethernet, name, {
        AddressOnParent: at,
        AutomaticAllocation: 'true',
        Connection: `${vpc}/${subnet}`,
        ResourceSubType: 'E1000',
      }),
    ),
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>
<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1" xmlns:ovf="http://schemas.dmtf.org/ovf/envelope/1" xmlns:rasd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_ResourceAllocationSettingData" xmlns:vssd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_VirtualSystemSettingData" xmlns:vmw="http://www.vmware.com/schema/ovf">
  <References>
${files.map(({ name, size }, at) => `    <File ovf:id="file${at + 1}" ovf:href="${escaped(name)}" ovf:size="${size}"/>`).join('\n')}
  </References>
  <DiskSection>
    <Info>The disks of the instance</Info>
${disks.map(({ size }, at) => `    <Disk ovf:diskId="disk${at + 1}" ovf:fileRef="file${at + 1}" ovf:capacity="${size}" ovf:capacityAllocationUnits="byte" ovf:format="http://www.vmware.com/interfaces/specifications/vmdk.html#streamOptimized"/>`).join('\n')}
  </DiskSection>
  <NetworkSection>
    <Info>The subnets of its interfaces</Info>
${networks.map((name) => `    <Network ovf:name="${escaped(name)}"><Description>Subnet ${escaped(name)}</Description></Network>`).join('\n')}
  </NetworkSection>
  <VirtualSystem ovf:id="${escaped(instance.name)}">
    <Info>An instance</Info>
    <Name>${escaped(instance.name)}</Name>
    <AnnotationSection>
      <Info>The description of the instance</Info>
      <Annotation>${escaped(instance.description)}</Annotation>
    </AnnotationSection>
    <OperatingSystemSection ovf:id="1">
      <Info>Its operating system is not known</Info>
    </OperatingSystemSection>
    <VirtualHardwareSection>
      <Info>Its hardware</Info>
      <System>
        <vssd:ElementName>Virtual Hardware Family</vssd:ElementName>
        <vssd:InstanceID>0</vssd:InstanceID>
        <vssd:VirtualSystemIdentifier>${escaped(instance.name)}</vssd:VirtualSystemIdentifier>
        <vssd:VirtualSystemType>vmx-10</vssd:VirtualSystemType>
      </System>
${items.join('\n')}${hardware.firmware === 'uefi' ? `\n      <vmw:Config ovf:required="false" vmw:key="firmware" vmw:value="efi"/>` : ''}
    </VirtualHardwareSection>
  </VirtualSystem>
</Envelope>
`
}

/** The choices that were made; others are null or absent. */
function chosenOf({ hardware }: Description): Partial<Hardware> {
  const made = Object.entries(hardware ?? {}).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(made) as Partial<Hardware>
}

/** The schema of OVF 1.1 demands its elements in the order of their names. */
function item(
  id: number,
  type: number,
  elementName: string,
  values: Readonly<Record<string, string | number>>,
): string {
  const all = { ...values, ElementName: elementName, InstanceID: id, ResourceType: type }
  const elements = Object.entries(all)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `        <rasd:${name}>${escaped(String(value))}</rasd:${name}>`)
  return `      <Item>\n${elements.join('\n')}\n      </Item>`
}

/** Text of users, without characters that XML 1.0 has no way to write. */
const escaped = (text: string): string =>
  text
    // eslint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
