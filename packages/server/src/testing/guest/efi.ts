import { MiB } from '@gantry/api/base/bytes.rules'

/*
 * A disk that UEFI boots, without any tool of the host: a FAT file system that fills it, as on a floppy disk, and a
 * program that prints a line.
 */

const SECTOR = 512
const ENTRY = 32
/** As formatted here: reserved sector, two tables, root directory, then clusters of one sector. */
const fat = { sectors: 2880, tableSectors: 9, rootEntries: 224 } as const
const rootAt = 1 + 2 * fat.tableSectors
const clustersAt = rootAt + (fat.rootEntries * ENTRY) / SECTOR

/** Files by their paths; names are of at most 8 characters, and their extensions of at most 3. */
export type FatFiles = Readonly<Record<string, Uint8Array>>

interface Folder {
  files: Map<string, Uint8Array>
  folders: Map<string, Folder>
}
const emptyFolder = (): Folder => ({ files: new Map(), folders: new Map() })

/** The bytes of a disk with these files. */
export function fatDisk(files: FatFiles): Uint8Array<ArrayBuffer> {
  const disk = new Uint8Array(MiB * 1.40625)
  const view = new DataView(disk.buffer)
  disk.set([0xeb, 0x3c, 0x90], 0)
  disk.set(new TextEncoder().encode('GANTRY  '), 3)
  view.setUint16(11, SECTOR, true)
  view.setUint8(13, 1)
  view.setUint16(14, 1, true)
  view.setUint8(16, 2)
  view.setUint16(17, fat.rootEntries, true)
  view.setUint16(19, fat.sectors, true)
  view.setUint8(21, 0xf0)
  view.setUint16(22, fat.tableSectors, true)
  view.setUint16(24, 18, true)
  view.setUint16(26, 2, true)
  view.setUint8(38, 0x29)
  disk.set([0x55, 0xaa], 510)

  const chain: number[] = [0xff0, 0xfff]
  /** Writes bytes to clusters of their own, and returns the first one. */
  const put = (bytes: Uint8Array): number => {
    const first = chain.length
    const count = Math.max(1, Math.ceil(bytes.length / SECTOR))
    for (let at = 0; at < count; at++) chain.push(at === count - 1 ? 0xfff : first + at + 1)
    disk.set(bytes, (clustersAt + first - 2) * SECTOR)
    return first
  }
  const entriesOf = ({ files: own, folders }: Folder): Uint8Array => {
    const entries = [
      ...[...own].map(([name, bytes]) => entry(name, 0x20, put(bytes), bytes.length)),
      ...[...folders].map(([name, folder]) => entry(name, 0x10, put(entriesOf(folder)), 0)),
    ]
    return Buffer.concat(entries)
  }
  disk.set(entriesOf(treeOf(files)), rootAt * SECTOR)
  for (const table of [1, 1 + fat.tableSectors])
    chain.forEach((next, at) => {
      const byte = table * SECTOR + Math.floor(at * 1.5)
      const was = view.getUint16(byte, true)
      view.setUint16(byte, at % 2 === 0 ? (was & 0xf000) | next : (was & 0x000f) | (next << 4), true)
    })
  return disk
}

function treeOf(files: FatFiles): Folder {
  const root = emptyFolder()
  for (const [path, bytes] of Object.entries(files)) {
    const names = path.split('/')
    const file = names.pop() ?? ''
    let at = root
    for (const name of names) {
      const next = at.folders.get(name) ?? emptyFolder()
      at.folders.set(name, next)
      at = next
    }
    at.files.set(file, bytes)
  }
  return root
}

function entry(name: string, attribute: number, cluster: number, size: number): Uint8Array {
  const [stem = '', extension = ''] = name.split('.')
  const bytes = new Uint8Array(ENTRY)
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode(stem.padEnd(8) + extension.padEnd(3)))
  view.setUint8(11, attribute)
  view.setUint16(26, cluster, true)
  view.setUint32(28, size, true)
  return bytes
}

/** The path at which UEFI looks for the boot loader of a disk. */
export const bootLoader = 'EFI/BOOT/BOOTX64.EFI'

/** An unsigned program for UEFI that prints a line, and then waits forever. */
export function efiProgram(line: string): Uint8Array {
  const file = new Uint8Array(2 * SECTOR)
  const view = new DataView(file.buffer)
  const [headerAt, optionalBytes] = [0x40, 0xf0]
  file.set(new TextEncoder().encode('MZ'))
  view.setUint32(0x3c, headerAt, true)
  file.set(new TextEncoder().encode('PE'), headerAt)
  view.setUint16(headerAt + 4, 0x8664, true)
  view.setUint16(headerAt + 6, 1, true)
  view.setUint16(headerAt + 20, optionalBytes, true)
  view.setUint16(headerAt + 22, 0x0206, true)
  const optionalAt = headerAt + 24
  view.setUint16(optionalAt, 0x20b, true)
  view.setUint32(optionalAt + 4, SECTOR, true)
  view.setUint32(optionalAt + 16, 0x1000, true)
  view.setUint32(optionalAt + 20, 0x1000, true)
  view.setUint32(optionalAt + 32, 0x1000, true)
  view.setUint32(optionalAt + 36, SECTOR, true)
  view.setUint32(optionalAt + 56, 0x2000, true)
  view.setUint32(optionalAt + 60, SECTOR, true)
  // A program for UEFI, whose directories are all empty.
  view.setUint16(optionalAt + 68, 10, true)
  view.setUint32(optionalAt + 108, 16, true)
  const sectionAt = optionalAt + optionalBytes
  file.set(new TextEncoder().encode('.text'), sectionAt)
  view.setUint32(sectionAt + 8, SECTOR, true)
  view.setUint32(sectionAt + 12, 0x1000, true)
  view.setUint32(sectionAt + 16, SECTOR, true)
  view.setUint32(sectionAt + 20, SECTOR, true)
  view.setUint32(sectionAt + 36, 0x60000020, true)
  // sub rsp, 40; mov rcx, [rdx + 64]; lea rdx, [rip + 5]; call [rcx + 8]; pause; jmp back to it
  const code = [
    0x48, 0x83, 0xec, 0x28, 0x48, 0x8b, 0x4a, 0x40, 0x48, 0x8d, 0x15, 0x07, 0x00, 0x00, 0x00, 0xff, 0x51,
    0x08, 0xf3, 0x90, 0xeb, 0xfc,
  ]
  file.set(code, SECTOR)
  file.set(Buffer.from(`${line}\r\n\0`, 'utf16le'), SECTOR + code.length)
  return file
}
