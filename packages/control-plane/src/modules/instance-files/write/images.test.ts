import { MiB } from '@gantry/api/base/bytes.rules'
import { readImageHeader } from '@gantry/api/storage/image-header.rules'
import { expect, test } from 'vitest'
import { memoryBlocks } from '@gantry/control-plane/blocks/memory'
import { qcow2Of } from './qcow2.ts'
import { vmdkOf } from './vmdk.ts'
import type { DiskBytes, LaidOut } from './written-units.ts'

async function diskWith(size: number, offsets: readonly number[]): Promise<DiskBytes> {
  const blocks = memoryBlocks()
  await blocks.create('disk', size)
  for (const [at, offset] of offsets.entries())
    await blocks.write('disk', offset, new Uint8Array(512).fill(at + 1))
  return {
    size,
    read: (offset, length) => blocks.read('disk', offset, length),
    written: await blocks.written('disk'),
  }
}

async function fileOf({ size, pieces }: LaidOut): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size)
  let at = 0
  for await (const piece of pieces()) {
    bytes.set(piece, at)
    at += piece.length
  }
  expect(at).toBe(size)
  return bytes
}

const writers = {
  qcow2: qcow2Of,
  vmdk: (disk: DiskBytes) => vmdkOf(disk, { name: 'disk.vmdk', id: 7 }),
}

test.each([
  ['qcow2', MiB, []],
  ['qcow2', 5 * MiB, [0, 2 * MiB]],
  // Two tables of the second level, and a last cluster that the disk ends in.
  ['qcow2', 520 * MiB + 512, [0, 519 * MiB, 520 * MiB]],
  ['vmdk', MiB, []],
  ['vmdk', 100 * MiB + 512, [0, 64 * MiB, 99 * MiB, 100 * MiB]],
] as const)(
  'a %s of %i bytes is as large as was said, and its header names the disk',
  async (format, size, offsets) => {
    const bytes = await fileOf(await writers[format](await diskWith(size, offsets)))
    const read = async (offset: number, length: number) => bytes.slice(offset, offset + length)
    expect(await readImageHeader(format, { size: bytes.length, read })).toEqual({ size })
  },
)
