import { GiB } from '@gantry/api/base/bytes.rules'
import { expect, test } from 'vitest'
import { readOvf } from './ovf.ts'
import { readXml } from './xml.ts'

/** As VirtualBox 7 exports a machine, shortened. */
const virtualBox = `<?xml version="1.0"?>
<Envelope ovf:version="1.0" xml:lang="en-US" xmlns="http://schemas.dmtf.org/ovf/envelope/1" xmlns:ovf="http://schemas.dmtf.org/ovf/envelope/1" xmlns:rasd="r" xmlns:vssd="v" xmlns:vbox="http://www.virtualbox.org/ovf/machine">
  <References><File ovf:id="file1" ovf:href="Old Server-disk001.vmdk" ovf:size="1"/></References>
  <DiskSection><Info>List</Info>
    <Disk ovf:capacity="21474836480" ovf:diskId="vmdisk1" ovf:fileRef="file1" ovf:format="x#streamOptimized" vbox:uuid="1"/>
  </DiskSection>
  <NetworkSection><Network ovf:name="NAT"><Description>NAT</Description></Network></NetworkSection>
  <VirtualSystem ovf:id="Old Server">
    <Info>A virtual machine</Info>
    <AnnotationSection><Info/><Annotation>runs &lt;the&gt; shop &amp; more</Annotation></AnnotationSection>
    <VirtualHardwareSection>
      <System><vssd:VirtualSystemType>virtualbox-2.2</vssd:VirtualSystemType></System>
      <Item><rasd:InstanceID>1</rasd:InstanceID><rasd:ResourceType>3</rasd:ResourceType><rasd:VirtualQuantity>2</rasd:VirtualQuantity></Item>
      <Item><rasd:AllocationUnits>MegaBytes</rasd:AllocationUnits><rasd:ResourceType>4</rasd:ResourceType><rasd:VirtualQuantity>1536</rasd:VirtualQuantity></Item>
      <Item><rasd:InstanceID>3</rasd:InstanceID><rasd:ResourceSubType>AHCI</rasd:ResourceSubType><rasd:ResourceType>20</rasd:ResourceType></Item>
      <Item><rasd:InstanceID>4</rasd:InstanceID><rasd:ResourceType>23</rasd:ResourceType></Item>
      <Item><rasd:AddressOnParent>1</rasd:AddressOnParent><rasd:HostResource>/disk/vmdisk1</rasd:HostResource><rasd:Parent>3</rasd:Parent><rasd:ResourceType>17</rasd:ResourceType></Item>
      <Item><rasd:AutomaticAllocation>true</rasd:AutomaticAllocation><rasd:Connection>NAT</rasd:Connection><rasd:ResourceSubType>E1000</rasd:ResourceSubType><rasd:ResourceType>10</rasd:ResourceType></Item>
    </VirtualHardwareSection>
    <vbox:Machine><Hardware><Firmware type="EFI"/></Hardware></vbox:Machine>
  </VirtualSystem>
</Envelope>`

test('an OVA of VirtualBox has its machine, with firmware and devices that its guest knows', () => {
  const { description, files, losses } = readOvf(virtualBox)
  expect(description).toMatchObject({
    name: 'old-server',
    description: 'runs <the> shop & more',
    ncpus: 2,
    memory: 2 * GiB,
    hardware: { firmware: 'uefi', disk_model: 'sata', network_model: 'e1000' },
    disks: [{ size: 20 * GiB, is_boot: true }],
    network_interfaces: [{ name: 'net0', subnet: 'NAT', is_primary: true }],
  })
  expect(files).toEqual(['Old Server-disk001.vmdk'])
  expect(losses).toEqual(['Its USB controllers are not kept.'])
})

test('an OVA of VMware has its units, its empty disk, and the disks in the order of their controller', () => {
  const vmware = virtualBox
    .replace(/<vbox:Machine>.*<\/vbox:Machine>/, '')
    .replace('MegaBytes', 'byte * 2^20')
    .replace(
      '<rasd:ResourceSubType>AHCI</rasd:ResourceSubType>',
      '<rasd:ResourceSubType>VirtualSCSI</rasd:ResourceSubType>',
    )
    .replace(
      '</DiskSection>',
      '<Disk ovf:capacity="8" ovf:capacityAllocationUnits="byte * 2^30" ovf:diskId="vmdisk2"/></DiskSection>',
    )
    .replace(
      '<Item><rasd:AutomaticAllocation>',
      '<Item><rasd:AddressOnParent>0</rasd:AddressOnParent><rasd:HostResource>ovf:/disk/vmdisk2</rasd:HostResource><rasd:Parent>3</rasd:Parent><rasd:ResourceType>17</rasd:ResourceType></Item><Item><rasd:AutomaticAllocation>',
    )
    .replace(
      '</VirtualHardwareSection>',
      '<vmw:Config vmw:key="firmware" vmw:value="efi"/></VirtualHardwareSection>',
    )
  const { description, files } = readOvf(vmware)
  expect(description.disks.map(({ size }) => size)).toEqual([8 * GiB, 20 * GiB])
  expect(files).toEqual([undefined, 'Old Server-disk001.vmdk'])
  expect(description.hardware).toMatchObject({ firmware: 'uefi', disk_model: 'sata' })
})

test.each([
  [
    'two machines',
    (text: string) =>
      text.replace(
        '</Envelope>',
        `${text.slice(text.indexOf('<VirtualSystem '), text.indexOf('</VirtualSystem>'))}</VirtualSystem></Envelope>`,
      ),
    'holds 2 machines',
  ],
  [
    'no disks',
    (text: string) => text.replaceAll('<rasd:ResourceType>17<', '<rasd:ResourceType>1<'),
    'no disks',
  ],
  [
    'a disk based on another',
    (text: string) => text.replace('ovf:diskId=', 'ovf:parentRef="x" ovf:diskId='),
    'based on another',
  ],
  ['split files', (text: string) => text.replace('ovf:size="1"', 'ovf:chunkSize="5"'), 'split or packed'],
  ['an unknown unit', (text: string) => text.replace('MegaBytes', 'furlongs'), 'unknown unit'],
  ['a size that is no number', (text: string) => text.replace('21474836480', '-1'), 'has no size'],
  [
    'more disks than an instance has',
    (text: string) =>
      text.replace(
        '<Item><rasd:AddressOnParent>',
        () =>
          '<Item><rasd:ResourceType>17</rasd:ResourceType></Item>'.repeat(8) + '<Item><rasd:AddressOnParent>',
      ),
    '9 disks',
  ],
  [
    'entities',
    (text: string) => text.replace('<Envelope', '<!DOCTYPE a [<!ENTITY b "&c;&c;">]><Envelope'),
    'document type',
  ],
  ['an open end', (text: string) => text.replace('</Envelope>', ''), 'well-formed'],
  ['ends in the wrong order', (text: string) => text.replace('</References>', '</Elsewhere>'), 'well-formed'],
])('an envelope with %s is refused', (_what, change, why) => {
  expect(() => readOvf(change(virtualBox))).toThrow(why)
})

test.each([
  ['a long name', `<Envelope ${'a'.repeat(1_000_000)}>`],
  ['an attribute without a value', `<Envelope ${'a '.repeat(500_000)}>`],
  ['an attribute that begins often', `<Envelope ${'a="'.repeat(300_001)}>`],
  ['an entity that does not end', `<Envelope>&${'a'.repeat(1_000_000)}`],
])('an envelope with %s is refused at once', (_what, text) => {
  expect(() => readOvf(text)).toThrow('damaged')
})

test('XML is read with bounds', () => {
  expect(() => readXml('<a>'.repeat(100))).toThrow('too large')
  expect(() => readXml(`<a>${'<b/>'.repeat(10_001)}</a>`)).toThrow('too large')
  expect(readXml('<a b="1 &gt; 0" c=\'&#65;\'><!-- <d> --><![CDATA[<e>]]>&unknown;</a>')).toMatchObject({
    name: 'a',
    text: '<e>&unknown;',
    attributes: new Map([
      ['b', '1 > 0'],
      ['c', 'A'],
    ]),
    children: [],
  })
})
