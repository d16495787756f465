import { GiB } from '@gantry/api/bytes.rules'
import { expect, test } from 'vitest'
import { instanceBody } from './body.ts'
import { addedBy } from './quota.ts'
import { copiedDisks, firstPreset, initialValues, type InstanceValues } from './values.ts'

const debian = { id: 'image-1', name: 'debian-13', size: 2 * GiB }
const known = {
  images: [debian],
  userData: undefined,
  randomHex: () => 'abc123',
  snapshotOf: new Map<string, string>(),
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

test('what is filled in at least', () => {
  expect(instanceBody(filled, known)).toEqual({
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
      diskSource: { type: 'image', imageId: 'image-1' },
    },
    disks: [],
    networkInterfaces: { type: 'default' },
    externalIps: [{ type: 'ephemeral', pool: 'outside' }],
    sshPublicKeys: ['key-1', 'key-2'],
  })
})

test('a preset that another tab hides does not apply, nor do custom numbers behind a preset', () => {
  const custom = { ...filled, ncpus: 3, memory: 5 }
  expect(instanceBody(custom, known)).toMatchObject({ ncpus: 2, memory: 8 * GiB })
  expect(instanceBody({ ...custom, hardwareTab: 'Custom' }, known)).toMatchObject({
    ncpus: 3,
    memory: 5 * GiB,
  })
  const high = { ...custom, hardwareTab: 'High Memory' as const, preset: firstPreset('High Memory') }
  expect(instanceBody(high, known)).toMatchObject({ ncpus: 2, memory: 16 * GiB })
})

test('only the source that shows counts', () => {
  const both = { ...filled, bootDisk: 'old-disk', projectImage: 'image-2' }
  expect(instanceBody(both, known).bootDisk).toMatchObject({ diskSource: { imageId: 'image-1' } })
  expect(instanceBody({ ...both, bootSource: 'disk' }, known).bootDisk).toEqual({
    type: 'attach',
    name: 'old-disk',
  })
})

test('a name for the boot disk is taken as it is', () => {
  expect(instanceBody({ ...filled, bootDiskName: 'boot' }, known).bootDisk).toMatchObject({ name: 'boot' })
})

test('queued disks are made or attached; no size is sent for one that is there', () => {
  const body = {
    name: 'data',
    description: '',
    size: GiB,
    diskSource: { type: 'blank', blockSize: 512 } as const,
  }
  const disks: InstanceValues['disks'] = [
    { type: 'create', body },
    { type: 'attach', name: 'old', size: 4 * GiB },
  ]
  expect(instanceBody({ ...filled, disks }, known).disks).toEqual([
    { type: 'create', ...body },
    { type: 'attach', name: 'old' },
  ])
})

test('copied disks are created from the snapshots taken of them', () => {
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
  expect(instanceBody(values, { ...known, snapshotOf })).toMatchObject({
    bootDisk: {
      name: 'web-web-boot-abc123',
      size: 14 * GiB,
      diskSource: { type: 'snapshot', snapshotId: 'snapshot-1' },
    },
    disks: [{ type: 'create', ...body, diskSource: { type: 'snapshot', snapshotId: 'snapshot-2' } }],
  })
  expect(() => instanceBody(values, known)).toThrow('disk web-boot has no snapshot to copy')
  expect(copiedDisks({ ...values, bootSource: 'silo', disks: [] })).toEqual([])
})

test('interfaces are sent only while custom is chosen, and an empty address is none', () => {
  const interfaces = [{ name: 'eth0', description: '', vpc: 'default', subnet: 'inner', ip: ' ' }]
  expect(instanceBody({ ...filled, interfaces }, known).networkInterfaces).toEqual({ type: 'default' })
  expect(instanceBody({ ...filled, interfaces, networkType: 'none' }, known).networkInterfaces).toEqual({
    type: 'none',
  })
  expect(instanceBody({ ...filled, interfaces, networkType: 'custom' }, known).networkInterfaces).toEqual({
    type: 'create',
    params: [{ name: 'eth0', description: '', vpcName: 'default', subnetName: 'inner' }],
  })
})

test('addresses: without the ephemeral one, with floating ones', () => {
  expect(instanceBody({ ...filled, ephemeral: false }, known).externalIps).toEqual([])
  expect(instanceBody({ ...filled, floatingIps: ['front'] }, known).externalIps).toEqual([
    { type: 'ephemeral', pool: 'outside' },
    { type: 'floating', floatingIp: 'front' },
  ])
})

test('no key chosen means none, which is not the same as nothing said', () => {
  expect(instanceBody({ ...filled, sshKeys: [] }, known).sshPublicKeys).toEqual([])
})

test('groups and user data are sent where there are some', () => {
  const body = instanceBody({ ...filled, antiAffinityGroups: ['apart'] }, { ...known, userData: 'I2Nsb3Vk' })
  expect(body).toMatchObject({ antiAffinityGroups: ['apart'], userData: 'I2Nsb3Vk' })
})

test.each([
  ['silo', [debian], [debian]],
  ['project', [], [debian]],
  ['disk', [], []],
] as const)('the first tab with something in it is %s', (expected, siloImages, projectImages) => {
  const values = initialValues({ ...offered, siloImages, projectImages })
  expect(values.bootSource).toBe(expected)
  expect(values.bootDiskSize).toBe(10)
})

test('without a pool no ephemeral address is asked for', () => {
  expect(initialValues({ ...offered, pools: [] })).toMatchObject({ ephemeral: false, pool: '' })
})

test('quota: a boot disk that exists takes no storage, an instance that is not started no CPU', () => {
  expect(addedBy(filled)).toEqual({ cpus: 2, memory: 8 * GiB, storage: 10 * GiB })
  expect(addedBy({ ...filled, start: false, bootSource: 'disk' })).toEqual({ cpus: 0, memory: 0, storage: 0 })
})

test('quota: copies need room for their snapshots too', () => {
  const of = { id: 'disk-2', name: 'data', size: 2 * GiB }
  const disks: InstanceValues['disks'] = [
    { type: 'copy', of, body: { name: 'data-copy', description: '', size: 2 * GiB } },
  ]
  expect(addedBy({ ...filled, disks }).storage).toBe((10 + 2 + 2) * GiB)
  const bootCopy = { id: 'disk-1', name: 'boot', size: 8 * GiB }
  expect(addedBy({ ...filled, bootSource: 'copy', bootCopy }).storage).toBe((10 + 8) * GiB)
})

test('a policy is sent unless the server is to decide', () => {
  expect(instanceBody(filled, known)).not.toHaveProperty('autoRestartPolicy')
  expect(instanceBody({ ...filled, autoRestartPolicy: 'never' }, known)).toMatchObject({
    autoRestartPolicy: 'never',
  })
})
