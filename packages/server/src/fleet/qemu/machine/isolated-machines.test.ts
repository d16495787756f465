import { readlink } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { machineInterface, machineSpec } from '#src/testing/qemu'
import { hostCommand } from '../host/host-command.ts'
import { isolatedMachines } from './isolated-machines.ts'

const networks = isolatedMachines({ first: undefined, why: '' })

test('a machine with interfaces is refused in words', async () => {
  const spec = machineSpec({ name: 'web', interfaces: [machineInterface()] })
  await expect(networks.attach(spec, 0)).rejects.toThrow(
    'The machine web has interfaces, and this fleet has no networks.',
  )
})

const hasNamespaces = await networks
  .attach(machineSpec(), 0)
  .then(({ prefix }) => hostCommand([...prefix, 'true']))
  .then(
    () => true,
    () => false,
  )

test.skipIf(!hasNamespaces)('any other gets a network namespace in which there is nothing', async () => {
  const { prefix, taps } = await networks.attach(machineSpec(), 0)
  expect(taps.size).toBe(0)
  const own = await hostCommand([...prefix, 'readlink', '/proc/self/ns/net'])
  expect(own.trim()).not.toBe(await readlink('/proc/self/ns/net'))
  const links = await hostCommand([...prefix, 'cat', '/proc/net/dev'])
  expect([...links.matchAll(/^ *(\w+):/gm)].map(([, name]) => name)).toEqual(['lo'])
})
