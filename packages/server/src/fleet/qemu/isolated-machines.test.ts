import { readlink } from 'node:fs/promises'
import type { MachineSpec } from '@gantry/control-plane/fleet/fleet'
import { expect, test } from 'vitest'
import { machineSpec } from '../../testing/qemu.ts'
import { hostCommand } from './host-command.ts'
import { isolatedMachines } from './isolated-machines.ts'

const networks = isolatedMachines({ first: undefined, why: '' })
const nic: MachineSpec['interfaces'][number] = {
  id: 'n',
  name: 'n',
  mac: 'a8:40:25:00:00:01',
  ip: '10.0.0.5',
  is_primary: true,
  vpc_id: '',
  subnet_id: '',
  subnet: '10.0.0.0/24',
  transit_ips: [],
}

test('a machine with interfaces is refused in words', async () => {
  await expect(networks.enter(machineSpec({ name: 'web', interfaces: [nic] }), 0)).rejects.toThrow(
    'The machine web has interfaces, and this fleet has no networks.',
  )
})

const hasNamespaces = await networks
  .enter(machineSpec(), 0)
  .then(({ enter }) => hostCommand([...enter, 'true']))
  .then(
    () => true,
    () => false,
  )

test.skipIf(!hasNamespaces)('any other gets a network namespace in which there is nothing', async () => {
  const { enter, taps } = await networks.enter(machineSpec(), 0)
  expect(taps.size).toBe(0)
  const own = await hostCommand([...enter, 'readlink', '/proc/self/ns/net'])
  expect(own.trim()).not.toBe(await readlink('/proc/self/ns/net'))
  const links = await hostCommand([...enter, 'cat', '/proc/net/dev'])
  expect([...links.matchAll(/^ *(\w+):/gm)].map(([, name]) => name)).toEqual(['lo'])
})
