/*
 * ISO 9660 with the Joliet extension, whose names keep their case and length: one folder with a few small files,
 * which is all that a seed needs. Numbers in brackets are sections of ECMA-119.
 */

const SECTOR = 2048
/**
 * Zeros at the end, as many as other programs write. A guest that looks for the label reads what other file systems have
 * at up to 68 KiB; BusyBox finds no label on a disk that ends before.
 */
const PADDING = 150
/** The layout in sectors; the format leaves the first 16 unused. */
const at = {
  primary: 16,
  joliet: 17,
  end: 18,
  primaryTables: { little: 19, big: 20 },
  jolietTables: { little: 21, big: 22 },
  primaryRoot: 23,
  jolietRoot: 24,
  files: 25,
} as const

interface Placed {
  name: string
  bytes: Uint8Array
  sector: number
}

/** A tree of names: the plain one in ASCII, and that of Joliet in UTF-16. */
interface Tree {
  encode: (text: string) => Buffer
  /** The name of a file as the tree spells it. */
  spell: (name: string) => string
  root: number
  tables: { little: number; big: number }
}

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()
const trees = {
  primary: {
    encode: (text) => Buffer.from(text, 'ascii'),
    spell: (name) => `${name.toUpperCase()};1`,
    root: at.primaryRoot,
    tables: at.primaryTables,
  },
  joliet: { encode: utf16, spell: (name) => name, root: at.jolietRoot, tables: at.jolietTables },
} as const satisfies Record<string, Tree>

/** An image with files of these names, under a volume label of at most 16 characters. */
export function isoImage(label: string, files: Readonly<Record<string, Uint8Array>>): Buffer {
  let sector: number = at.files
  const placed = Object.entries(files).map(([name, bytes]): Placed => {
    const file = { name, bytes, sector }
    sector += Math.max(1, Math.ceil(bytes.length / SECTOR))
    return file
  })
  sector += PADDING
  const image = Buffer.alloc(sector * SECTOR)
  const put = (index: number, bytes: Uint8Array): void => image.set(bytes, index * SECTOR)
  put(at.primary, descriptor(1, trees.primary, label, sector))
  put(at.joliet, descriptor(2, trees.joliet, label, sector))
  put(at.end, Buffer.from('\u{FF}CD001\u{1}', 'latin1'))
  for (const tree of Object.values(trees)) {
    put(tree.tables.little, pathTable(tree.root, 'little'))
    put(tree.tables.big, pathTable(tree.root, 'big'))
    put(tree.root, folder(tree, placed))
  }
  for (const { sector: first, bytes } of placed) put(first, bytes)
  return image
}

/** Both byte orders, one after the other [7.2.3, 7.3.3]. */
function both(bytes: 2 | 4, value: number): Buffer {
  const buffer = Buffer.alloc(2 * bytes)
  buffer.writeUIntLE(value, 0, bytes)
  buffer.writeUIntBE(value, bytes, bytes)
  return buffer
}

/** A directory record [9.1]. */
function record(name: Uint8Array, sector: number, size: number, isFolder: boolean): Buffer {
  const length = 33 + name.length + (name.length % 2 === 0 ? 1 : 0)
  const buffer = Buffer.alloc(length)
  buffer[0] = length
  buffer.set(both(4, sector), 2)
  buffer.set(both(4, size), 10)
  // The first of January 1970: the same specification gives the same bytes.
  buffer.set([70, 1, 1], 18)
  buffer[25] = isFolder ? 2 : 0
  buffer.set(both(2, 1), 28)
  buffer[32] = name.length
  buffer.set(name, 33)
  return buffer
}

/** The root folder: itself, its parent, which is itself as well, and the files in the order of their names [9.3]. */
function folder({ encode, spell, root }: Tree, files: readonly Placed[]): Buffer {
  const named = files.map((file) => ({ ...file, name: encode(spell(file.name)) }))
  const records = Buffer.concat([
    record(Uint8Array.of(0), root, SECTOR, true),
    record(Uint8Array.of(1), root, SECTOR, true),
    ...named
      .sort((a, b) => Buffer.compare(a.name, b.name))
      .map(({ name, sector, bytes }) => record(name, sector, bytes.length, false)),
  ])
  if (records.length > SECTOR) throw new Error('too many files for an image with one folder')
  return records
}

/** A path table with the root only [9.4]. */
function pathTable(root: number, order: 'little' | 'big'): Buffer {
  const buffer = Buffer.alloc(10)
  buffer[0] = 1
  if (order === 'little') {
    buffer.writeUInt32LE(root, 2)
    buffer.writeUInt16LE(1, 6)
  } else {
    buffer.writeUInt32BE(root, 2)
    buffer.writeUInt16BE(1, 6)
  }
  return buffer
}

/** A volume descriptor [8.4, 8.5]. */
function descriptor(type: 1 | 2, tree: Tree, label: string, sectors: number): Buffer {
  const buffer = Buffer.alloc(SECTOR)
  const text = (value: string, offset: number, length: number): void => {
    buffer.set(tree.encode(value.padEnd(length)).subarray(0, length), offset)
  }
  buffer[0] = type
  buffer.write('CD001\u{1}', 1, 'latin1')
  text('', 8, 32)
  text(label, 40, 32)
  buffer.set(both(4, sectors), 80)
  // UCS-2, level 3.
  if (type === 2) buffer.write('%/E', 88, 'latin1')
  buffer.set(both(2, 1), 120)
  buffer.set(both(2, 1), 124)
  buffer.set(both(2, SECTOR), 128)
  buffer.set(both(4, 10), 132)
  buffer.writeUInt32LE(tree.tables.little, 140)
  buffer.writeUInt32BE(tree.tables.big, 148)
  buffer.set(record(Uint8Array.of(0), tree.root, SECTOR, true), 156)
  for (const [offset, length] of blankTexts) text('', offset, length)
  for (const offset of [813, 830]) buffer.write(`1970010100000000`, offset, 'latin1')
  for (const offset of [847, 864]) buffer.write('0'.repeat(16), offset, 'latin1')
  buffer[881] = 1
  return buffer
}

/** Names of the publisher and the like, which are blank: offset and length. */
const blankTexts = [
  [190, 128],
  [318, 128],
  [446, 128],
  [574, 128],
  [702, 37],
  [739, 37],
  [776, 37],
] as const
