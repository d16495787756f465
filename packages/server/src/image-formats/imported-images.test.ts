import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { openDisk, type ReadDisk } from '@gantry/control-plane/modules/instance-files/read/disk-image'
import { expect, test } from 'vitest'
import { MiB, run } from '../testing/image-conversion.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const hasTool = await run('qemu-img', ['--version']).then(
  () => true,
  () => false,
)
if (!hasTool) console.warn('skipped: qemu-img is not installed')

const size = 70 * MiB + 512

/** Bytes that are easy to compress, some that are not, and holes. */
async function rawDisk(file: string): Promise<string> {
  const handle = await fs.open(file, 'w')
  await handle.truncate(size)
  await handle.write(
    Uint8Array.from({ length: MiB }, (_, at) => (at * 7) % 251),
    0,
    MiB,
    64 * 1024,
  )
  const noise = new Uint8Array(512 * 1024)
  for (let at = 0; at < noise.length; at += 65_536) crypto.getRandomValues(noise.subarray(at, at + 65_536))
  await handle.write(noise, 0, noise.length, 40 * MiB + 512)
  await handle.write(Buffer.from('the end'), 0, 7, size - 7)
  await handle.close()
  return createHash('sha256')
    .update(await fs.readFile(file))
    .digest('hex')
}

async function opened(file: string): Promise<ReadDisk> {
  const bytes = await fs.readFile(file)
  return openDisk('disk', {
    size: bytes.length,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
  })
}

async function digestOf({ size: whole, pieces }: ReadDisk): Promise<string> {
  const bytes = Buffer.alloc(whole)
  for await (const { offset, bytes: piece } of pieces()) bytes.set(piece, offset)
  return createHash('sha256').update(bytes).digest('hex')
}

test.skipIf(!hasTool).each([
  ['qcow2', []],
  ['qcow2', ['-c']],
  ['qcow2', ['-o', 'compat=0.10']],
  ['qcow2', ['-o', 'cluster_size=512']],
  ['qcow2', ['-c', '-o', 'cluster_size=2M']],
  ['vmdk', ['-o', 'subformat=streamOptimized']],
  ['vmdk', ['-o', 'subformat=monolithicSparse']],
] as const)('a %s that qemu-img wrote with %j has the bytes of its disk', async (format, options) => {
  const directory = await temporaryFolder()
  const raw = path.join(directory, 'disk.raw')
  const digest = await rawDisk(raw)
  const file = path.join(directory, 'disk')
  await run('qemu-img', ['convert', '-f', 'raw', '-O', format, ...options, raw, file])
  const disk = await opened(file)
  expect(disk.size).toBe(size)
  expect(await digestOf(disk)).toBe(digest)
})

test.skipIf(!hasTool).each([
  ['qcow2', ['-o', 'extended_l2=on'], 'with subclusters'],
  ['qcow2', ['-c', '-o', 'compression_type=zstd'], 'compressed by zstd'],
  ['vmdk', ['-o', 'subformat=twoGbMaxExtentSparse'], 'neither a qcow2 nor a VMDK image'],
  ['vhdx', [], 'neither a qcow2 nor a VMDK image'],
] as const)('a %s with %j is refused: %s', async (format, options, why) => {
  const directory = await temporaryFolder()
  const raw = path.join(directory, 'disk.raw')
  await rawDisk(raw)
  const file = path.join(directory, 'disk.img')
  const done = await run('qemu-img', ['convert', '-f', 'raw', '-O', format, ...options, raw, file]).then(
    () => true,
    () => false,
  )
  // Older ones write no zstd.
  if (!done) return
  await expect(opened(file)).rejects.toThrow(why)
})

test.skipIf(!hasTool)('a truncated image is refused while it is read', async () => {
  const directory = await temporaryFolder()
  const raw = path.join(directory, 'disk.raw')
  await rawDisk(raw)
  const file = path.join(directory, 'disk.qcow2')
  await run('qemu-img', ['convert', '-f', 'raw', '-O', 'qcow2', '-c', raw, file])
  await fs.truncate(file, (await fs.stat(file)).size - 256 * 1024)
  await expect(opened(file).then(digestOf)).rejects.toThrow('damaged')
})
