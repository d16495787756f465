import fs from 'node:fs/promises'
import path from 'node:path'
import {
  type Compression,
  isCompression,
  type PackedFormat,
  packedFormats,
} from '@gantry/api/storage/image-format.rules'
import { runTool } from './run-tool.ts'

const MiB = 1024 ** 2

/** The programs that conversions need, and their Debian packages. */
const packages = {
  nice: 'coreutils',
  prlimit: 'util-linux',
  bwrap: 'bubblewrap',
  'qemu-img': 'qemu-utils',
  xz: 'xz-utils',
  zstd: 'zstd',
  lz4: 'lz4',
  bzip2: 'bzip2',
} as const
export type Tool = keyof typeof packages

export interface HostTools {
  /** The absolute paths of installed ones. */
  paths: ReadonlyMap<Tool, string>
  /** Why a format is not converted here. */
  whyNot: ReadonlyMap<PackedFormat, string>
  /** Packages to install. */
  missing: readonly string[]
}

/** Finds the programs, and tries them under confinement. */
export async function hostTools(signal: AbortSignal): Promise<HostTools> {
  const paths = new Map<Tool, string>()
  for (const tool of Object.keys(packages) as Tool[]) {
    const found = await find(tool)
    if (found !== undefined) paths.set(tool, found)
  }
  const whyNot = new Map<PackedFormat, string>()
  const formats = await diskFormats(paths, signal)
  for (const format of packedFormats) {
    const why =
      lacking(paths, neededBy(format)) ??
      (neededBy(format).length > 0 ? formats.problem : undefined) ??
      (isCompression(format) || formats.known.has(format === 'vhd' ? 'vpc' : format)
        ? undefined
        : `The program qemu-img of the server does not support the format ${format}`)
    if (why !== undefined) whyNot.set(format, why)
  }
  const missing = (Object.keys(packages) as Tool[]).filter((tool) => !paths.has(tool))
  return { paths, whyNot, missing: missing.map((tool) => packages[tool]) }
}

const confining = ['nice', 'prlimit', 'bwrap'] as const

/** The program that unpacks a format. The server itself unpacks gzip, and xz reads what its predecessor wrote. */
export function unpackerOf(format: Exclude<Compression, 'gzip'>): Tool {
  return format === 'lzma' ? 'xz' : format
}

function neededBy(format: PackedFormat): readonly Tool[] {
  if (format === 'gzip') return []
  return [...confining, isCompression(format) ? unpackerOf(format) : 'qemu-img']
}

function lacking(paths: ReadonlyMap<Tool, string>, needed: readonly Tool[]): string | undefined {
  const tool = needed.find((tool) => !paths.has(tool))
  return tool && `The server lacks the program ${tool} (package ${packages[tool]})`
}

/** Packages may install programs outside the search path of services. */
const extraFolders = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin']

async function find(tool: Tool): Promise<string | undefined> {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), ...extraFolders]
  for (const folder of new Set(folders)) {
    if (!path.isAbsolute(folder)) continue
    const file = path.join(folder, tool)
    const isThere = await fs.access(file, fs.constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return file
  }
  return undefined
}

/** Formats that qemu-img knows. `problem`: programs cannot be confined here. */
async function diskFormats(
  paths: ReadonlyMap<Tool, string>,
  signal: AbortSignal,
): Promise<{ known: ReadonlySet<string>; problem?: string }> {
  const program = (['qemu-img', 'xz', 'zstd', 'lz4', 'bzip2'] as const)
    .map((tool) => paths.get(tool))
    .find((found) => found !== undefined)
  if (program === undefined || lacking(paths, confining) !== undefined) return { known: new Set() }
  const limits = { memoryBytes: 512 * MiB, cpuSeconds: 10, fileBytes: MiB }
  try {
    const help = await runTool({ program, args: ['--help'], limits }, { signal })
    return { known: new Set(/^Supported formats:(.*)$/m.exec(help)?.[1]?.trim().split(/\s+/)) }
  } catch (error) {
    signal.throwIfAborted()
    return {
      known: new Set(),
      problem: `The server cannot confine programs by bwrap (${(error as Error).message.slice(0, 200)})`,
    }
  }
}
