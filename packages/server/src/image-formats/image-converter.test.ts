import { randomFillSync } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { qcow2File, vhdxFile, vmdkFile } from '@gantry/api/storage/image-file.fixtures'
import type { PackedFormat } from '@gantry/api/storage/image-format.rules'
import { OutOfSpace } from '@gantry/control-plane/blocks/block-store'
import { ConversionDiscarded, UnusableImageFile } from '@gantry/control-plane/blocks/image-converter'
import { describe, expect, test } from 'vitest'
import { UNFINISHED } from '../blocks/block-paths.ts'
import type { FreeSpace } from '../space/free-space.ts'
import {
  bombs,
  compressedImages,
  expectCopyable,
  expectEndAtLimit,
  expectSameDisk,
  expectUnpackedDisk,
  fileOf,
  GiB,
  lacks,
  MiB,
  said,
  sampleDisk,
  sha256,
  spaceUsed,
  store,
  usualWays,
} from '../testing/image-conversion.ts'

describe('the same disk comes out of every format, with its holes', () => {
  test.each(usualWays)('%s: %s', (format, _, ...commands) => expectSameDisk(format, commands))

  // The other formats, options and programs: `npm run gates -- image-formats`.
  const [read, piped] = [
    usualWays.find(([format]) => format === 'qcow2'),
    usualWays.find(([format]) => format === 'xz'),
  ]
  test.each([read, piped].filter((way) => way !== undefined))(
    '%s: it can be copied, and another conversion leaves it unchanged',
    (format, _, ...commands) => expectCopyable(format, commands),
  )

  test.each(compressedImages.slice(0, 1).filter(([outer, inner]) => !lacks(outer, inner)))(
    '%s of a disk image: %s',
    (outer, inner, ...commands) => expectUnpackedDisk(outer, inner, commands),
  )

  test.skipIf(lacks('qcow2'))('a disk that ends within a block is padded with zeros', async () => {
    const disk = randomFillSync(Buffer.alloc(MiB + 512))
    const { blocks, put, convert } = await store()
    await put(await fileOf(disk, ['qemu-img', '-O', 'qcow2']))
    await convert('qcow2', { blockSize: 4096 })
    expect(await blocks.size('to')).toBe(MiB + 4096)
    expect(await blocks.digest('to')).toBe(sha256(Buffer.concat([disk, Buffer.alloc(4096 - 512)])))
  })

  test('a compressed disk of several members is padded as well', async () => {
    const { blocks, put, convert } = await store()
    await put(Buffer.concat([gzipSync('first '), gzipSync('second')]))
    await convert('gzip', { blockSize: 2048 })
    expect(Buffer.from(await blocks.read('to', 0, 4096)).toString()).toBe(`first second${'\0'.repeat(2036)}`)
  })

  test.skipIf(lacks('qcow2'))('a terabyte of holes takes no time and no space', async () => {
    const { blocks, put, convert, directory } = await store()
    await put(qcow2File({ size: 1023 * GiB }))
    await convert('qcow2', { maxBytes: 1023 * GiB })
    expect(await blocks.size('to')).toBe(1023 * GiB)
    expect(await spaceUsed(directory)).toBeLessThan(6 * MiB)
  })
})

describe('a file that cannot be converted is refused with a message and leaves nothing', () => {
  const noise = randomFillSync(Buffer.alloc(4 * MiB))
  /** The first entry of its first table refers to this offset. */
  const referring = (offset: bigint): Uint8Array<ArrayBuffer> => {
    const file = qcow2File({ size: GiB })
    new DataView(file.buffer).setBigUint64(3 * 65_536, (2n ** 63n) | offset)
    return file
  }
  const cutOff = async (format: string, ...options: string[]) => {
    const file = await fileOf(sampleDisk(), ['qemu-img', '-O', format, ...options])
    return file.subarray(0, file.length - MiB)
  }
  const rows: [
    string,
    PackedFormat,
    () => Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>,
    RegExp,
  ][] = [
    [
      'a backing file',
      'qcow2',
      () => qcow2File({ size: GiB, backingFile: '/etc/hostname' }),
      /^The file is a qcow2 image that needs another file: it has a backing file\.$/,
    ],
    [
      'a data file',
      'qcow2',
      () => qcow2File({ size: GiB, features: [2] }),
      /keeps its data in another file\.$/,
    ],
    ['encryption', 'qcow2', () => qcow2File({ size: GiB, encryption: 2 }), /is encrypted\.$/],
    [
      'a table behind the end',
      'qcow2',
      () => referring(2n ** 45n),
      /^The file is a qcow2 image that is damaged or incomplete\.$/,
    ],
    [
      'a table at an odd place',
      'qcow2',
      () => referring(512n),
      /^The file is a qcow2 image that is damaged or incomplete\.$/,
    ],
    ['no end', 'qcow2', () => cutOff('qcow2'), /^The file is a qcow2 image that is damaged or incomplete\.$/],
    ['no end', 'vmdk', () => cutOff('vmdk'), /^The file is a VMDK image that is damaged or incomplete\.$/],
    [
      'no end',
      'vhd',
      () => cutOff('vpc'),
      /^The file is a VHD image that is damaged: it has no footer at its end\.$/,
    ],
    ['no end', 'vdi', () => cutOff('vdi'), /^The file is a VDI image that is damaged: it ends before .+\.$/],
    ['no end', 'vhdx', () => cutOff('vhdx', '-o', 'block_size=1M'), /^The file is a VHDX image that .+\.$/],
    [
      'a header without an image',
      'vhdx',
      () => vhdxFile({ size: GiB }),
      /^The file is a VHDX image that cannot be read: .+\.$/,
    ],
    [
      'an extent elsewhere',
      'vmdk',
      () =>
        vmdkFile({ size: GiB, descriptor: ['createType="monolithicSparse"', 'RW 1 FLAT "/etc/hostname" 0'] }),
      /is one of several files of an image\.$/,
    ],
    [
      'a large disk',
      'qcow2',
      () => qcow2File({ size: 11 * GiB }),
      /of a disk of 11 GiB, and this server converts images of at most 10 GiB\.$/,
    ],
    ['noise', 'qcow2', () => Buffer.from(noise), /^The file is a qcow2 image that .+\.$/],
    ['noise', 'gzip', () => Buffer.from(noise), /^The file is a gzip file that cannot be unpacked: .+\.$/],
    ['noise', 'xz', () => Buffer.from(noise), /^The file is an xz file that cannot be read: .+\.$/],
    ['noise', 'zstd', () => Buffer.from(noise), /^The file is a zstd file that cannot be read: .+\.$/],
    ['nothing in it', 'gzip', () => gzipSync(''), /cannot be unpacked: it holds no bytes\.$/],
    [
      'no end',
      'gzip',
      () => gzipSync(noise).subarray(0, MiB),
      /cannot be unpacked: unexpected end of file\.$/,
    ],
    [
      'no end',
      'xz',
      async () => (await fileOf(noise, ['xz', '-0'])).subarray(0, MiB),
      /cannot be read: .+\.$/,
    ],
    [
      'no end',
      'zstd',
      async () => (await fileOf(noise, ['zstd', '-q'])).subarray(0, MiB),
      /cannot be read: .+\.$/,
    ],
    [
      'another compressed file in it',
      'gzip',
      () => gzipSync(gzipSync(noise)),
      /^The file is a gzip file that contains a gzip file, which is not converted\.$/,
    ],
    [
      'an archive in it',
      'gzip',
      () => gzipSync(Buffer.concat([Buffer.alloc(257), Buffer.from('ustar'), noise])),
      /that contains a tar archive, such as an OVA, which is not converted\.$/,
    ],
  ]
  // The server unpacks it itself, and reads the header once it can convert the contents.
  if (!lacks('qcow2'))
    rows.push([
      'a hostile image in it',
      'gzip',
      () => gzipSync(qcow2File({ size: GiB, backingFile: '/etc/hostname' })),
      /^The file is a qcow2 image that needs another file/,
    ])
  test.each(rows.filter(([, format]) => !lacks(format)))('%s: %s', async (_, format, file, expected) => {
    const { put, convert, unfinished, blocks } = await store()
    await put(await file())
    const error = await convert(format).catch((error: unknown) => error)
    expect(said(error)).toMatch(expected)
    expect((error as UnusableImageFile).help).toMatch(/^[A-Z]/)
    expect([await unfinished(), await blocks.size('to')]).toEqual([[], undefined])
  })

  // One that the server unpacks itself, and one that a program unpacks.
  test.each(bombs.slice(0, 2).filter(([format]) => !lacks(format)))(
    'a bomb ends at the limit: %s',
    (format, make) => expectEndAtLimit(format, make),
  )

  test.skipIf(lacks('qcow2'))('too little memory and too little time', async () => {
    const disk = await fileOf(sampleDisk(), ['qemu-img', '-O', 'qcow2'])
    // Too little for qemu-img to start.
    const little = await store({ settings: { memory_mebibytes: 32 } })
    await little.put(disk)
    await expect(little.convert('qcow2')).rejects.toThrow('needs more memory than the server allows')
    expect(little.warned).toEqual(['a tool could not convert an image'])
    const short = await store({ settings: { minutes: 0.0001 } })
    await short.put(disk)
    await expect(short.convert('qcow2')).rejects.toThrow('whose conversion took longer than 0.0001 minutes')
    expect([await little.unfinished(), await short.unfinished()]).toEqual([[], []])
  })
})

describe('an interrupted conversion leaves nothing', () => {
  const rows: [PackedFormat, () => Promise<Buffer<ArrayBuffer>>][] = [
    ['qcow2', () => fileOf(sampleDisk(), ['qemu-img', '-O', 'qcow2'])],
    ['gzip', async () => gzipSync(sampleDisk())],
    ['xz', () => fileOf(sampleDisk(), ['xz', '-0'])],
  ]
  const here = rows.filter(([format]) => !lacks(format))

  test.each(here)('because it is cancelled: %s', async (format, make) => {
    const { put, convert, unfinished, blocks } = await store()
    await put(await make())
    const cancelled = new AbortController()
    const reserve = async () => cancelled.abort(new Error('cancelled'))
    await expect(convert(format, { reserve, signal: cancelled.signal })).rejects.toThrow('cancelled')
    expect([await unfinished(), await blocks.size('to')]).toEqual([[], undefined])
  })

  test.each(here)('because its charge is refused: %s', async (format, make) => {
    const { put, convert, unfinished, blocks } = await store()
    await put(await make())
    const reserve = () => Promise.reject(new Error('over the quota'))
    await expect(convert(format, { reserve })).rejects.toThrow('over the quota')
    expect([await unfinished(), await blocks.size('to')]).toEqual([[], undefined])
  })

  test.each(here)('because another process took over: %s', async (format, make) => {
    const { put, convert, converter, unfinished, blocks } = await store()
    await put(await make())
    const reserve = () => converter.discard('to')
    await expect(convert(format, { reserve })).rejects.toThrow(ConversionDiscarded)
    expect([await unfinished(), await blocks.size('to')]).toEqual([[], undefined])
    await convert(format)
    expect(await blocks.size('to')).toBe(20 * MiB)
  })

  test.each(here)('because the volume is full: %s', async (format, make) => {
    const full: FreeSpace = {
      taking: () => Promise.reject(new OutOfSpace('the volume is full')),
      hasFree: async () => false,
    }
    const { put, convert, unfinished, blocks } = await store({ space: full })
    await put(await make())
    await expect(convert(format)).rejects.toThrow(OutOfSpace)
    expect([await unfinished(), await blocks.size('to')]).toEqual([[], undefined])
  })

  test('the next conversion or the end of the upload removes the folder of a killed process', async () => {
    const { put, convert, converter, unfinished, directory } = await store()
    await put(gzipSync('disk'))
    const leave = async (name: string) => {
      const folder = path.join(directory, UNFINISHED, name)
      await fs.mkdir(folder)
      await fs.writeFile(path.join(folder, 'data'), 'half')
    }
    await leave('image-to-left')
    await leave('image-other-left')
    await convert('gzip')
    expect(await unfinished()).toEqual(['image-other-left'])
    await converter.discard('other')
    expect(await unfinished()).toEqual([])
  })
})
