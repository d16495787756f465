import { execFile } from 'node:child_process'
import { createHash, randomFillSync } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { PackedFormat } from '@gantry/api/storage/image-format.rules'
import { type ImageConversion, UnusableImageFile } from '@gantry/control-plane/blocks/image-converter'
import { defaultSettings } from '@gantry/control-plane/settings'
import { expect } from 'vitest'
import { UNFINISHED } from '../blocks/block-paths.ts'
import { fileBlocks } from '../blocks/blocks-files.ts'
import { hostTools } from '../image-formats/host-tools.ts'
import { hostImageConverter } from '../image-formats/image-converter.ts'
import { boundless, type FreeSpace } from '../space/free-space.ts'
import { temporaryFolder } from './temporary-folder.ts'

export const run = promisify(execFile)
export const MiB = 1024 ** 2
export const GiB = 1024 ** 3

const tools = await hostTools(AbortSignal.timeout(60_000))
/** Whether tests of these formats are skipped here. */
export const lacks = (...formats: PackedFormat[]) => {
  const [why] = formats.flatMap((format) => tools.whyNot.get(format) ?? [])
  if (why !== undefined) console.warn(`skipped: converting ${formats.join(', ')}. ${why}`)
  return why !== undefined
}

/** A block store with a converter. */
export async function store({
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
export function sampleDisk(): Buffer<ArrayBuffer> {
  const disk = Buffer.alloc(20 * MiB)
  randomFillSync(disk, 0, 3 * MiB)
  randomFillSync(disk, 10 * MiB + 512, MiB)
  disk.write('end', disk.length - 3)
  return disk
}

/** The same disk as a file of another format, made by the programs of the host. */
export async function fileOf(
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

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The message of a refused file. */
export const said = (error: unknown): string =>
  error instanceof UnusableImageFile ? error.message : String(error)

type Command = [program: string, ...args: string[]]
type Way = [PackedFormat, name: string, ...commands: Command[]]

/** Every way to write a disk as a file; the first of each format is its usual one. */
const ways: Way[] = [
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
  ].map((option): Way => ['qcow2', `qcow2 with ${option}`, ['qemu-img', '-O', 'qcow2', '-o', option]]),
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
  ...['none', 'crc32', 'sha256'].map((check): Way => [
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

const isUsual = ([format]: Way, at: number): boolean => ways.findIndex(([other]) => other === format) === at
const isHere = ([format]: Way): boolean => !lacks(format)
/** One way for each format. */
export const usualWays = ways.filter(isUsual).filter(isHere)
/** What programs write with other options. */
export const otherWays = ways.filter((way, at) => !isUsual(way, at)).filter(isHere)

/** Disk images in a compressed file. */
export const compressedImages: [PackedFormat, inner: PackedFormat, ...commands: Command[]][] = [
  ['gzip', 'qcow2', ['qemu-img', '-O', 'qcow2'], ['gzip', '-1']],
  ['xz', 'qcow2', ['qemu-img', '-O', 'qcow2'], ['xz', '-0']],
  ['zstd', 'vmdk', ['qemu-img', '-O', 'vmdk'], ['zstd', '-q']],
  ['lzma', 'qcow2', ['qemu-img', '-O', 'qcow2'], ['xz', '-0', '--format=lzma']],
  ['gzip', 'vhdx', ['qemu-img', '-O', 'vhdx'], ['gzip', '-1']],
  ['lz4', 'vhd', ['qemu-img', '-O', 'vpc', '-o', 'subformat=fixed,force_size=on'], ['lz4', '-q']],
  ['bzip2', 'vdi', ['qemu-img', '-O', 'vdi'], ['bzip2', '-1']],
]

/** Small files that unpack to 256 MiB. */
export const bombs: [PackedFormat, () => Promise<Buffer<ArrayBuffer>> | Buffer<ArrayBuffer>][] = [
  ['gzip', () => gzipSync(Buffer.alloc(256 * MiB))],
  ['xz', () => fileOf(Buffer.alloc(256 * MiB), ['xz', '-0'])],
  ['lzma', () => fileOf(Buffer.alloc(256 * MiB), ['xz', '-0', '--format=lzma'])],
  ['zstd', () => fileOf(Buffer.alloc(256 * MiB), ['zstd', '-q'])],
  ['bzip2', () => fileOf(Buffer.alloc(256 * MiB), ['bzip2', '-1'])],
]

export async function expectSameDisk(format: PackedFormat, commands: readonly Command[]): Promise<void> {
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
}

export async function expectCopyable(format: PackedFormat, commands: readonly Command[]): Promise<void> {
  const disk = sampleDisk()
  const { blocks, put, convert } = await store()
  await put(await fileOf(disk, ...commands))
  await convert(format)
  await blocks.create('copy', disk.length, 'to')
  expect(sha256(await blocks.read('copy', 0, disk.length))).toBe(sha256(disk))
  await convert(format)
  expect(await blocks.digest('to')).toBe(sha256(disk))
}

export async function expectUnpackedDisk(
  outer: PackedFormat,
  inner: PackedFormat,
  commands: readonly Command[],
): Promise<void> {
  const disk = sampleDisk()
  const { blocks, put, convert, unfinished, percents, reserved } = await store()
  await put(await fileOf(disk, ...commands))
  await convert(outer)
  expect([await blocks.size('to'), await blocks.digest('to')]).toEqual([disk.length, sha256(disk)])
  expect([await unfinished(), inner]).toEqual([[], inner])
  expect(percents.every((percent, at) => percent >= (percents[at - 1] ?? 0) && percent <= 100)).toBe(true)
  // The unpacked image exists beside the raw one.
  expect(reserved.at(-1)).toBeGreaterThan(disk.length)
}

export async function expectEndAtLimit(format: PackedFormat, make: (typeof bombs)[number][1]): Promise<void> {
  const { put, convert, unfinished, reserved } = await store()
  const bomb = await make()
  expect(bomb.length).toBeLessThan(MiB)
  await put(bomb)
  const error = await convert(format, { maxBytes: 64 * MiB }).catch((error: unknown) => error)
  expect(said(error)).toMatch(/that unpacks to more than 64 MiB\.$/)
  expect([await unfinished(), Math.max(...reserved)]).toEqual([[], 64 * MiB])
}

export async function spaceUsed(folder: string): Promise<number> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const stats = await Promise.all(files.map((entry) => fs.stat(path.join(entry.parentPath, entry.name))))
  return stats.reduce((sum, { blocks }) => sum + blocks * 512, 0)
}
