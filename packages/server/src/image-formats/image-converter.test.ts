import { execFile } from 'node:child_process'
import { createHash, randomFillSync } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { qcow2File, vhdxFile, vmdkFile } from '@gantry/api/storage/image-file.fixtures'
import type { PackedFormat } from '@gantry/api/storage/image-format.rules'
import { OutOfSpace } from '@gantry/control-plane/blocks/block-store'
import {
  ConversionDiscarded,
  type ImageConversion,
  UnusableImageFile,
} from '@gantry/control-plane/blocks/image-converter'
import { defaultSettings } from '@gantry/control-plane/settings'
import { describe, expect, test } from 'vitest'
import { fileBlocks } from '../blocks/blocks-files.ts'
import { UNFINISHED } from '../blocks/block-paths.ts'
import { boundless, type FreeSpace } from '../space/free-space.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { hostTools } from './host-tools.ts'
import { hostImageConverter } from './image-converter.ts'

const run = promisify(execFile)
const MiB = 1024 ** 2
const GiB = 1024 ** 3

const tools = await hostTools(AbortSignal.timeout(60_000))
/** Whether tests of these formats are skipped here. */
const lacks = (...formats: PackedFormat[]) => {
  const [why] = formats.flatMap((format) => tools.whyNot.get(format) ?? [])
  if (why !== undefined) console.warn(`skipped: converting ${formats.join(', ')}. ${why}`)
  return why !== undefined
}

/** A block store with a converter. */
async function store({
  space = boundless,
  settings = {},
}: { space?: FreeSpace; settings?: Partial<typeof defaultSettings.image_conversion> } = {}) {
  const directory = await temporaryFolder()
  const blocks = await fileBlocks(directory)
  const warned: string[] = []
  const converter = hostImageConverter({
    blocks,
    space,
    settings: { ...defaultSettings.image_conversion, ...settings },
    log: { info() {}, warn: (_, message) => void warned.push(message), error() {} },
  })
  const put = async (bytes: Uint8Array<ArrayBuffer>): Promise<void> => {
    await blocks.create('from', bytes.length)
    for (let at = 0; at < bytes.length; at += 8 * MiB)
      await blocks.write('from', at, bytes.subarray(at, at + 8 * MiB))
  }
  const reserved: number[] = []
  const percents: number[] = []
  const conversion = (format: PackedFormat, more: Partial<ImageConversion> = {}): ImageConversion => ({
    from: 'from',
    to: 'to',
    format,
    blockSize: 512,
    maxBytes: 10 * GiB,
    reserve: async (bytes) => void reserved.push(bytes),
    progress: (percent) => void percents.push(percent),
    signal: new AbortController().signal,
    ...more,
  })
  return {
    directory,
    blocks,
    converter,
    warned,
    put,
    reserved,
    percents,
    conversion,
    convert: (format: PackedFormat, more?: Partial<ImageConversion>) =>
      converter.convert(conversion(format, more)),
    /** Names of unfinished work. */
    unfinished: () => fs.readdir(path.join(directory, UNFINISHED)),
  }
}

/** A disk of 20 MiB: noise at its start and in its middle, a few bytes at its end, and holes. */
function sampleDisk(): Buffer<ArrayBuffer> {
  const disk = Buffer.alloc(20 * MiB)
  randomFillSync(disk, 0, 3 * MiB)
  randomFillSync(disk, 10 * MiB + 512, MiB)
  disk.write('end', disk.length - 3)
  return disk
}

/** The same disk as a file of another format, made by the programs of the host. */
async function fileOf(
  disk: Uint8Array,
  ...commands: [program: string, ...args: string[]][]
): Promise<Buffer<ArrayBuffer>> {
  const folder = await temporaryFolder()
  const file = (step: number): string => path.join(folder, String(step))
  await fs.writeFile(file(0), disk)
  for (const [step, [program, ...args]] of commands.entries()) {
    if (program === 'qemu-img') await run(program, ['convert', ...args, file(step), file(step + 1)])
    else await run('sh', ['-c', `${[program, ...args].join(' ')} -c <${file(step)} >${file(step + 1)}`])
  }
  return fs.readFile(file(commands.length))
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const said = (error: unknown): string => (error instanceof UnusableImageFile ? error.message : String(error))

describe('the same disk comes out of every format, with its holes', () => {
  const disks: [PackedFormat, name: string, ...commands: [string, ...string[]][]][] = [
    ['qcow2', 'qcow2', ['qemu-img', '-O', 'qcow2']],
    ['qcow2', 'qcow2 of version 2', ['qemu-img', '-O', 'qcow2', '-o', 'compat=0.10']],
    ['qcow2', 'compressed qcow2', ['qemu-img', '-O', 'qcow2', '-c']],
    [
      'qcow2',
      'qcow2 with zstd',
      ['qemu-img', '-O', 'qcow2', '-c', '-o', 'compression_type=zstd,extended_l2=on'],
    ],
    ...[
      'cluster_size=512',
      'cluster_size=2M',
      'lazy_refcounts=on',
      'refcount_bits=1',
      'preallocation=metadata',
      'extended_l2=on,cluster_size=128k',
    ].map((option): (typeof disks)[number] => [
      'qcow2',
      `qcow2 with ${option}`,
      ['qemu-img', '-O', 'qcow2', '-o', option],
    ]),
    ['vmdk', 'sparse VMDK', ['qemu-img', '-O', 'vmdk']],
    ['vmdk', 'VMDK stream', ['qemu-img', '-O', 'vmdk', '-o', 'subformat=streamOptimized']],
    ['vhdx', 'dynamic VHDX', ['qemu-img', '-O', 'vhdx', '-o', 'block_size=1M']],
    ['vhdx', 'fixed VHDX', ['qemu-img', '-O', 'vhdx', '-o', 'subformat=fixed,block_size=1M']],
    ['vhd', 'dynamic VHD', ['qemu-img', '-O', 'vpc', '-o', 'force_size=on']],
    ['vhd', 'fixed VHD', ['qemu-img', '-O', 'vpc', '-o', 'subformat=fixed,force_size=on']],
    ['vdi', 'dynamic VDI', ['qemu-img', '-O', 'vdi']],
    ['vdi', 'static VDI', ['qemu-img', '-O', 'vdi', '-o', 'static=on']],
    ['gzip', 'gzip', ['gzip']],
    ['xz', 'xz', ['xz', '-0']],
    ...['none', 'crc32', 'sha256'].map((check): (typeof disks)[number] => [
      'xz',
      `xz with the check ${check}`,
      ['xz', '-0', `--check=${check}`],
    ]),
    ['xz', 'xz in blocks', ['xz', '-0', '--block-size=1MiB']],
    ['lzma', 'lzma', ['xz', '-0', '--format=lzma']],
    ['zstd', 'zstd', ['zstd', '-q']],
    ['zstd', 'zstd with a large window', ['zstd', '-q', '--long=27']],
    ['lz4', 'lz4', ['lz4', '-q']],
    ['bzip2', 'bzip2', ['bzip2', '-1']],
  ]
  test.each(disks.filter(([format]) => !lacks(format)))('%s: %s', async (format, _, ...commands) => {
    const disk = sampleDisk()
    const { blocks, put, convert, unfinished, directory, percents, reserved } = await store()
    await put(await fileOf(disk, ...commands))
    const before = await spaceUsed(directory)
    await convert(format)
    expect(await blocks.size('to')).toBe(disk.length)
    expect(sha256(await blocks.read('to', 0, disk.length))).toBe(sha256(disk))
    // By its map of written chunks, as copies and digests read it.
    expect(await blocks.digest('to')).toBe(sha256(disk))
    expect((await spaceUsed(directory)) - before).toBeLessThan(6 * MiB)
    expect(await unfinished()).toEqual([])
    expect(percents.every((percent, at) => percent >= (percents[at - 1] ?? 0) && percent <= 100)).toBe(true)
    expect(reserved.at(-1)).toBeGreaterThanOrEqual(disk.length)
  })

  const firstOfEach = disks.filter(([format], at) => disks.findIndex(([other]) => other === format) === at)
  test.each(firstOfEach.filter(([format]) => !lacks(format)))(
    '%s: it can be copied, and another conversion leaves it unchanged',
    async (format, _, ...commands) => {
      const disk = sampleDisk()
      const { blocks, put, convert } = await store()
      await put(await fileOf(disk, ...commands))
      await convert(format)
      await blocks.create('copy', disk.length, 'to')
      expect(sha256(await blocks.read('copy', 0, disk.length))).toBe(sha256(disk))
      await convert(format)
      expect(await blocks.digest('to')).toBe(sha256(disk))
    },
  )

  const packed: [PackedFormat, inner: PackedFormat, ...commands: [string, ...string[]][]][] = [
    ['gzip', 'qcow2', ['qemu-img', '-O', 'qcow2'], ['gzip', '-1']],
    ['xz', 'qcow2', ['qemu-img', '-O', 'qcow2'], ['xz', '-0']],
    ['zstd', 'vmdk', ['qemu-img', '-O', 'vmdk'], ['zstd', '-q']],
    ['lzma', 'qcow2', ['qemu-img', '-O', 'qcow2'], ['xz', '-0', '--format=lzma']],
    ['gzip', 'vhdx', ['qemu-img', '-O', 'vhdx'], ['gzip', '-1']],
    ['lz4', 'vhd', ['qemu-img', '-O', 'vpc', '-o', 'subformat=fixed,force_size=on'], ['lz4', '-q']],
    ['bzip2', 'vdi', ['qemu-img', '-O', 'vdi'], ['bzip2', '-1']],
  ]
  test.each(packed.filter(([outer, inner]) => !lacks(outer, inner)))(
    '%s of a disk image: %s',
    async (outer, inner, ...commands) => {
      const disk = sampleDisk()
      const { blocks, put, convert, unfinished, percents, reserved } = await store()
      await put(await fileOf(disk, ...commands))
      await convert(outer)
      expect([await blocks.size('to'), await blocks.digest('to')]).toEqual([disk.length, sha256(disk)])
      expect([await unfinished(), inner]).toEqual([[], inner])
      expect(percents.every((percent, at) => percent >= (percents[at - 1] ?? 0) && percent <= 100)).toBe(true)
      // The unpacked image exists beside the raw one.
      expect(reserved.at(-1)).toBeGreaterThan(disk.length)
    },
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

  const bombs: [PackedFormat, () => Promise<Buffer<ArrayBuffer>> | Buffer<ArrayBuffer>][] = [
    ['gzip', () => gzipSync(Buffer.alloc(256 * MiB))],
    ['xz', () => fileOf(Buffer.alloc(256 * MiB), ['xz', '-0'])],
    ['lzma', () => fileOf(Buffer.alloc(256 * MiB), ['xz', '-0', '--format=lzma'])],
    ['zstd', () => fileOf(Buffer.alloc(256 * MiB), ['zstd', '-q'])],
    ['bzip2', () => fileOf(Buffer.alloc(256 * MiB), ['bzip2', '-1'])],
  ]
  test.each(bombs.filter(([format]) => !lacks(format)))(
    'a bomb ends at the limit: %s',
    async (format, make) => {
      const { put, convert, unfinished, reserved } = await store()
      const bomb = await make()
      expect(bomb.length).toBeLessThan(MiB)
      await put(bomb)
      const error = await convert(format, { maxBytes: 64 * MiB }).catch((error: unknown) => error)
      expect(said(error)).toMatch(/that unpacks to more than 64 MiB\.$/)
      expect([await unfinished(), Math.max(...reserved)]).toEqual([[], 64 * MiB])
    },
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

async function spaceUsed(folder: string): Promise<number> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const stats = await Promise.all(files.map((entry) => fs.stat(path.join(entry.parentPath, entry.name))))
  return stats.reduce((sum, { blocks }) => sum + blocks * 512, 0)
}
