import { GiB } from '@gantry/api/base/bytes.rules'
import { expect, test } from 'vitest'
import type { Template } from '#/features/templates/queries.ts'
import { instanceBody } from '../body.ts'
import { initialValues, type InstanceValues } from '../values.ts'
import { changesTo, notKept, settingsFrom, valuesOf } from './template-values.ts'

const ids = { image: '6d1b1f2e-0000-4000-8000-000000000001', vpc: '6d1b1f2e-0000-4000-8000-000000000002' }
const subnet = '6d1b1f2e-0000-4000-8000-000000000003'
const blank = { type: 'blank', blockSize: 512 } as const
const template = {
  name: 'web',
  fixed: ['hardware'],
  settings: {
    hardware: { ncpus: 4, memory: 16 * GiB },
    bootSource: { type: 'image', imageId: ids.image },
    bootSize: 12 * GiB,
    disks: [{ name: 'data', description: '', size: GiB, diskSource: blank }],
    networkInterfaces: {
      type: 'create',
      params: [{ name: 'eth0', description: '', vpc: ids.vpc, subnet, transitIps: ['10.9.0.0/16'] }],
    },
    externalIps: [{ type: 'ephemeral', pool: 'pool-id' }],
    userData: btoa('#cloud-config\n'),
    autoRestartPolicy: 'never',
    start: false,
    tags: [{ key: 'env', value: 'prod' }],
  },
  references: [
    { field: 'boot_source', kind: 'image', id: ids.image, name: 'debian', isGone: false },
    { field: 'network_interfaces', kind: 'vpc', id: ids.vpc, name: 'front', isGone: false },
    { field: 'network_interfaces', kind: 'vpc-subnet', id: subnet, name: 'inner', isGone: false },
  ],
} as unknown as Template

const offered = {
  siloImages: [{ id: ids.image, size: GiB }],
  projectImages: [],
  sshKeys: [],
  pools: [{ id: 'pool-id', name: 'outside', isDefault: false }],
  disks: [{ name: 'data' }],
}
const filled = (more: Partial<Template> = {}): InstanceValues => ({
  ...initialValues(offered),
  ...valuesOf({ ...template, ...more }, offered),
  name: 'web-a',
})
const context = {
  images: [],
  userData: undefined,
  randomHex: () => '',
  snapshotOf: new Map<string, string>(),
  hasExternalAddresses: true,
}
const changes = (values: InstanceValues, more: Partial<Template> = {}, userData?: string) => {
  const body = instanceBody(values, { ...context, userData })
  return changesTo({ ...template, ...more }, instanceBody(filled(more), context), body, body)
}

test('the form is filled with all that the template keeps, under unused names', () => {
  expect(filled()).toMatchObject({
    preset: '4/16',
    start: false,
    bootSource: 'silo',
    siloImage: ids.image,
    bootDiskSize: 12,
    disks: [{ type: 'create', body: { name: 'data-copy', size: GiB } }],
    networkType: 'custom',
    interfaces: [{ name: 'eth0', vpc: 'front', subnet: 'inner', ip: '' }],
    ephemeral: true,
    pool: 'outside',
    userDataFrom: 'text',
    userDataText: '#cloud-config\n',
    autoRestartPolicy: 'never',
  })
})

test('what is saved again is what the template keeps, with what the form has no field for', () => {
  const kept = settingsFrom(
    { ...filled(), newTags: template.settings.tags ?? [] },
    {
      userData: template.settings.userData ?? undefined,
      kept: template.settings,
    },
  )
  expect(kept).toEqual({
    ...template.settings,
    antiAffinityGroups: [],
    disks: [{ name: 'data-copy', description: '', size: GiB, diskSource: blank }],
    externalIps: [{ type: 'ephemeral', pool: 'outside' }],
    networkInterfaces: {
      type: 'create',
      params: [{ name: 'eth0', description: '', vpc: 'front', subnet: 'inner', transitIps: ['10.9.0.0/16'] }],
    },
  })
})

test('only what the user changes is sent, and nothing that is locked', () => {
  const same = { description: '', sshPublicKeys: [] }
  expect(changes(filled())).toEqual(same)
  expect(changes({ ...filled(), preset: '8/32' })).toEqual(same)
  expect(changes({ ...filled(), start: true, autoRestartPolicy: 'default' })).toEqual({
    ...same,
    start: true,
    autoRestartPolicy: null,
  })
  expect(changes({ ...filled(), preset: '8/32' }, { fixed: [] })).toEqual({
    ...same,
    ncpus: 8,
    memory: 32 * GiB,
  })
  expect(changes({ ...filled(), bootDiskSize: 20 })).toMatchObject({
    bootDisk: { size: 20 * GiB, diskBackend: { diskSource: { type: 'image', imageId: ids.image } } },
  })
})

test('a source that no field of the form offers is kept as it is', () => {
  const more = { settings: { ...template.settings, bootSource: blank } }
  expect(filled(more)).toMatchObject({ bootSource: 'template', bootTemplate: { source: blank } })
  expect(changes({ ...filled(more), bootDiskSize: 20 }, more)).toMatchObject({
    bootDisk: { size: 20 * GiB, diskBackend: { diskSource: blank } },
  })
})

test('what no longer exists is left to the user', () => {
  const references = template.references.map((each) => ({ ...each, name: null, isGone: true }))
  const values = {
    ...initialValues({ ...offered, siloImages: [] }),
    ...valuesOf({ ...template, references }, { ...offered, siloImages: [] }),
  }
  expect(values).toMatchObject({ siloImage: '', interfaces: [], bootSource: 'disk', bootTemplate: undefined })
})

test('what belongs to one instance is not kept, and told', () => {
  const values: InstanceValues = {
    ...filled(),
    bootSource: 'disk',
    bootDisk: 'old',
    disks: [{ type: 'attach', name: 'spare', size: GiB }],
    floatingIps: ['front'],
  }
  expect(settingsFrom(values, { userData: undefined })).toMatchObject({ disks: [], start: false })
  expect(settingsFrom(values, { userData: undefined }).bootSource).toBe(undefined)
  expect(notKept(values).join(' ')).toMatch(/existing disk.*Disk spare.*Floating IPs.*SSH keys/)
})
