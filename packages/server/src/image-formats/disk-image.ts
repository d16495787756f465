import fs, { type FileHandle } from 'node:fs/promises'
import { shownBytes } from '@gantry/api/base/bytes.rules'
import { type DiskFormat, nounOf } from '@gantry/api/storage/image-format.rules'
import { type ImageFile, readImageHeader } from '@gantry/api/storage/image-header.rules'
import { UnusableImageFile } from '@gantry/control-plane/blocks/image-converter'
import { withFile } from '../blocks/block-files-io.ts'
import type { FreeSpace } from '../space/free-space.ts'
import { writtenChunks } from '../blocks/written-chunks.ts'
import { INPUT, type Limits, OUTPUT } from './confined-command.ts'
import { runTool, ToolFailed } from './run-tool.ts'

/** Tools round sizes up to sectors. */
const SECTOR = 512

export interface DiskConversion {
  format: DiskFormat
  from: string
  /** A new file. */
  to: string
  blockSize: number
  maxBytes: number
  space: FreeSpace
  limits: Omit<Limits, 'fileBytes'>
  /** The path of qemu-img. */
  program: string
  /** Called once the size is known, before anything is written. */
  reserve: (bytes: number) => Promise<void>
  /** The converted share, from 0 to 1. */
  progress: (part: number) => void
  signal: AbortSignal
}

/**
 * Converts a disk image to a raw file with holes. Its header is read here first, and refused if it names another file.
 * qemu-img reads it again, with the format given, and can open no other file.
 */
export async function convertDisk(
  conversion: DiskConversion,
): Promise<{ size: number; written: Uint8Array }> {
  const { format, from, to, blockSize, maxBytes, space, limits, program, progress, signal } = conversion
  const size = await sizeOf(format, from)
  if (size > maxBytes) throw tooLarge(format, size, maxBytes)
  const rounded = Math.ceil(size / Math.max(SECTOR, blockSize)) * Math.max(SECTOR, blockSize)
  const tool = (args: readonly string[], more: { input: string; output?: string; fileBytes?: number }) => ({
    program,
    args,
    input: more.input,
    ...(more.output !== undefined && { output: more.output }),
    limits: { ...limits, fileBytes: more.fileBytes ?? 0 },
  })
  const info = await runTool(tool(['info', '--output=json', ...opened(format)], { input: from }), {
    signal,
  })
  refuseInfo(format, JSON.parse(info) as Info, size)
  await conversion.reserve(rounded)
  await refuseDamaged(format, () => runTool(tool(['check', ...opened(format)], { input: from }), { signal }))

  const measure = ['measure', '--output=json', '-O', 'qcow2', ...opened(format)]
  const { required } = JSON.parse(await runTool(tool(measure, { input: from }), { signal })) as {
    required?: unknown
  }
  // Includes the metadata of a qcow2 image, which is small.
  const bytes = typeof required === 'number' ? Math.min(required, rounded) : rounded
  await fs.writeFile(to, '', { mode: 0o600, flag: 'wx' })
  await fs.truncate(to, rounded)
  const convert = ['convert', '-p', '-n', '--target-is-zero', '-O', 'raw', ...opened(format), OUTPUT]
  await space.taking(bytes, (wrote) => {
    let done = 0
    const onOutput = percentages((percent) => {
      progress(percent / 100)
      const now = Math.floor((bytes * percent) / 100)
      wrote(Math.max(0, now - done))
      done = Math.max(done, now)
    })
    return runTool(tool(convert, { input: from, output: to, fileBytes: rounded }), { signal, onOutput })
  })
  const written = writtenChunks(rounded)
  const map = ['map', '--output=json', '-f', 'raw', INPUT]
  await runTool(tool(map, { input: to }), { signal, onOutput: written.take })
  return { size: rounded, written: written.end() }
}

async function sizeOf(format: DiskFormat, from: string): Promise<number> {
  const { size, problem } = await withFile(from, 'r', from, async (handle) =>
    readImageHeader(format, await imageFileOf(handle)),
  )
  if (problem) throw new UnusableImageFile(problem.message, problem.help)
  return size
}

export const imageFileOf = async (handle: FileHandle): Promise<ImageFile> => ({
  size: (await handle.stat()).size,
  async read(offset, length) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset)
    return buffer.subarray(0, bytesRead)
  },
})

/**
 * How qemu-img opens the input. Left to itself, it takes the geometry of a VHD image for its size, which other programs
 * round down.
 */
const opened = (format: DiskFormat): string[] =>
  format === 'vhd'
    ? ['--image-opts', `driver=vpc,force_size_calc=current_size,file.driver=file,file.filename=${INPUT}`]
    : ['-f', format, INPUT]

const tooLarge = (format: DiskFormat, size: number, maxBytes: number): UnusableImageFile =>
  new UnusableImageFile(
    `The file is ${nounOf(format)} of a disk of ${shownBytes(size)}, and this server converts images of at most ${shownBytes(maxBytes)}.`,
    'Shrink the disk first, or ask the operator to raise the limit.',
  )

/**
 * A missing part, as after an interrupted download, would read as zeros. Leaked clusters are no damage.
 */
async function refuseDamaged(format: DiskFormat, check: () => Promise<string>): Promise<void> {
  try {
    await check()
  } catch (error) {
    const code = error instanceof ToolFailed ? error.code : undefined
    if (code === undefined || !checkEnds.has(code)) throw error
    if (harmless.has(code)) return
    throw new UnusableImageFile(
      `The file is ${nounOf(format)} that is damaged or incomplete.`,
      'Check the file with qemu-img check, or get it again, then upload it again.',
      { cause: error },
    )
  }
}

/** Leaked clusters, and a format without checks (`man qemu-img`). */
const harmless: ReadonlySet<number> = new Set([3, 63])
/** The others: a failed check, and a corrupt image. */
const checkEnds: ReadonlySet<number> = new Set([1, 2, ...harmless])

/** The parts of `qemu-img info` that are evaluated. */
interface Info {
  'virtual-size'?: unknown
  encrypted?: unknown
  'format-specific'?: { data?: { 'data-file'?: unknown; extents?: unknown } }
}

/** A second opinion: the header and qemu-img must agree. */
function refuseInfo(format: DiskFormat, info: Info, size: number): void {
  const { 'data-file': dataFile, extents } = info['format-specific']?.data ?? {}
  const needsOthers =
    Object.keys(info).some((key) => key.includes('backing')) ||
    dataFile !== undefined ||
    (Array.isArray(extents) && extents.length > 1)
  if (needsOthers || info.encrypted === true)
    throw new UnusableImageFile(
      `The file is ${nounOf(format)} that needs another file or a key.`,
      'Make one image of all its files, without encryption, and upload that.',
    )
  const other = info['virtual-size']
  if (typeof other !== 'number' || other < size || other >= size + SECTOR)
    throw new UnusableImageFile(
      `The file is ${nounOf(format)} with contradictory sizes of its disk.`,
      'Check the file, or get it again, then upload it again.',
    )
}

/** Reads `    (12.34/100%)`, which qemu-img prints repeatedly. */
function percentages(tell: (percent: number) => void): (piece: Buffer) => void {
  let rest = ''
  return (piece) => {
    rest = (rest + piece.toString('latin1')).slice(-200)
    const last = [...rest.matchAll(/\((\d+(?:\.\d+)?)\/100%\)/g)].at(-1)?.[1]
    if (last !== undefined) tell(Math.min(100, Number(last)))
  }
}
