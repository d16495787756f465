import fs from 'node:fs/promises'
import { expect, test } from 'vitest'
import { machineInterface, machineSpec } from '#src/testing/qemu'
import { temporaryFolder } from '#src/testing/temporary-folder'
import { StoredRecord } from './stored-record.ts'
import { repaired } from './machines.ts'
import { failure } from './reasons.ts'
import {
  createRecord,
  newRecord,
  readRecord,
  readSpec,
  recordSlot,
  reporting,
  reportOf,
  specFile,
  writeRecord,
} from './record.ts'

const now = new Date('2026-11-25T12:00:00Z')

test('a state that returns is reported again', () => {
  const report = (state: 'running' | 'rebooting') => ({ state, by_guest: false, reason: null })
  const first = reporting(newRecord(undefined, now), report('running'), now)
  expect(reporting(first, report('running'), now)).toBe(first)
  const again = reporting(reporting(first, report('rebooting'), now), report('running'), now)
  expect([reportOf(first).version, reportOf(again).version]).toEqual(['2', '4'])
})

test('the same state for another reason is reported again', () => {
  const full = { state: 'running' as const, by_guest: false, reason: failure('out_of_space', now) }
  const first = reporting(newRecord(undefined, now), full, now)
  expect(reporting(first, { ...full, reason: failure('out_of_space', new Date()) }, now)).toBe(first)
  expect(reporting(first, { ...full, reason: null }, now).sequence).toBe(first.sequence + 1)
})

test('a written record is read, and anything else is refused', async () => {
  const folder = await temporaryFolder()
  const record = { ...newRecord(7, now), process: { pid: 1, started: '2', boot: 'b' } }
  await createRecord(folder, record)
  expect(await readRecord(folder)).toEqual(record)
  const spec = machineSpec({ ssh_keys: ['a'] })
  await fs.writeFile(specFile(folder), JSON.stringify(spec))
  expect(await readSpec(folder)).toEqual(spec)
  await fs.writeFile(specFile(folder), JSON.stringify({ ...spec, id: '../../etc' }))
  await expect(readSpec(folder)).rejects.toThrow('id')
})

test('a write that a crash cuts short leaves the record before it', async () => {
  const folder = await temporaryFolder()
  const record = newRecord(undefined, now)
  await createRecord(folder, record)
  for (let revision = 1; revision < 6; revision++) {
    await writeRecord(folder, { ...record, revision, reboots: revision })
    expect((await readRecord(folder)).reboots).toBe(revision)
    const slot = recordSlot(folder, revision)
    const whole = await fs.readFile(slot)
    for (const length of [0, 10, 64, 65, 100, 300]) {
      await fs.writeFile(slot, Buffer.concat([whole.subarray(0, length), Buffer.alloc(100, ' ')]))
      expect((await readRecord(folder)).reboots).toBe(revision - 1)
    }
    await fs.writeFile(slot, whole)
  }
  for (const slot of [0, 1]) await fs.writeFile(recordSlot(folder, slot), '')
  await expect(readRecord(folder)).rejects.toThrow('no complete record')
})

test('a record that does not fit is refused, and the one before it stays', async () => {
  const folder = await temporaryFolder()
  const record = newRecord(undefined, now)
  await createRecord(folder, record)
  const reason = failure('start_failed', now, { cause: 'x'.repeat(20_000) })
  await expect(writeRecord(folder, { ...record, revision: 1, reason })).rejects.toThrow('too long')
  expect(await readRecord(folder)).toEqual(record)
})

test('changes are sequential, signal reports, and end with its destruction', async () => {
  const folder = await temporaryFolder()
  let rings = 0
  const record = new StoredRecord(folder, newRecord(undefined, now), () => rings++)
  await createRecord(folder, record.current)
  await Promise.all(
    Array.from({ length: 20 }, () =>
      record.update((was) => ({ ...was, reboots: was.reboots + 1, sequence: was.sequence + 1 })),
    ),
  )
  await record.update((was) => ({ ...was, acknowledged: 3 }))
  expect([record.current.reboots, rings]).toEqual([20, 20])
  expect(await readRecord(folder)).toEqual(record.current)
  await record.update((was) => ({ ...was, destroyed: true }))
  await record.update((was) => ({ ...was, reboots: 0 }))
  expect(record.current.reboots).toBe(20)
})

test('a change that cannot be written has no effect, and the next one may succeed', async () => {
  const folder = await temporaryFolder()
  const record = new StoredRecord(folder, newRecord(undefined, now), () => {})
  await expect(record.update((was) => ({ ...was, reboots: 1 }))).rejects.toThrow(folder)
  expect(record.current.reboots).toBe(0)
  await createRecord(folder, record.current)
  await record.update((was) => ({ ...was, reboots: 2 }))
  expect((await readRecord(folder)).reboots).toBe(2)
})

test('a deadline that was set while the clock was ahead keeps its distance', () => {
  const ahead = new Date(now.getTime() + 86_400_000)
  const was = {
    ...newRecord(undefined, ahead),
    stop: { asked_at: ahead.toISOString(), deadline: new Date(ahead.getTime() + 90_000).toISOString() },
  }
  expect(repaired(was, now)).toMatchObject({
    changed_at: now.toISOString(),
    stop: { asked_at: now.toISOString(), deadline: new Date(now.getTime() + 90_000).toISOString() },
  })
  expect(repaired(was, ahead)).toBe(was)
})

test('a machine from before slots were recorded has its devices in the order of its lists', async () => {
  const folder = await temporaryFolder()
  const { disks: _, interfaces: __, ...rest } = machineSpec()
  const disk = { id: 'd', name: 'd', content_id: 'd', size: 1, block_size: 512, is_boot: false }
  const { slot: ___, ...nic } = machineInterface()
  await fs.writeFile(
    specFile(folder),
    JSON.stringify({ ...rest, disks: [disk, { ...disk, is_boot: true }], interfaces: [nic, nic] }),
  )
  const { disks, interfaces } = await readSpec(folder)
  expect([disks.map(({ slot }) => slot), interfaces.map(({ slot }) => slot)]).toEqual([
    [0, 1],
    [0, 1],
  ])
})
