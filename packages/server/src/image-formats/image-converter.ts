import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import {
  type Compression,
  convertFirst,
  type DiskFormat,
  type FileKind,
  isCompression,
  isPacked,
  nounOf,
  type PackedFormat,
  recognise,
  recogniseHead,
} from '@gantry/api/storage/image-format.rules'
import { OutOfSpace } from '@gantry/control-plane/blocks/block-store'
import {
  ConversionDiscarded,
  type ImageConversion,
  type ImageConverter,
  UnusableImageFile,
} from '@gantry/control-plane/blocks/image-converter'
import type { Log } from '@gantry/control-plane/environment'
import type { Settings } from '@gantry/control-plane/settings'
import { unlessMissing, withFile } from '../blocks/block-files-io.ts'
import { pathsIn } from '../blocks/block-paths.ts'
import type { FileBlocks } from '../blocks/blocks-files.ts'
import type { FreeSpace } from '../space/free-space.ts'
import { isFull } from '../space/full-volume.ts'
import { convertDisk, imageFileOf } from './disk-image.ts'
import { type HostTools, hostTools, type Tool, unpackerOf } from './host-tools.ts'
import { ToolFailed } from './run-tool.ts'
import { unpack, type Unpacking } from './unpack.ts'

const MiB = 1024 ** 2
/** How long findings about the host are trusted: operators install missing programs while the server runs. */
const FRESH_MS = 60_000
const LOOK_MS = 30_000

interface Host {
  blocks: FileBlocks
  space: FreeSpace
  settings: Settings['image_conversion']
  log: Log
}

/** Caches a function's result for a while; concurrent callers share one call. */
function keptFor<Found>(ms: number, find: () => Promise<Found>): () => Promise<Found> {
  let kept: { found: Promise<Found>; until: number } | undefined
  return () => {
    if (kept && kept.until > performance.now()) return kept.found
    const found = find()
    kept = { found, until: performance.now() + ms }
    found.catch(() => (kept = undefined))
    return found
  }
}

/** Converts images with the programs of the host, under confinement. */
export function hostImageConverter(host: Host): ImageConverter {
  const tools = keptFor(FRESH_MS, () => hostTools(AbortSignal.timeout(LOOK_MS)))
  const { blocks, settings, log } = host

  return {
    whyNot: async (format) => (await tools()).whyNot.get(format),

    async convert(conversion) {
      const { to } = conversion
      // Remnants of a killed process.
      await removeFolders(blocks, to)
      const folder = path.join(blocks.unfinished, `${prefixOf(to)}${randomUUID()}`)
      await fs.mkdir(folder, { mode: 0o700 })
      const deadline = AbortSignal.timeout(settings.minutes * 60_000)
      const signal = AbortSignal.any([conversion.signal, deadline])
      try {
        const made = await convertIn(folder, { ...conversion, signal }, { ...host, tools: await tools() })
        await blocks.adopt(to, folder, made)
      } catch (error) {
        conversion.signal.throwIfAborted()
        if (!(await isThere(folder)))
          throw new ConversionDiscarded('its files were removed', { cause: error })
        if (deadline.aborted) throw tookTooLong(conversion.format, settings.minutes)
        throw explained(error, conversion.format, log)
      } finally {
        await fs.rm(folder, { recursive: true, force: true })
      }
    },

    discard: (to) => removeFolders(blocks, to),
  }
}

const isThere = (file: string): Promise<boolean> =>
  fs.access(file).then(
    () => true,
    () => false,
  )

/** Identifies the folders of a conversion by the object that it creates. */
const prefixOf = (to: string): string => `image-${to}-`

async function removeFolders({ unfinished }: FileBlocks, to: string): Promise<void> {
  const prefix = prefixOf(to)
  const names = (await unlessMissing(fs.readdir(unfinished))) ?? []
  for (const name of names.filter((name) => name.startsWith(prefix)))
    await fs.rm(path.join(unfinished, name), { recursive: true, force: true })
}

interface Means extends Host {
  tools: HostTools
}
type Made = { size: number; written: Uint8Array }

async function convertIn(folder: string, conversion: ImageConversion, means: Means): Promise<Made> {
  const { format, from, blockSize, progress } = conversion
  const { file: source } = await means.blocks.source(from)
  const { data } = pathsIn(folder)
  if (!isCompression(format)) return disk(format, source, data, conversion, means)

  const unpacked = path.join(folder, 'unpacked')
  // The other half is for a disk image inside.
  let share = 1
  const made = await unpackTo(unpacked, format, source, means, {
    ...conversion,
    begin: (head) => {
      if (innerFormat(format, recogniseHead(head), means.tools) !== 'raw') share = 0.5
    },
    progress: (part) => progress(part * 100 * share),
  })
  const inner = innerFormat(format, await kindOf(unpacked), means.tools)
  if (inner === 'raw') {
    await fs.rename(unpacked, data)
    return { ...made, size: Math.ceil(made.size / blockSize) * blockSize }
  }
  const second: ImageConversion = {
    ...conversion,
    reserve: (bytes) => conversion.reserve(made.size + bytes),
    // A fixed VHD image shows only at its end what it is.
    progress: (percent) => progress(share === 1 ? 100 : 50 + percent / 2),
  }
  const result = await disk(inner, unpacked, data, second, means)
  await fs.rm(unpacked)
  return result
}

/** The format of a compressed file's contents; throws if they are unusable. */
function innerFormat(outer: Compression, kind: FileKind, { whyNot }: HostTools): DiskFormat | 'raw' {
  if (kind === 'raw') return kind
  const refused = (why: string): UnusableImageFile =>
    new UnusableImageFile(
      `The file is ${nounOf(outer)} that contains ${nounOf(kind)}${why}.`,
      `Unpack it. ${convertFirst(kind)}`,
    )
  if (!isPacked(kind) || isCompression(kind)) throw refused(', which is not converted')
  const why = whyNot.get(kind)
  if (why !== undefined) throw refused(`. ${why}`)
  return kind
}

function disk(
  format: DiskFormat,
  from: string,
  to: string,
  { blockSize, maxBytes, reserve, progress, signal }: ImageConversion,
  { space, settings, tools }: Means,
): Promise<Made> {
  return convertDisk({
    format,
    from,
    to,
    blockSize,
    maxBytes,
    space,
    limits: limitsOf(settings),
    program: needed(tools, 'qemu-img'),
    reserve,
    progress: (part) => progress(part * 100),
    signal,
  })
}

async function unpackTo(
  to: string,
  format: Compression,
  from: string,
  { space, settings, tools }: Means,
  steered: Pick<Unpacking, 'maxBytes' | 'reserve' | 'begin' | 'progress' | 'signal'>,
): Promise<Made> {
  const file = await fs.open(to, 'wx', 0o600)
  try {
    return await unpack({
      ...steered,
      format,
      from,
      to: file,
      space,
      limits: { ...limitsOf(settings), fileBytes: 0 },
      program: format === 'gzip' ? undefined : needed(tools, unpackerOf(format)),
    })
  } finally {
    await file.close()
  }
}

const limitsOf = ({ memory_mebibytes, minutes }: Settings['image_conversion']) => ({
  memoryBytes: memory_mebibytes * MiB,
  cpuSeconds: minutes * 60,
})

function needed({ paths }: HostTools, tool: Tool): string {
  const found = paths.get(tool)
  if (found === undefined) throw new Error(`${tool} is not installed`)
  return found
}

const kindOf = (file: string): Promise<FileKind> =>
  withFile(file, 'r', file, async (handle) => recognise(await imageFileOf(handle)))

const tookTooLong = (format: PackedFormat, minutes: number): UnusableImageFile =>
  new UnusableImageFile(
    `The file is ${nounOf(format)} whose conversion took longer than ${minutes} minutes.`,
    `${convertFirst(format)}, or ask the operator to raise the limit.`,
  )

/** Explains failures of tools, which are about the file unless the host failed. */
function explained(error: unknown, format: PackedFormat, log: Log): unknown {
  if (isFull(error) && !(error instanceof OutOfSpace))
    return new OutOfSpace('the file system is full', { cause: error })
  if (!(error instanceof ToolFailed) || error.why === 'host') return error
  log.warn({ err: error, format }, 'a tool could not convert an image')
  const words = {
    file: `that cannot be read: ${said(error.message)}`,
    memory: 'whose conversion needs more memory than the server allows',
    time: 'whose conversion takes too long',
    size: 'with more data than it declares',
  }[error.why]
  return new UnusableImageFile(`The file is ${nounOf(format)} ${words}.`, convertFirst(format), {
    cause: error,
  })
}

/** The last line of a tool's output, without file names that mean nothing outside. */
const said = (text: string): string =>
  (text.split('\n').at(-1) ?? '')
    .replace(/^(?:qemu-img|xz|zstd|lz4|bzip2): /, '')
    .replaceAll(/'?\/(?:input|output|\*stdin\*)\\?'?/g, 'it')
    .replace(/\.$/, '')
    .slice(0, 300)
