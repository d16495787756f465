import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BlockStore } from '../../blocks/block-store.ts'
import { memoryBlocks } from '../../blocks/memory.ts'
import type { Volumes } from '../../fleet/fleet.ts'
import { simulatedFleet } from '../../fleet/simulated/fleet.ts'
import { type Caller, eventually, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { withoutBin } from '../../testing/environment.ts'
import { storageSteps } from './storage.fixtures.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3

/** Volumes outside the block store, as of a hypervisor: the block store learns of no write to them. */
function volumesApart(blocks: BlockStore) {
  const disks = memoryBlocks()
  /** Where volumes and the snapshots made from them have bytes, in MiB; everything else is empty. */
  const filled = new Map<string, Set<number>>()
  const write = async (id: string, offset: number, bytes: Uint8Array): Promise<void> => {
    const places = filled.get(id) ?? new Set()
    for (let at = Math.floor(offset / MiB); at * MiB < offset + bytes.length; at++) places.add(at)
    filled.set(id, places)
    await disks.write(id, offset, bytes)
  }
  const copy = async (from: BlockStore, to: BlockStore, source: string, target: string, size: number) => {
    if ((await to.size(target)) !== undefined) return
    await to.create(target, size)
    const places = new Set(filled.get(source))
    filled.set(target, places)
    for (const at of places) await to.write(target, at * MiB, await from.read(source, at * MiB, MiB))
  }
  const volumes: Volumes = {
    create: (id, size, from) =>
      from === undefined ? disks.create(id, size) : copy(blocks, disks, from, id, size),
    size: (id) => disks.size(id),
    occupied: (id) => disks.occupied(id),
    grow: (id, size) => disks.grow(id, size),
    growsLive: true,
    write,
    snapshot: (id, { content_id, size }) => copy(disks, blocks, id, content_id, size),
    async snapshotTogether(copies) {
      for (const { from, content_id, size } of copies) await copy(disks, blocks, from, content_id, size)
      return { wasFrozen: false }
    },
    snapshotsLive: true,
    needRoomFor: async () => {},
    remove: (id) => disks.remove(id),
  }
  return { volumes, disks }
}

let bed: TestBed
let me: Caller
let disks: BlockStore
let volumes: Volumes
beforeAll(async () => {
  bed = await testControlPlane({
    environment: {
      settings: withoutBin,
      fleet: (host) => {
        ;({ disks, volumes } = volumesApart(host.blocks))
        return { ...simulatedFleet(host), volumes }
      },
    },
  })
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())

const { at, said, makeDisk, snapshot, stateOf, contentOf } = storageSteps(() => ({ bed, me }))
const write = async (disk: string, offset: number, ...bytes: number[]) =>
  volumes.write(await contentOf('disk', disk), offset, Uint8Array.from(bytes))

test('what a machine wrote to its disk is in the snapshot, and in a disk made from that', async () => {
  const body = { name: 'writer', description: '', ncpus: 1, memory: GiB, hostname: 'writer' }
  const boot = {
    type: 'create',
    name: 'written',
    description: '',
    size: GiB,
    disk_source: { type: 'blank', block_size: 512 },
  }
  expect((await me.post(at('instances'), { ...body, boot_disk: boot })).status).toBe(201)
  await eventually(
    async () => disks.size(await contentOf('disk', 'written')),
    (size) => size === GiB,
  )
  await write('written', 700 * MiB, 1, 2, 3)
  expect(said(await snapshot('kept', 'written'))).toBe('201')
  await eventually(
    () => stateOf('snapshots/kept'),
    (state) => state === 'ready',
  )
  await write('written', 700 * MiB, 9)
  const kept = await contentOf('snapshot', 'kept')
  expect([...(await bed.blocks.read(kept, 700 * MiB - 1, 5))]).toEqual([0, 1, 2, 3, 0])

  const { id } = (await me.get(at('snapshots/kept'))).body
  const copy = await makeDisk('copy', { disk_source: { type: 'snapshot', snapshot_id: id } })
  expect(said(copy)).toBe('201')
  const copied = await contentOf('disk', 'copy')
  expect([...(await disks.read(copied, 700 * MiB - 1, 5))]).toEqual([0, 1, 2, 3, 0])
  expect(await bed.blocks.size(copied)).toBeUndefined()
})

test('an import writes to the volume, and its snapshot has the bytes', async () => {
  await makeDisk('imported', { disk_source: { type: 'importing_blocks', block_size: 512 } })
  await me.post(at('disks/imported/bulk-write-start'))
  const text = 'x'.repeat(512)
  const piece = { offset: 1024, base64_encoded_data: btoa(text) }
  expect(said(await me.post(at('disks/imported/bulk-write'), piece))).toBe('204')
  await me.post(at('disks/imported/bulk-write-stop'))
  expect(said(await me.post(at('disks/imported/finalize'), { snapshot_name: 'of-import' }))).toBe('204')
  await eventually(
    () => stateOf('snapshots/of-import'),
    (state) => state === 'ready',
  )
  const read = await bed.blocks.read(await contentOf('snapshot', 'of-import'), 1024, 512)
  expect(new TextDecoder().decode(read)).toBe(text)
})

test('the bytes of a deleted disk are removed where they are', async () => {
  await makeDisk('short-lived')
  const content = await contentOf('disk', 'short-lived')
  expect(await disks.size(content)).toBe(GiB)
  expect((await me.call('DELETE', at('disks/short-lived'))).status).toBe(204)
  await eventually(
    () => disks.size(content),
    (size) => size === undefined,
  )
})

test('the bytes of a deleted snapshot are removed from the block store', async () => {
  await makeDisk('pictured')
  await snapshot('picture', 'pictured')
  const content = await contentOf('snapshot', 'picture')
  await eventually(
    () => bed.blocks.size(content),
    (size) => size === GiB,
  )
  expect((await me.call('DELETE', at('snapshots/picture'))).status).toBe(204)
  await eventually(
    () => bed.blocks.size(content),
    (size) => size === undefined,
  )
})

test('a start makes no empty disk in the place of a lost one', async () => {
  const boot = {
    type: 'create',
    name: 'lost',
    description: '',
    size: GiB,
    disk_source: { type: 'blank', block_size: 512 },
  }
  const body = { name: 'loser', description: '', ncpus: 1, memory: GiB, hostname: 'loser', boot_disk: boot }
  expect(said(await me.post(at('instances'), body))).toBe('201')
  const runs = (state: string) =>
    eventually(
      async () => {
        bed.pass(500)
        return (await me.get(at('instances/loser'))).body.run_state
      },
      (found) => found === state,
    )
  await runs('running')
  expect(said(await me.post(at('instances/loser/stop')))).toBe('202')
  await runs('stopped')
  const content = await contentOf('disk', 'lost')
  // As if the first attempts to make it had failed for good, and a later job had made it.
  const { numUpdatedRows } = await bed.db
    .updateTable('job')
    .set({ state: 'failed' })
    .where('kind', '=', 'disk-content')
    .where((eb) => eb(eb.ref('args', '->>').key('content_id'), '=', content))
    .executeTakeFirst()
  expect(numUpdatedRows).toBe(1n)
  await disks.remove(content)
  expect(said(await me.post(at('instances/loser/start')))).toBe('202')
  await runs('running')
  expect(await disks.size(content)).toBeUndefined()
})
