import { createHash, randomFillSync } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export const MiB = 1024 ** 2

export interface ImageFile {
  path: string
  name: string
  size: number
  sha256: string
  remove: () => void
}

/** Creates a file to upload: random bytes, but every fifth piece of 4 MiB is zeros, like on many disks. */
export function makeFile(size: number, name = 'disk.raw'): ImageFile {
  const folder = mkdtempSync(path.join(tmpdir(), 'gantry-image-'))
  const file = path.join(folder, name)
  const handle = openSync(file, 'w')
  const hash = createHash('sha256')
  const piece = 4 * MiB
  const noise = randomFillSync(Buffer.alloc(piece))
  const zeros = Buffer.alloc(piece)
  for (let at = 0; at < size; at += piece) {
    const isZero = (at / piece) % 5 === 4
    // Each piece is unique.
    if (!isZero) noise.writeDoubleLE(at, 8)
    const bytes = (isZero ? zeros : noise).subarray(0, Math.min(piece, size - at))
    hash.update(bytes)
    writeSync(handle, bytes)
  }
  closeSync(handle)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  return { path: file, name, size, sha256: hash.digest('hex'), remove }
}
