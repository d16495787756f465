import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { VpcNetwork } from '@gantry/control-plane/fleet/networks'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#src/testing/temporary-folder'
import { readVpcRecord, vpcRecords, writeVpcRecord } from './vpc-record-files.ts'
import { nextRecord, type VpcRecord } from './vpc-record.ts'

const network = (id: string): VpcNetwork => ({
  id,
  generation: 7,
  vni: 1,
  dns_name: id,
  subnets: [
    {
      id: 'subnet',
      block: '10.0.0.0/24',
      gateway: '10.0.0.1',
      routes: [
        { block: '10.0.0.0/24', hop: { type: 'local' } },
        { block: '172.16.0.0/16', hop: { type: 'interface', interface_id: 'web-net0' } },
        { block: '198.51.100.0/24', hop: { type: 'drop' } },
        { block: '0.0.0.0/0', hop: { type: 'gateway', gateway_id: 'gateway' } },
      ],
    },
  ],
  interfaces: [
    {
      id: 'web-net0',
      instance_id: 'web',
      machine_id: null,
      subnet_id: 'subnet',
      hostname: 'web',
      name: 'front',
      mac: 'A8:40:25:F0:00:01',
      ip: '10.0.0.5',
      is_primary: true,
      transit_ips: ['10.9.0.0/16'],
      external: [
        { kind: 'snat', ip: '192.0.2.101', first_port: 0, last_port: 16_383, gateway_ids: ['gateway'] },
      ],
    },
  ],
  rules: [
    { direction: 'inbound', action: 'allow', interface_ids: ['web-net0'] },
    {
      direction: 'outbound',
      action: 'deny',
      interface_ids: ['web-net0'],
      hosts: ['10.0.0.0/24'],
      ports: [{ first: 80, last: 90 }],
      protocols: [
        { type: 'tcp' },
        { type: 'icmp' },
        { type: 'icmp', icmp_type: 3, codes: { first: 0, last: 4 } },
      ],
    },
  ],
})
const record = (id: string): VpcRecord => nextRecord(undefined, network(id), { allocate: () => 2 })
const user = new Set(['user'])

test('a record is read as it was written, and a newer one replaces it', async () => {
  const folder = await temporaryFolder()
  await writeVpcRecord(folder, record('one'))
  expect(await readVpcRecord(folder, 'one')).toEqual(record('one'))
  const newer = { ...record('one'), link: 9 }
  await writeVpcRecord(folder, newer)
  expect(await vpcRecords(folder, user)).toEqual({ records: [newer], unreadable: new Map() })
})

test('a record of an earlier version has guests without names', async () => {
  const folder = await temporaryFolder()
  const { network, ...rest } = record('one')
  const interfaces = network.interfaces.map((one) => ({ ...one, name: undefined }))
  await mkdir(path.join(folder, 'one'))
  await writeFile(
    path.join(folder, 'one', 'network.json'),
    JSON.stringify({ ...rest, network: { ...network, interfaces } }),
  )
  expect((await readVpcRecord(folder, 'one'))?.network.interfaces).toEqual([
    { ...network.interfaces[0], name: '' },
  ])
})

test('a VPC without a record has none, and other folders and files are no VPCs', async () => {
  const folder = await temporaryFolder()
  for (const name of ['begun', 'user']) await mkdir(path.join(folder, name))
  await writeFile(path.join(folder, 'user', 'network.json'), 'of something else')
  await writeFile(path.join(folder, 'note'), '')
  expect(await readVpcRecord(folder, 'begun')).toBeUndefined()
  expect(await vpcRecords(folder, user)).toEqual({ records: [], unreadable: new Map() })
})

const damages: Record<string, (file: string) => Promise<void>> = {
  'is empty': (file) => writeFile(file, ''),
  'is cut short': async (file) => writeFile(file, (await readFile(file, 'utf8')).slice(0, -9)),
  'lacks a field': (file) => writeFile(file, JSON.stringify({ ...record('damaged'), zones: undefined })),
  'is that of another VPC': (file) => writeFile(file, JSON.stringify(record('other'))),
  // As good as a device that fails: it is there, and reading it is an error.
  'cannot be opened': async (file) => {
    await rm(file)
    await mkdir(file)
  },
}
test.each(Object.entries(damages))(
  'a record that %s is unreadable rather than missing',
  async (_, damage) => {
    const folder = await temporaryFolder()
    for (const id of ['whole', 'damaged']) await writeVpcRecord(folder, record(id))
    await damage(path.join(folder, 'damaged', 'network.json'))
    const { records, unreadable } = await vpcRecords(folder, user)
    expect(records).toEqual([record('whole')])
    expect([...unreadable]).toEqual([['damaged', expect.any(Error)]])
    await expect(readVpcRecord(folder, 'damaged')).rejects.toThrow(Error)
  },
)
