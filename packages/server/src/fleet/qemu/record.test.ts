import fs from 'node:fs/promises'
import { expect, test } from 'vitest'
import { machineSpec } from '../../testing/qemu.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { KeptRecord } from './kept-record.ts'
import { mended } from './machines.ts'
import { failure } from './reasons.ts'
import {
  newRecord,
  readRecord,
  readSpec,
  recordFile,
  reporting,
  reportOf,
  specFile,
  writeRecord,
} from './record.ts'

const now = new Date('2026-11-25T12:00:00Z')

test('a state that comes back is news', () => {
  const report = (state: 'running' | 'rebooting') => ({ state, by_guest: false, reason: null })
  const first = reporting(newRecord(undefined, now), report('running'), now)
  expect(reporting(first, report('running'), now)).toBe(first)
  const again = reporting(reporting(first, report('rebooting'), now), report('running'), now)
  expect([reportOf(first).version, reportOf(again).version]).toEqual(['2', '4'])
})

test('the same state for another reason is news', () => {
  const full = { state: 'running' as const, by_guest: false, reason: failure('out_of_space', now) }
  const first = reporting(newRecord(undefined, now), full, now)
  expect(reporting(first, { ...full, reason: failure('out_of_space', new Date()) }, now)).toBe(first)
  expect(reporting(first, { ...full, reason: null }, now).sequence).toBe(first.sequence + 1)
})

test('what was written is read, and anything else is refused', async () => {
  const folder = await temporaryFolder()
  const record = { ...newRecord(7, now), process: { pid: 1, started: '2', boot: 'b' } }
  await writeRecord(folder, record)
  expect(await readRecord(folder)).toEqual(record)
  expect(await fs.readdir(folder)).toEqual(['record.json'])
  const spec = machineSpec({ ssh_keys: ['a'] })
  await fs.writeFile(specFile(folder), JSON.stringify(spec))
  expect(await readSpec(folder)).toEqual(spec)
  await fs.writeFile(recordFile(folder), JSON.stringify({ ...record, state: 'flying' }))
  await expect(readRecord(folder)).rejects.toThrow('state')
  await fs.writeFile(specFile(folder), JSON.stringify({ ...spec, id: '../../etc' }))
  await expect(readSpec(folder)).rejects.toThrow('id')
})

test('changes happen one after the other, ring if they are news, and end with its destruction', async () => {
  const folder = await temporaryFolder()
  let rings = 0
  const record = new KeptRecord(folder, newRecord(undefined, now), () => rings++)
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

test('a change that cannot be written did not happen, and the next one may', async () => {
  const folder = await temporaryFolder()
  const record = new KeptRecord(folder, newRecord(undefined, now), () => {})
  await fs.mkdir(`${recordFile(folder)}.new`)
  await expect(record.update((was) => ({ ...was, reboots: 1 }))).rejects.toThrow('EISDIR')
  expect(record.current.reboots).toBe(0)
  await fs.rmdir(`${recordFile(folder)}.new`)
  await record.update((was) => ({ ...was, reboots: 2 }))
  expect((await readRecord(folder)).reboots).toBe(2)
})

test('a deadline that was set while the clock was ahead keeps its distance', () => {
  const ahead = new Date(now.getTime() + 86_400_000)
  const was = {
    ...newRecord(undefined, ahead),
    stop: { asked_at: ahead.toISOString(), deadline: new Date(ahead.getTime() + 90_000).toISOString() },
  }
  expect(mended(was, now)).toMatchObject({
    changed_at: now.toISOString(),
    stop: { asked_at: now.toISOString(), deadline: new Date(now.getTime() + 90_000).toISOString() },
  })
  expect(mended(was, ahead)).toBe(was)
})
