import fs from 'node:fs/promises'
import path from 'node:path'
import { OutOfSpace } from '@gantry/control-plane/blocks/block-store'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { fileBlocks } from '../blocks/blocks-files.ts'
import { smallVolume } from '../testing/small-volume.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { hasBallast, keepBallast, makeBallast, releaseBallast } from './ballast.ts'
import { freeSpace, volumeOf } from './free-space.ts'
import { ballastOf, reserveOf } from './reserve.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3

test.each([
  ['auto', 128 * MiB, 32 * MiB],
  ['auto', 10 * GiB, GiB],
  ['auto', 100 * GiB, 5 * GiB],
  ['auto', 10_000 * GiB, 16 * GiB],
  [7, 10 * GiB, 7],
  [0, 10 * GiB, 0],
] as const)('a reserve of %s on a volume of %d bytes is %d bytes', (wanted, total, reserve) => {
  expect(reserveOf(wanted, total)).toBe(reserve)
})

test.each([
  [128 * MiB, 16 * MiB],
  [10 * GiB, 64 * MiB],
])('the ballast on a volume of %d bytes is %d bytes', (total, size) => {
  expect(ballastOf(total)).toBe(size)
})

test('writes into the reserve are refused, however many are concurrent', async () => {
  const folder = await temporaryFolder()
  const { free } = await volumeOf(folder)
  // Other activity on this disk stays below half of what is requested.
  const space = freeSpace(folder, Math.max(0, free - 8 * GiB))
  let running = 0
  let peak = 0
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () =>
      space.taking(3 * GiB, async () => {
        peak = Math.max(peak, (running += 1))
        await new Promise((resolve) => setTimeout(resolve, 50))
        running -= 1
      }),
    ),
  )
  expect(peak).toBe(2)
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(reasons).toHaveLength(8)
  expect(reasons[0]).toMatchObject({ constructor: OutOfSpace, space: { reserve: expect.any(Number) } })
  // Nothing was really written, so there is space again.
  await expect(space.taking(3 * GiB, async () => 'done')).resolves.toBe('done')
})

test('what current work has claimed and not written is still free', async () => {
  const folder = await temporaryFolder()
  const { free } = await volumeOf(folder)
  const space = freeSpace(folder, Math.max(0, free - 8 * GiB))
  await space.taking(5 * GiB, async () => {
    expect([await space.hasFree(5 * GiB), await space.hasFree(2 ** 50)]).toEqual([true, false])
    await expect(space.taking(5 * GiB, async () => {})).rejects.toThrow(OutOfSpace)
  })
})

test('work that writes nothing succeeds on any volume', async () => {
  const space = freeSpace(await temporaryFolder(), 2 ** 50)
  await expect(space.taking(0, async () => 'done')).resolves.toBe('done')
  await expect(space.taking(1, async () => 'done')).rejects.toThrow(OutOfSpace)
})

const volume = await smallVolume(64)
if ('missing' in volume) console.warn(`skipped: a small volume, ${volume.missing}`)
afterAll(() => ('missing' in volume ? undefined : volume.remove()))

describe.skipIf('missing' in volume)('on a volume of 64 MiB', () => {
  const { folder, fill, clear } = volume as Exclude<typeof volume, { missing: string }>

  test('writers leave the reserve free, and copies that do not fit leave nothing behind', async () => {
    const blocks = await fileBlocks(path.join(folder, 'blocks'), freeSpace(folder, 'auto'))
    await blocks.create('a', 100 * MiB)
    const piece = new Uint8Array(MiB).fill(1)
    const writes = Array.from({ length: 80 }, (_, at) => blocks.write('a', at * MiB, piece))
    const refused = (await Promise.allSettled(writes)).filter(({ status }) => status === 'rejected')
    expect(refused.length).toBeGreaterThan(20)
    // Folders and chunk maps are small, and not counted.
    expect((await volumeOf(folder)).free).toBeGreaterThan(15 * MiB)
    await expect(blocks.needRoomFor('a')).rejects.toThrow(OutOfSpace)
    await expect(blocks.create('copy', 100 * MiB, 'a')).rejects.toThrow(OutOfSpace)
    expect(await fs.readdir(path.join(folder, 'blocks', 'unfinished'))).toEqual([])
    await expect(blocks.size('copy')).resolves.toBeUndefined()
    // Holes take no space.
    await blocks.create('empty', 100 * MiB)
    await blocks.zero('empty', 0, 100 * MiB)
    await fill()
    const unbounded = await fileBlocks(path.join(folder, 'blocks'))
    await expect(unbounded.write('empty', 0, piece)).rejects.toThrow(OutOfSpace)
    await blocks.remove('a')
    // A file system may free what a removed file took a moment later.
    await vi.waitFor(() => blocks.write('empty', 0, piece), 20_000)
    await clear()
    await fs.rm(path.join(folder, 'blocks'), { recursive: true })
  })

  test('a ballast is created if there is space for two, reported when it is removed, and created again', async () => {
    await fill()
    await expect(makeBallast(folder)).resolves.toBe(false)
    await clear()
    const news: string[] = []
    const listeners = { onReleased: () => void news.push('released'), onMade: () => void news.push('made') }
    const ballast = keepBallast(folder, listeners, 20)
    const toldOf = (count: number) => expect.poll(() => news, { timeout: 10_000 }).toHaveLength(count)
    await toldOf(1)
    expect((await fs.stat(path.join(folder, 'ballast'))).size).toBe(8 * MiB)
    await fill()
    await releaseBallast(folder)
    await fill()
    await toldOf(2)
    await expect(hasBallast(folder)).resolves.toBe(false)
    await clear()
    await toldOf(3)
    await ballast.stop()
    expect(news).toEqual(['made', 'released', 'made'])
  })
})
