import { GiB } from '@gantry/api/base/bytes.rules'
import { expect, test } from 'vitest'
import type { Description } from '../description.ts'
import { usable } from './usable.ts'

const nic = { description: '', vpc: 'a', subnet: 'b', is_primary: false, ip_stack: 'v4' } as const
const disk = { description: 'd\0', file: 'd', size: GiB, read_only: false, hardware: null } as const
const given: Description = {
  format: 'gantry-instance',
  version: 1,
  time: '',
  name: 'My Server!',
  description: 'a\0b\ud800c',
  hostname: '\0',
  ncpus: 0,
  memory: 1,
  auto_restart_policy: null,
  cpu_platform: null,
  hardware: null,
  disks: [
    { ...disk, name: '../boot', block_size: 7, is_boot: true },
    { ...disk, name: 'data', block_size: 4096, is_boot: true },
    { ...disk, name: 'data', block_size: 512, is_boot: false },
  ],
  network_interfaces: [
    { ...nic, name: 'net' },
    { ...nic, name: 'imported-net1' },
    { ...nic, name: 'net' },
    { ...nic, name: '' },
  ],
  tags: { owner: 'shop', 'A b': 'x', 'gantry:of': 'x', nul: '\0', half: '\ud800', long: 'x'.repeat(257) },
}

test('whatever a description says, what is left of it can be created', () => {
  const { network_interfaces, disks, ...rest } = usable(given)
  expect(rest).toMatchObject({
    name: 'my-server',
    description: 'abc',
    hostname: 'my-server',
    ncpus: 1,
    memory: GiB,
    tags: { owner: 'shop' },
  })
  expect(new Set(disks.map(({ name }) => name)).size).toBe(3)
  expect(disks).toMatchObject([
    { name: 'boot', description: 'd', block_size: 512, is_boot: true },
    { name: 'data', block_size: 4096, is_boot: false },
    { name: 'imported-disk1', is_boot: false },
  ])
  const names = network_interfaces.map(({ name }) => name)
  expect(new Set(names).size).toBe(4)
  expect(names.slice(0, 2)).toEqual(['net', 'imported-net1'])
  expect(network_interfaces.map(({ is_primary }) => is_primary)).toEqual([true, false, false, false])
})

test('of more tags than an object can have, the first ones are kept', () => {
  const tags = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, 'v']))
  expect(Object.keys(usable({ ...given, tags }).tags)).toHaveLength(50)
})
