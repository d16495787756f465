import { emptyInterface } from '#/features/addresses/interface-values.ts'
import { GiB } from '@gantry/api/base/bytes.rules'
import { expect, test } from 'vitest'
import { instanceBody } from './body.ts'
import { addedBy } from './quota.ts'
import { copiedDisks, firstPreset, initialValues, type InstanceValues } from './values.ts'

const debian = { id: 'image-1', name: 'debian-13', size: 2 * GiB }
const context = {
  images: [debian],
  userData: undefined,
  randomHex: () => 'abc123',
  snapshotOf: new Map<string, string>(),
  hasExternalAddresses: true,
}
const pools = [
  { name: 'inside', isDefault: false },
  { name: 'outside', isDefault: true },
]
const offered = {
  siloImages: [debian],
  projectImages: [],
  sshKeys: [{ id: 'key-1' }, { id: 'key-2' }],
  pools,
}
const filled: InstanceValues = { ...initialValues(offered), name: 'web', siloImage: debian.id }

test('sends the minimum', () => {
  expect(instanceBody(filled, context)).toEqual({
    name: 'web',
    description: '',
    hostname: 'web',
    ncpus: 2,
    memory: 8 * GiB,
    start: true,
    bootDisk: {
      type: 'create',
      name: 'web-debian-13-abc123',
      description: 'Created as a boot disk for web',
      size: 10 * GiB,
      diskBackend: { type: 'distributed', diskSource: { type: 'image', imageId: 'image-1' } },
    },
    disks: [],
    externalIps: [{ type: 'ephemeral', poolSelector: { type: 'explicit', pool: 'outside' } }],
    sshPublicKeys: ['key-1', 'key-2'],
  })
})

test('ignores a preset hidden by another tab, and custom numbers behind a preset', () => {
  const custom = { ...filled, ncpus: 3, memory: 5 }
  expect(instanceBody(custom, context)).toMatchObject({ ncpus: 2, memory: 8 * GiB })
  expect(instanceBody({ ...custom, hardwareTab: 'Custom' }, context)).toMatchObject({
    ncpus: 3,
    memory: 5 * GiB,
  })
  const high = { ...custom, hardwareTab: 'High Memory' as const, preset: firstPreset('High Memory') }
  expect(instanceBody(high, context)).toMatchObject({ ncpus: 2, memory: 16 * GiB })
})

test('uses only the visible source', () => {
  const both = { ...filled, bootDisk: 'old-disk', projectImage: 'image-2' }
  expect(instanceBody(both, context).bootDisk).toMatchObject({
    diskBackend: { diskSource: { imageId: 'image-1' } },
  })
  expect(instanceBody({ ...both, bootSource: 'disk' }, context).bootDisk).toEqual({
    type: 'attach',
    name: 'old-disk',
  })
})

test('uses the given boot disk name unchanged', () => {
  expect(instanceBody({ ...filled, bootDiskName: 'boot' }, context).bootDisk).toMatchObject({ name: 'boot' })
})

test('creates or attaches queued disks, and sends no size for an existing one', () => {
  const body = {
    name: 'data',
    description: '',
    size: GiB,
    diskBackend: { type: 'distributed', diskSource: { type: 'blank', blockSize: 512 } } as const,
  }
  const disks: InstanceValues['disks'] = [
    { type: 'create', body },
    { type: 'attach', name: 'old', size: 4 * GiB },
  ]
  expect(instanceBody({ ...filled, disks }, context).disks).toEqual([
    { type: 'create', ...body },
    { type: 'attach', name: 'old' },
  ])
})

test('creates copied disks from their snapshots', () => {
  const bootCopy = { id: 'disk-1', name: 'web-boot', size: 12 * GiB }
  const of = { id: 'disk-2', name: 'web-data', size: 2 * GiB }
  const body = { name: 'data-copy', description: 'pages', size: 2 * GiB }
  const values: InstanceValues = {
    ...filled,
    bootSource: 'copy',
    bootCopy,
    bootDiskSize: 14,
    disks: [{ type: 'copy', of, body }],
  }
  const snapshotOf = new Map([
    ['disk-1', 'snapshot-1'],
    ['disk-2', 'snapshot-2'],
  ])
  expect(copiedDisks(values)).toEqual([bootCopy, of])
  expect(instanceBody(values, { ...context, snapshotOf })).toMatchObject({
    bootDisk: {
      name: 'web-web-boot-abc123',
      size: 14 * GiB,
      diskBackend: { type: 'distributed', diskSource: { type: 'snapshot', snapshotId: 'snapshot-1' } },
    },
    disks: [
      {
        type: 'create',
        ...body,
        diskBackend: { type: 'distributed', diskSource: { type: 'snapshot', snapshotId: 'snapshot-2' } },
      },
    ],
  })
  expect(() => instanceBody(values, context)).toThrow('disk web-boot has no snapshot to copy')
  expect(copiedDisks({ ...values, bootSource: 'silo', disks: [] })).toEqual([])
})

test('leaves the addresses of the default interface to the server, unless one IP version is selected', () => {
  const sent = (ipStack: InstanceValues['ipStack']) => instanceBody({ ...filled, ipStack }, context)
  expect(sent('dual_stack').networkInterfaces).toBeUndefined()
  expect(sent('v4').networkInterfaces).toEqual({ type: 'default_ipv4' })
  expect(sent('v6').networkInterfaces).toEqual({ type: 'default_ipv6' })
  // They reach an instance by its IPv4 address.
  expect([sent('v4').externalIps, sent('v6').externalIps].map((all) => all?.length)).toEqual([1, 0])
})

test('sends interfaces only if custom is selected, and omits an empty address', () => {
  const interfaces = [{ ...emptyInterface, name: 'eth0', vpc: 'default', subnet: 'inner', ip: ' ' }]
  expect(instanceBody({ ...filled, interfaces }, context).networkInterfaces).toBeUndefined()
  expect(instanceBody({ ...filled, interfaces, networkType: 'none' }, context).networkInterfaces).toEqual({
    type: 'none',
  })
  expect(instanceBody({ ...filled, interfaces, networkType: 'custom' }, context).networkInterfaces).toEqual({
    type: 'create',
    params: [{ name: 'eth0', description: '', vpcName: 'default', subnetName: 'inner' }],
  })
})

test('sends floating addresses without the ephemeral one', () => {
  expect(instanceBody({ ...filled, ephemeral: false }, context).externalIps).toEqual([])
  expect(instanceBody({ ...filled, floatingIps: ['front'] }, context).externalIps).toEqual([
    { type: 'ephemeral', poolSelector: { type: 'explicit', pool: 'outside' } },
    { type: 'floating', floatingIp: 'front' },
  ])
})

test('sends an empty list if no key is selected, which differs from leaving it out', () => {
  expect(instanceBody({ ...filled, sshKeys: [] }, context).sshPublicKeys).toEqual([])
})

test('sends groups and user data if there are any', () => {
  const body = instanceBody(
    { ...filled, antiAffinityGroups: ['apart'] },
    { ...context, userData: 'I2Nsb3Vk' },
  )
  expect(body).toMatchObject({ antiAffinityGroups: ['apart'], userData: 'I2Nsb3Vk' })
})

test.each([
  ['silo', [debian], [debian]],
  ['project', [], [debian]],
  ['disk', [], []],
] as const)('the first tab with images is %s', (expected, siloImages, projectImages) => {
  const values = initialValues({ ...offered, siloImages, projectImages })
  expect(values.bootSource).toBe(expected)
  expect(values.bootDiskSize).toBe(10)
})

test('sends no addresses where none is reachable from outside', () => {
  const values = { ...filled, floatingIps: ['front'] }
  expect(instanceBody(values, { ...context, hasExternalAddresses: false }).externalIps).toEqual([])
})

test('requests no ephemeral address without a pool', () => {
  expect(initialValues({ ...offered, pools: [] })).toMatchObject({ ephemeral: false, pool: '' })
})

test('requests an ephemeral address from the default pool if the user may not list pools', () => {
  const { ephemeral, pool } = initialValues({ ...offered, pools: null })
  expect(instanceBody({ ...filled, ephemeral, pool }, context).externalIps).toEqual([
    { type: 'ephemeral', poolSelector: { type: 'auto', ipVersion: 'v4' } },
  ])
})

test('quota: an existing boot disk uses no storage, an instance that is not started no CPU', () => {
  expect(addedBy(filled)).toEqual({ cpus: 2, memory: 8 * GiB, storage: 10 * GiB })
  expect(addedBy({ ...filled, start: false, bootSource: 'disk' })).toEqual({ cpus: 0, memory: 0, storage: 0 })
})

test('quota: copies include their snapshots', () => {
  const of = { id: 'disk-2', name: 'data', size: 2 * GiB }
  const disks: InstanceValues['disks'] = [
    { type: 'copy', of, body: { name: 'data-copy', description: '', size: 2 * GiB } },
  ]
  expect(addedBy({ ...filled, disks }).storage).toBe((10 + 2 + 2) * GiB)
  const bootCopy = { id: 'disk-1', name: 'boot', size: 8 * GiB }
  expect(addedBy({ ...filled, bootSource: 'copy', bootCopy }).storage).toBe((10 + 8) * GiB)
})

test('sends a restart policy unless the server is to decide', () => {
  expect(JSON.parse(JSON.stringify(instanceBody(filled, context)))).not.toHaveProperty('autoRestartPolicy')
  expect(instanceBody({ ...filled, autoRestartPolicy: 'never' }, context)).toMatchObject({
    autoRestartPolicy: 'never',
  })
})

test('sends no external addresses without a network interface', () => {
  const values = { ...filled, networkType: 'none' as const, ephemeral: true, floatingIps: ['web'] }
  expect(instanceBody(values, context).externalIps).toEqual([])
})

test('requests an address of each IP version that the primary interface has', () => {
  const both = { ...filled, ephemeral: true, ephemeralIpv6: true, poolIpv6: 'routed' }
  const [four, six] = [
    { type: 'ephemeral', poolSelector: { type: 'explicit', pool: 'outside' } },
    { type: 'ephemeral', poolSelector: { type: 'explicit', pool: 'routed' } },
  ]
  const asked = (ipStack: 'v4' | 'v6' | 'dual_stack') =>
    instanceBody({ ...both, networkType: 'default', ipStack }, context).externalIps
  expect(asked('dual_stack')).toEqual([four, six])
  expect(asked('v4')).toEqual([four])
  expect(asked('v6')).toEqual([six])
})
