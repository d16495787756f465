import { newestVersionText, versionHeader } from '@gantry/api/versions/newest.rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GiB, newDisk } from '@gantry/control-plane/testing/case-values'
import {
  type Caller,
  said,
  settledJobs,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { made } from '@gantry/control-plane/testing/hidden-things'

let bed: TestBed
let me: Caller
let snapshot_id: string
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
  await made(me, '/v1/projects', { name: 'web', description: '' })
  await made(me, `/v1/disks?${at}`, newDisk('origin'))
  await settledJobs(bed)
  snapshot_id = await made(me, `/v1/snapshots?${at}`, { name: 'tools', description: '', disk: 'origin' })
  await settledJobs(bed)
})
afterAll(() => bed.stop())

const at = 'project=web'
const newest = (method: string, path: string, body?: object) =>
  me.call(method, path, body, { [versionHeader]: newestVersionText })
const shown = (name: string, gib = 1) => ({
  name,
  description: '',
  size: gib * GiB,
  disk_backend: { type: 'distributed', disk_source: { type: 'snapshot', snapshot_id, read_only: true } },
})
const used = async () => (await me.get('/v1/utilization')).body.provisioned.storage
const disksOf = async (instance: string) =>
  (await newest('GET', `/v1/instances/${instance}/disks?${at}`)).body.items.map(
    ({ read_only }: { read_only: boolean }) => read_only,
  )
const machine = (name: string) => ({
  name,
  description: '',
  hostname: name,
  ncpus: 1,
  memory: GiB,
  start: false,
})

test('a read-only disk has the size of its source, counts in full, and is neither copied nor grown', async () => {
  const before = await used()
  expect(said(await newest('POST', `/v1/disks?${at}`, shown('larger', 2)))).toBe(
    `400 read-only disk size ${2 * GiB} must be equal to snapshot size ${GiB}`,
  )
  const { status, body } = await newest('POST', `/v1/disks?${at}`, shown('shown'))
  expect([status, body.read_only, body.snapshot_id]).toEqual([201, true, snapshot_id])
  await settledJobs(bed)
  expect((await used()) - before).toBe(GiB)
  const copy = { name: 'copy', description: '', disk: 'shown' }
  expect(said(await me.post(`/v1/snapshots?${at}`, copy))).toBe(
    '400 cannot take a snapshot of a read-only disk',
  )
  const image = { name: 'copy', description: '', os: '', version: '' }
  expect(said(await me.post(`/ext/v1/disks/shown/images?${at}`, image))).toBe(
    '400 cannot take a snapshot of a read-only disk',
  )
  expect(said(await me.post(`/ext/v1/disks/shown/grow?${at}`, { size: 3 * GiB }))).toBe(
    '400 a read-only disk cannot grow',
  )
  const found = await me.get(`/ext/v1/disks?${at}&filter=readonly:yes`)
  expect(found.body.items.map(({ name }: { name: string }) => name)).toEqual(['shown'])
  // Versions before have no word for it.
  expect((await me.get(`/v1/disks/shown?${at}`)).body).not.toHaveProperty('read_only')
})

test('a machine, and what is made of an instance snapshot, have it read-only, too', async () => {
  await made(me, `/v1/instances?${at}`, machine('box'))
  expect((await me.post(`/v1/instances/box/disks/attach?${at}`, { disk: 'shown' })).status).toBe(202)
  await me.post(`/v1/instances/box/start?${at}`)
  await settledJobs(bed)
  const { rows } = await sql<{ facts: object }>`SELECT facts FROM guest`.execute(bed.db)
  const guest = rows.find((row) => JSON.stringify(row).includes('"shown"'))
  expect(guest?.facts).toMatchObject({ disks: [{ name: 'shown', read_only: true }] })
  const kept = { name: 'kept', description: '', instance: 'box' }
  expect((await me.post(`/ext/v1/instance-snapshots?${at}`, kept)).status).toBe(201)
  await settledJobs(bed)
  const { disks } = (await me.get(`/ext/v1/instance-snapshots/kept?${at}`)).body
  expect(disks).toMatchObject([{ name: 'shown', read_only: true }])
  const another = await me.post(`/ext/v1/instance-snapshots/kept/instances?${at}`, { name: 'another' })
  expect(another.status).toBe(201)
  expect(await disksOf('another')).toEqual([true])
})

test('a template keeps it', async () => {
  const source = { type: 'snapshot', snapshot_id }
  const disk = (name: string, read_only?: boolean) => ({
    name,
    description: '',
    size: GiB,
    disk_source: { ...source, ...(read_only !== undefined && { read_only }) },
  })
  const settings = {
    hardware: { ncpus: 1, memory: GiB },
    start: false,
    disks: [disk('tools', true), disk('data', false)],
  }
  await made(me, `/ext/v1/instance-templates?${at}`, { name: 'usual', description: '', settings })
  const stored = (await me.get(`/ext/v1/instance-templates/usual?${at}`)).body.settings.disks
  expect(stored).toEqual([disk('tools', true), disk('data')])
  const use = await me.post(`/ext/v1/instance-templates/usual/instances?${at}`, { name: 'of-it' })
  expect(use.status).toBe(201)
  expect((await disksOf('of-it')).toSorted()).toEqual([false, true])
})
