import { instanceFileEntries } from '@gantry/api/compute/instance-file.rules'
import { damagedFile, type ImageFile, readExactly, unusable } from './unusable-file.ts'

const BLOCK = 512
const paxMaxBytes = 64 * 1024
const nameMax = 255

export interface FoundEntry {
  name: string
  offset: number
  size: number
}

/**
 * The files of a tar archive (ustar, pax and GNU), found without reading their bytes. Names are of use for nothing but to
 * find a file by another file's word, and have no folders. An archive of more entries than an instance can have is refused.
 */
export async function entriesOf(file: ImageFile): Promise<FoundEntry[]> {
  const found: FoundEntry[] = []
  let next: { path?: string; size?: number } = {}
  let headers = 0
  for (let at = 0; at + BLOCK <= file.size;) {
    const header = await readExactly(file, at, BLOCK)
    if (header.every((byte) => byte === 0)) break
    if (++headers > 4 * instanceFileEntries || found.length > instanceFileEntries)
      throw unusable(
        `The archive has more than ${instanceFileEntries} files.`,
        'Upload the export of one instance.',
      )
    if (!isSound(header)) throw damagedFile('it is no tar archive, or part of it is missing')
    const size = next.size ?? sizeOf(header)
    const offset = at + BLOCK
    if (!Number.isSafeInteger(size) || offset + size > file.size)
      throw damagedFile('it ends before its last entry does')
    const type = String.fromCharCode(header[156] ?? 0)
    if (type === 'x' || type === 'L') {
      if (size > paxMaxBytes) throw damagedFile('an entry has a name that is too long')
      const text = new TextDecoder().decode(await readExactly(file, offset, size))
      next = type === 'L' ? { ...next, path: text.split('\0')[0] ?? '' } : { ...next, ...paxOf(text) }
    } else {
      if (type === '0' || type === '\0')
        found.push({ name: nameOf(next.path ?? nameIn(header)), offset, size })
      next = {}
    }
    at = offset + Math.ceil(size / BLOCK) * BLOCK
  }
  const names = new Set(found.map(({ name }) => name))
  if (names.size < found.length) throw damagedFile('two of its files have the same name')
  return found
}

const textIn = (bytes: Uint8Array, at: number, length: number): string =>
  new TextDecoder().decode(bytes.subarray(at, at + length)).split('\0')[0] ?? ''

function nameIn(header: Uint8Array): string {
  const prefix = textIn(header, 257, 5) === 'ustar' ? textIn(header, 345, 155) : ''
  return prefix === '' ? textIn(header, 0, 100) : `${prefix}/${textIn(header, 0, 100)}`
}

function nameOf(path: string): string {
  const name = path.replace(/^(?:\.\/)+/, '')
  if (name === '' || name.length > nameMax || name.includes('/') || name === '..')
    throw unusable(
      'The archive has files in folders.',
      'Pack its files without folders: tar cf instance.tar *',
    )
  return name
}

function sizeOf(header: Uint8Array): number {
  const first = header[124] ?? 0
  if (first === 0x80) {
    let size = 0
    for (let at = 125; at < 136; at++) size = size * 256 + (header[at] ?? 0)
    return size
  }
  const text = textIn(header, 124, 12).trim()
  return /^[0-7]{1,12}$/.test(text) ? Number.parseInt(text, 8) : Number.NaN
}

/** The sum of the header's bytes, with the checksum field read as spaces. */
function isSound(header: Uint8Array): boolean {
  let sum = 8 * 32
  for (let at = 0; at < BLOCK; at++) if (at < 148 || at >= 156) sum += header[at] ?? 0
  return Number.parseInt(textIn(header, 148, 8).trim(), 8) === sum
}

/** Records of the form `LENGTH KEY=VALUE` (POSIX pax). */
function paxOf(text: string): { path?: string; size?: number } {
  const values: { path?: string; size?: number } = {}
  for (const line of text.split('\n')) {
    const [, key, value = ''] = /^\d+ (path|size)=(.*)$/.exec(line) ?? []
    if (key === 'path') values.path = value
    if (key === 'size') values.size = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
  }
  return values
}
