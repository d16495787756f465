import { sourceIn } from '#/data/disk-backend.ts'
import { GiB } from '@gantry/api/base/bytes.rules'
import { describe, expect, test } from 'vitest'
import type { Instance } from '../../queries.ts'
import type { ValuesOrDefault } from '../values.ts'
import { cloneOf } from './clone-values.ts'
import { copyName, type Offered } from './offered.ts'
import type { CloneSource } from './source.ts'

const time = new Date(0)
const identity = (name: string) => ({
  id: `id-of-${name}`,
  name,
  description: `about ${name}`,
  timeCreated: time,
  timeModified: time,
})

type Disk = CloneSource['disks'][number]
const disk = (name: string, more: Partial<Disk> = {}): Disk => ({
  ...identity(name),
  projectId: 'project',
  size: 20 * GiB,
  blockSize: 512,
  devicePath: '',
  diskType: 'distributed',
  readOnly: false,
  state: { state: 'attached', instance: 'id-of-web' },
  ...more,
})

const nic = (name: string, subnet: string, more = {}): CloneSource['interfaces'][number] => ({
  ...identity(name),
  instanceId: 'id-of-web',
  vpcId: 'id-of-front',
  subnetId: `id-of-${subnet}`,
  mac: '',
  ipStack: { type: 'v4', value: { ip: '10.0.0.5', transitIps: [] } },
  primary: false,
  ...more,
})

const instance: Instance = {
  ...identity('web'),
  projectId: 'project',
  ncpus: 4,
  memory: 16 * GiB,
  hostname: 'web',
  enableJumboFrames: false,
  bootDiskId: 'id-of-boot',
  runState: 'running',
  timeRunStateUpdated: time,
  autoRestartEnabled: true,
}

const named = (name: string) => ({ ...identity(name), projectId: 'project' })
const source = {
  instance,
  disks: [disk('boot', { imageId: 'debian' })],
  interfaces: [],
  externalIps: [],
  sshKeys: [],
  antiAffinityGroups: [],
  affinityGroups: [],
  vpcs: [{ ...named('front') }],
  subnets: [{ ...identity('inner') }, { ...identity('outer') }],
  snapshots: [],
} as unknown as CloneSource
const offered: Offered = {
  siloImages: [{ id: 'debian' }],
  projectImages: [{ id: 'own' }],
  sshKeys: [{ id: 'id-of-laptop' }],
  pools: [{ id: 'pool-1', name: 'outside' }],
  disks: [{ name: 'boot' }, { name: 'data' }],
}
const clone = (more: Partial<CloneSource>) => cloneOf({ ...source, ...more }, offered)

const copyOf = (name: string, size = 20 * GiB) => ({ id: `id-of-${name}`, name, size })

test("copies a plain instance with its disk's data, except for settings that the API does not return", () => {
  expect(cloneOf(source, offered)).toMatchObject({
    values: {
      name: 'web-copy',
      description: 'about web',
      ncpus: 4,
      memory: 16,
      hardwareTab: 'General Purpose',
      preset: '4/16',
      bootSource: 'copy',
      bootCopy: copyOf('boot'),
      siloImage: 'debian',
      bootDiskSize: 20,
      disks: [],
      networkType: 'none',
      interfaces: [],
      ephemeral: false,
      sshKeys: [],
      antiAffinityGroups: [],
      autoRestartPolicy: 'default',
    },
    notCopied: ['User data: it cannot be read back. Enter it again if needed.'],
  })
})

test.each([
  ['web', [], 'web-copy'],
  ['web', ['web-copy', 'web-copy-2'], 'web-copy-3'],
  ['a'.repeat(63), [], `${'a'.repeat(58)}-copy`],
  [`${'a'.repeat(57)}-bcdef`, [], `${'a'.repeat(57)}-copy`],
])('a copy of %s beside %j is %s', (name, taken, expected) =>
  expect(copyName(name, new Set(taken))).toBe(expected),
)

test('hardware that matches no preset is custom', () => {
  const { values } = clone({ instance: { ...instance, ncpus: 3, memory: 5 * GiB } })
  expect(values).toMatchObject({ hardwareTab: 'Custom', ncpus: 3, memory: 5 })
})

describe('a fresh boot disk', () => {
  test('uses the project image of the original', () => {
    const { values, disks } = clone({ disks: [disk('boot', { imageId: 'own', size: 7.5 * GiB })] })
    expect(disks.fresh).toEqual({ bootSource: 'project', disks: [] })
    expect(values).toMatchObject({ projectImage: 'own', bootDiskSize: 8 })
    expect([...disks.missing.values()]).toEqual(['Data of boot disk boot.'])
  })
  test.each<[string, Disk[], RegExp]>([
    [
      'a disk with a deleted image',
      [disk('boot', { imageId: 'gone' })],
      /^Boot disk boot: its image no longer exists\./,
    ],
    ['a disk without an image', [disk('boot')], /^Boot disk boot: it was not created from an image\./],
  ])('is left to the user for %s', (_, all, reason) => {
    const { disks } = clone({ disks: all })
    expect(disks.fresh).not.toHaveProperty('bootSource')
    expect(disks.missing.get('id-of-boot')).toMatch(reason)
  })
})

test('without a boot disk, the user selects one, with or without copied data', () => {
  const { values, disks, notCopied } = clone({ disks: [] })
  expect(values).not.toHaveProperty('bootSource')
  expect(disks.copyable).toEqual([])
  expect(notCopied[0]).toMatch(/^Boot disk: none is set\./)
})

test('a blank boot disk is copied', () => {
  expect(clone({ disks: [disk('boot')] }).values).toMatchObject({
    bootSource: 'copy',
    bootCopy: copyOf('boot'),
  })
})

test('a disk in a state that cannot be copied is created fresh, and its missing data is listed with the reason', () => {
  const moving = { state: 'detaching', instance: 'id-of-web' } as const
  const { values, disks } = clone({
    disks: [disk('boot', { imageId: 'debian' }), disk('data', { state: moving })],
  })
  expect(values.disks).toMatchObject([{ type: 'create', body: { name: 'data-copy' } }])
  expect(disks.copyable).toEqual([copyOf('boot')])
  expect(disks.missing.get('id-of-data')).toBe(
    'Data of disk data. A disk that is detaching cannot be copied.',
  )
})

test('a read-only disk is made again of its source, and cannot be copied', () => {
  const snapshots = [{ id: 'ready-one', state: 'ready' }] as CloneSource['snapshots']
  const readOnly = true
  const { values, disks } = clone({
    snapshots,
    disks: [
      disk('boot', { imageId: 'debian', readOnly }),
      disk('old', { snapshotId: 'ready-one', readOnly }),
      disk('gone', { snapshotId: 'gone-one', readOnly }),
    ],
  })
  expect(values.bootSource).toBe('silo')
  expect(values.disks?.map((each) => each.type === 'create' && sourceIn(each.body.diskBackend))).toEqual([
    { type: 'snapshot', snapshotId: 'ready-one', readOnly },
    { type: 'blank', blockSize: 512 },
  ])
  expect(disks.copyable).toEqual([])
  expect([...disks.missing.values()]).toEqual([
    'Boot disk boot is read-only. The new one can be written.',
    'Data of disk gone: its source no longer exists, so the new disk is blank. A disk that is read-only cannot be copied.',
  ])
})

test('additional disks are copies, or new ones of the same size and source, under unused names', () => {
  const snapshots = [
    { id: 'ready-one', state: 'ready' },
    { id: 'broken-one', state: 'faulted' },
  ] as CloneSource['snapshots']
  const { values, disks } = clone({
    snapshots,
    disks: [
      disk('boot', { imageId: 'debian' }),
      disk('data', { blockSize: 4096 }),
      disk('tools', { imageId: 'own' }),
      disk('old', { snapshotId: 'ready-one' }),
      disk('older', { snapshotId: 'broken-one', blockSize: 2048 }),
    ],
  })
  expect(values.disks).toMatchObject(
    ['data', 'tools', 'old', 'older'].map((name) => ({
      type: 'copy',
      of: copyOf(name),
      body: { name: `${name}-copy`, description: `about ${name}`, size: 20 * GiB },
    })),
  )
  expect(
    disks.fresh.disks.map(
      (each) => each.type === 'create' && [each.body.name, sourceIn(each.body.diskBackend)],
    ),
  ).toEqual([
    ['data-copy', { type: 'blank', blockSize: 4096 }],
    ['tools-copy', { type: 'image', imageId: 'own' }],
    ['old-copy', { type: 'snapshot', snapshotId: 'ready-one' }],
    ['older-copy', { type: 'blank', blockSize: 2048 }],
  ])
  expect(disks.missing.get('id-of-data')).toBe('Data of disk data.')
  expect(disks.missing.get('id-of-older')).toBe(
    'Data of disk older: its source no longer exists, so the new disk is blank.',
  )
})

describe('networking', () => {
  test('copies VPC and subnet of the interfaces, the primary one first, without addresses', () => {
    const { values, notCopied } = clone({
      interfaces: [
        nic('second', 'outer', {
          ipStack: { type: 'v4', value: { ip: '10.0.0.5', transitIps: ['10.9.0.0/16'] } },
        }),
        nic('first', 'inner', { primary: true }),
        nic('lost', 'nowhere'),
      ],
    })
    expect(values).toMatchObject({
      networkType: 'custom',
      interfaces: [
        { name: 'first', description: 'about first', vpc: 'front', subnet: 'inner', ip: '' },
        { name: 'second', vpc: 'front', subnet: 'outer', ip: '' },
      ],
    })
    expect(notCopied.slice(0, 2)).toEqual([
      'Transit IPs of network interface second: set them after you create the instance.',
      'Network interface lost: you cannot view its VPC or subnet.',
    ])
  })
  test('recognises the default interface', () => {
    const { values } = clone({
      interfaces: [nic('net0', 'default', { vpcId: 'id-of-default', primary: true })],
      vpcs: [named('default')] as unknown as CloneSource['vpcs'],
      subnets: [identity('default')] as unknown as CloneSource['subnets'],
    })
    expect(values).toMatchObject({ networkType: 'default', interfaces: [] })
  })
  test('takes an ephemeral address from the default pool if the user may not list pools', () => {
    const externalIps = [{ kind: 'ephemeral' as const, ip: '203.0.113.9', ipPoolId: 'pool-1' }]
    const { values } = cloneOf({ ...source, externalIps }, { ...offered, pools: null })
    expect(values.ephemeral).toBe(true)
    expect(values.pool).toBeUndefined()
  })
  test('takes an ephemeral address from the same pool, and leaves a floating one in place', () => {
    const { values, notCopied } = clone({
      externalIps: [
        { kind: 'ephemeral', ip: '203.0.113.9', ipPoolId: 'pool-1' },
        { kind: 'floating', name: 'front-door' } as CloneSource['externalIps'][number],
      ],
    })
    expect(values).toMatchObject({ ephemeral: true, pool: 'outside' })
    expect(notCopied).toContain(
      'Floating IP front-door: it stays with the original instance. Attach another under Networking.',
    )
  })
})

test("lists other users' keys, a host name and affinity groups as missing, and keeps the rest", () => {
  const { values, notCopied } = clone({
    instance: { ...instance, hostname: 'web.example', autoRestartPolicy: 'never' },
    sshKeys: [identity('laptop'), identity('hers')] as CloneSource['sshKeys'],
    antiAffinityGroups: [named('apart')] as CloneSource['antiAffinityGroups'],
    affinityGroups: [named('near')] as CloneSource['affinityGroups'],
  })
  expect(values).toMatchObject({
    sshKeys: ['id-of-laptop'],
    antiAffinityGroups: ['id-of-apart'],
    autoRestartPolicy: 'never',
  })
  expect(notCopied.slice(0, 3)).toEqual([
    'SSH keys hers: you can add only your own keys.',
    'Hostname web.example: a hostname belongs to one instance, so the new name is used instead.',
    'Affinity group near: add the instance after you create it.',
  ])
})

test('a value of the form that a clone forgets does not compile', () => {
  // @ts-expect-error -- a default is stated too, as undefined
  const forgotten: ValuesOrDefault<'name' | 'start'> = { name: 'web-copy' }
  expect(forgotten).not.toHaveProperty('start')
})
