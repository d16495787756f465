import { randomFillSync } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  bombs,
  compressedImages,
  expectCopyable,
  expectEndAtLimit,
  expectSameDisk,
  expectUnpackedDisk,
  fileOf,
  lacks,
  MiB,
  otherWays,
  run,
  sampleDisk,
  sha256,
  store,
  usualWays,
} from '../packages/server/src/testing/image-conversion.ts'
import { temporaryFolder } from '../packages/server/src/testing/temporary-folder.ts'

/** What the unit tests of conversion do for one way to write each format, for all others. */
describe('the same disk comes out of every format, with its holes', () => {
  test.each(otherWays)('%s: %s', (format, _, ...commands) => expectSameDisk(format, commands))

  test.each(usualWays)(
    '%s: it can be copied, and another conversion leaves it unchanged',
    (format, _, ...commands) => expectCopyable(format, commands),
  )

  test.each(compressedImages.filter(([outer, inner]) => !lacks(outer, inner)))(
    '%s of a disk image: %s',
    (outer, inner, ...commands) => expectUnpackedDisk(outer, inner, commands),
  )

  test.skipIf(lacks('qcow2'))('the current state of a qcow2 image with snapshots and bitmaps', async () => {
    const [before, disk] = [sampleDisk(), sampleDisk()]
    const folder = await temporaryFolder()
    const [raw, image] = [path.join(folder, 'raw'), path.join(folder, 'qcow2')]
    await fs.writeFile(raw, before)
    await run('qemu-img', ['convert', '-O', 'qcow2', raw, image])
    await run('qemu-img', ['snapshot', '-c', 'before', image])
    await run('qemu-img', ['bitmap', '--add', image, 'changes'])
    await fs.writeFile(raw, disk)
    // Into the image that exists, which records what changes.
    await run('qemu-img', ['convert', '-n', '-O', 'qcow2', raw, image])
    await run('qemu-img', ['snapshot', '-c', 'after', image])
    const { stdout } = await run('qemu-img', ['info', '--output=json', image])
    expect(JSON.parse(stdout)).toMatchObject({
      snapshots: [{ name: 'before' }, { name: 'after' }],
      'format-specific': { data: { bitmaps: [{ name: 'changes' }] } },
    })
    const { blocks, put, convert } = await store()
    await put(await fs.readFile(image))
    await convert('qcow2')
    expect([await blocks.size('to'), await blocks.digest('to')]).toEqual([disk.length, sha256(disk)])
  })

  test.skipIf(lacks('xz'))('xz in two streams', async () => {
    const disk = sampleDisk()
    const halves = [disk.subarray(0, 10 * MiB), disk.subarray(10 * MiB)]
    const { blocks, put, convert } = await store()
    await put(Buffer.concat(await Promise.all(halves.map((half) => fileOf(half, ['xz', '-0'])))))
    await convert('xz')
    expect(await blocks.digest('to')).toBe(sha256(disk))
  })

  test.skipIf(lacks('zstd'))('zstd of a file with the largest window', async () => {
    const disk = sampleDisk()
    const folder = await temporaryFolder()
    const file = path.join(folder, 'disk')
    await fs.writeFile(file, disk)
    // The file's size, which only a name tells, bounds the window.
    await run('zstd', ['-q', '--long=31', file])
    const { blocks, put, convert } = await store()
    await put(await fs.readFile(`${file}.zst`))
    await convert('zstd')
    expect(await blocks.digest('to')).toBe(sha256(disk))
  })

  test.skipIf(lacks('zstd'))('zstd after a frame that decompressors skip, as pzstd writes', async () => {
    const disk = sampleDisk()
    const { blocks, put, convert } = await store()
    const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4])
    await put(Buffer.concat([skipped, await fileOf(disk, ['zstd', '-q'])]))
    await convert('zstd')
    expect(await blocks.digest('to')).toBe(sha256(disk))
  })

  test.skipIf(lacks('vhd'))('a VHD has the size in its footer, not that of its geometry', async () => {
    const disk = randomFillSync(Buffer.alloc(3 * MiB + 512))
    const { blocks, put, convert } = await store()
    const file = await fileOf(disk, ['qemu-img', '-O', 'vpc', '-o', 'subformat=fixed,force_size=on'])
    // As VirtualBox names itself, whose geometry QEMU would take.
    const footer = file.subarray(-512)
    footer.write('vbox', 28)
    // The complement of the sum of all other bytes.
    footer.writeUInt32BE(0, 64)
    footer.writeUInt32BE(~footer.reduce((sum, byte) => sum + byte, 0) >>> 0, 64)
    await put(file)
    await convert('vhd')
    expect([await blocks.size('to'), await blocks.digest('to')]).toEqual([disk.length, sha256(disk)])
  })
})

test.each(bombs.filter(([format]) => !lacks(format)))('a bomb ends at the limit: %s', (format, make) =>
  expectEndAtLimit(format, make),
)
