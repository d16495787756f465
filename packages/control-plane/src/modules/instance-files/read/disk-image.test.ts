import { GiB, MiB } from '@gantry/api/base/bytes.rules'
import { expect, test } from 'vitest'
import { openDisk } from './disk-image.ts'

/** A qcow2 of version 2 with the smallest clusters and no data, of which only the header is not zero. */
function hollow(size: number, clusterBits: number) {
  const cluster = 2 ** clusterBits
  const entries = Math.ceil(size / ((cluster / 8) * cluster))
  const header = new DataView(new ArrayBuffer(72))
  header.setUint32(0, 0x514649fb)
  header.setUint32(4, 2)
  header.setUint32(20, clusterBits)
  header.setBigUint64(24, BigInt(size))
  header.setUint32(36, entries)
  header.setBigUint64(40, BigInt(cluster))
  let read = 0
  let most = 0
  return {
    file: {
      size: cluster + entries * 8,
      read: async (offset: number, length: number) => {
        read += length
        most = Math.max(most, length)
        const bytes = new Uint8Array(length)
        if (offset < 72) bytes.set(new Uint8Array(header.buffer).subarray(offset, offset + length))
        return bytes
      },
    },
    read: () => read,
    most: () => most,
  }
}

test('an image with the largest table is opened without reading it, and read a window at a time', async () => {
  const { file, read, most } = hollow(128 * GiB, 9)
  expect(file.size).toBeGreaterThan(32 * MiB)
  const disk = await openDisk('hollow', file)
  expect(disk.size).toBe(128 * GiB)
  expect(read()).toBeLessThan(MiB)
  const offsets = []
  for await (const { offset, bytes } of disk.pieces()) {
    expect(bytes).toHaveLength(0)
    offsets.push(offset)
  }
  expect(most()).toBeLessThanOrEqual(64 * 1024)
  // Nothing is written, and yet its reader learns how far it is.
  expect(offsets.length).toBeGreaterThan(100)
  expect(offsets.at(-1)).toBe(128 * GiB)
})

test.each([
  ['beyond the end of the file', 2n ** 55n],
  ['of which a part is missing', 512n + 8n],
])('a table %s is refused while the image is read', async (_where, at) => {
  const { file } = hollow(64 * MiB, 16)
  const led = {
    ...file,
    async read(offset: number, length: number) {
      const bytes = await file.read(offset, length)
      if (offset === 65_536) new DataView(bytes.buffer).setBigUint64(0, at - (at % 512n))
      return bytes
    },
  }
  const disk = await openDisk('led-astray', led)
  const all = async () => {
    for await (const { bytes } of disk.pieces()) expect(bytes).toHaveLength(0)
  }
  await expect(all()).rejects.toThrow('damaged')
})
