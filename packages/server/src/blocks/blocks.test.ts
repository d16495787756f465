import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { BlockStore } from '@gantry/control-plane/blocks/block-store'
import { memoryBlocks } from '@gantry/control-plane/blocks/memory'
import { describe, expect, test } from 'vitest'
import { fileBlocks } from './blocks-files.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const MiB = 1024 * 1024

describe('memory', () => {
  conformance(async () => memoryBlocks())
})
describe('files', () => {
  conformance(async () => fileBlocks(await temporaryFolder()))

  test('an empty terabyte takes no space and no time, nor does its copy', async () => {
    const folder = await temporaryFolder()
    const blocks = await fileBlocks(folder)
    const size = 1024 * 1024 * MiB
    await blocks.create('huge', size)
    await blocks.write('huge', size - 3, bytes(1, 2, 3))
    await blocks.create('copy', size, 'huge')
    await expect(blocks.read('copy', size - 4, 10)).resolves.toEqual(bytes(0, 1, 2, 3))
    await expect(spaceUsed(folder)).resolves.toBeLessThan(8 * MiB)
  })

  test('an object that is too large has no digest', async () => {
    const blocks = await fileBlocks(await temporaryFolder())
    await blocks.create('huge', 64 * 1024 * MiB + 1)
    await expect(blocks.digest('huge')).resolves.toBeUndefined()
  })

  test('written zeros become holes in a copy', async () => {
    const folder = await temporaryFolder()
    const blocks = await fileBlocks(folder)
    await blocks.create('zeros', 16 * MiB)
    await blocks.write('zeros', 0, new Uint8Array(16 * MiB))
    const before = await spaceUsed(folder)
    await blocks.create('copy', 16 * MiB, 'zeros')
    expect((await spaceUsed(folder)) - before).toBeLessThan(MiB)
  })

  test('a reopened store has every object and no unfinished work', async () => {
    const folder = await temporaryFolder()
    const first = await fileBlocks(folder)
    await first.create('a', 10)
    await first.write('a', 2, bytes(7))
    await expect(first.create('b', 10, 'missing')).rejects.toThrow('no block object missing')
    const left = path.join(folder, 'unfinished', 'left-by-a-kill')
    await fs.writeFile(left, 'x')
    await fs.utimes(left, 0, 0)
    const second = await fileBlocks(folder)
    await expect(second.read('a', 0, 10)).resolves.toEqual(bytes(0, 0, 7, 0, 0, 0, 0, 0, 0, 0))
    await expect(fs.readdir(path.join(folder, 'unfinished'))).resolves.toEqual([])
  })

  test('a finished file is adopted once, as a whole, and copies know its chunks', async () => {
    const folder = await temporaryFolder()
    const blocks = await fileBlocks(path.join(folder, 'blocks'))
    const finished = async (name: string, text: string) => {
      const made = path.join(folder, name)
      await fs.mkdir(made)
      await fs.writeFile(path.join(made, 'data'), Buffer.from(text))
      return made
    }
    const object = { size: 3 * MiB, written: bytes(1, 0, 0) }
    await blocks.adopt('a', await finished('one', 'first'), object)
    await blocks.adopt('a', await finished('other', 'second'), object)
    expect(await fs.readdir(folder)).toEqual(['blocks', 'other'])
    await blocks.create('copy', 3 * MiB, 'a')
    for (const id of ['a', 'copy']) {
      expect(await blocks.size(id)).toBe(3 * MiB)
      expect(Buffer.from(await blocks.read(id, 0, 6)).toString()).toBe('first\0')
    }
    const source = await blocks.source('a')
    expect((await fs.readFile(source.file)).subarray(0, 5).toString()).toBe('first')
    expect(source.written).toBe(MiB)
    await expect(blocks.source('missing')).rejects.toThrow('no block object missing')
    await expect(blocks.adopt('b', path.join(folder, 'nothing'), object)).rejects.toThrow('ENOENT')
    expect(await blocks.size('b')).toBeUndefined()
  })

  test.each(['../escape', '', '.hidden', 'a/b', 'a\0b', 'x'.repeat(200)])(
    '%j is not a valid name',
    async (id) => {
      const blocks = await fileBlocks(await temporaryFolder())
      await expect(blocks.create(id, 1)).rejects.toThrow('names no block object')
      await expect(blocks.size(id)).rejects.toThrow('names no block object')
    },
  )
})

function conformance(make: () => Promise<BlockStore>): void {
  test('unwritten bytes read as zero, and reading stops at the end', async () => {
    const blocks = await make()
    await blocks.create('a', 5)
    await expect(blocks.read('a', 0, 5)).resolves.toEqual(bytes(0, 0, 0, 0, 0))
    await expect(blocks.read('a', 3, 100)).resolves.toEqual(bytes(0, 0))
    await expect(blocks.read('a', 9, 1)).resolves.toEqual(bytes())
    await expect(blocks.size('a')).resolves.toBe(5)
  })

  test('reads return what was written, across pages and chunks', async () => {
    const blocks = await make()
    await blocks.create('a', 4 * MiB)
    const written = Uint8Array.from({ length: 2 * MiB + 17 }, (_, at) => at % 251)
    await blocks.write('a', MiB - 9, written)
    const read = await blocks.read('a', MiB - 9, written.length)
    expect(Buffer.compare(read, written)).toBe(0)
    await expect(blocks.read('a', MiB - 11, 4)).resolves.toEqual(bytes(0, 0, 0, 1))
    await blocks.write('a', MiB, bytes(255))
    await expect(blocks.read('a', MiB - 1, 3)).resolves.toEqual(bytes(8, 255, 10))
  })

  test('a write beyond the end is refused and changes nothing', async () => {
    const blocks = await make()
    await blocks.create('a', 4)
    await expect(blocks.write('a', 2, bytes(1, 2, 3))).rejects.toThrow('beyond the end')
    await expect(blocks.read('a', 0, 4)).resolves.toEqual(bytes(0, 0, 0, 0))
    await blocks.write('a', 4, bytes())
  })

  test('an object takes what was written of it, and its copy as much', async () => {
    const blocks = await make()
    await blocks.create('a', 64 * MiB)
    await expect(blocks.occupied('a')).resolves.toBe(0)
    await blocks.write('a', 8 * MiB, new Uint8Array(4 * MiB).fill(7))
    const taken = async (id: string) => ((await blocks.occupied(id)) ?? 0) / MiB
    expect(await taken('a')).toBeGreaterThanOrEqual(4)
    expect(await taken('a')).toBeLessThan(8)
    await blocks.create('b', 64 * MiB, 'a')
    expect(await taken('b')).toBeGreaterThanOrEqual(4)
    expect(await taken('b')).toBeLessThan(8)
    await expect(blocks.occupied('none')).resolves.toBeUndefined()
  })

  test('an object grows, keeps its bytes, and never shrinks', async () => {
    const blocks = await make()
    await blocks.create('a', MiB)
    await blocks.write('a', MiB - 2, bytes(1, 2))
    await blocks.grow('a', 3 * MiB)
    await blocks.grow('a', 2 * MiB)
    await expect(blocks.size('a')).resolves.toBe(3 * MiB)
    await expect(blocks.read('a', MiB - 2, 4)).resolves.toEqual(bytes(1, 2, 0, 0))
    await blocks.write('a', 3 * MiB - 1, bytes(9))
    await blocks.create('copy', 3 * MiB, 'a')
    await expect(blocks.read('copy', 3 * MiB - 1, 9)).resolves.toEqual(bytes(9))
    await expect(blocks.grow('none', 1)).rejects.toThrow('no block object none')
  })

  test("a clone has its source's contents at that time, and neither sees the other change", async () => {
    const blocks = await make()
    await blocks.create('a', 3 * MiB)
    await blocks.write('a', 2 * MiB, bytes(1, 2, 3))
    await blocks.create('b', 3 * MiB, 'a')
    await blocks.write('a', 2 * MiB, bytes(9))
    await blocks.write('b', 2 * MiB + 2, bytes(8))
    await expect(blocks.read('a', 2 * MiB, 3)).resolves.toEqual(bytes(9, 2, 3))
    await expect(blocks.read('b', 2 * MiB, 3)).resolves.toEqual(bytes(1, 2, 8))
    await blocks.create('c', 3 * MiB, 'b')
    await blocks.remove('b')
    await expect(blocks.read('c', 2 * MiB, 3)).resolves.toEqual(bytes(1, 2, 8))
  })

  test('a clone may be larger than its source', async () => {
    const blocks = await make()
    await blocks.create('a', 2)
    await blocks.write('a', 0, bytes(1, 2))
    await blocks.create('b', 3 * MiB, 'a')
    await expect(blocks.read('b', 0, 4)).resolves.toEqual(bytes(1, 2, 0, 0))
    await blocks.write('b', 3 * MiB - 1, bytes(5))
    await expect(blocks.size('b')).resolves.toBe(3 * MiB)
  })

  test('a zeroed range reads as zero, and its neighbours are unchanged', async () => {
    const blocks = await make()
    await blocks.create('a', 4 * MiB)
    await blocks.write('a', MiB - 2, new Uint8Array(2 * MiB + 4).fill(1))
    await blocks.create('b', 4 * MiB, 'a')
    await blocks.zero('a', MiB, 2 * MiB)
    await expect(blocks.read('a', MiB - 3, 4)).resolves.toEqual(bytes(0, 1, 1, 0))
    await expect(blocks.read('a', 2 * MiB, 1)).resolves.toEqual(bytes(0))
    await expect(blocks.read('a', 3 * MiB - 1, 4)).resolves.toEqual(bytes(0, 1, 1, 0))
    await expect(blocks.read('b', MiB, 2)).resolves.toEqual(bytes(1, 1))
    await expect(blocks.zero('a', 3 * MiB, 2 * MiB)).rejects.toThrow('beyond the end')
    await expect(blocks.zero('c', 0, 1)).rejects.toThrow('no block object c')
  })

  test('the digest covers every byte, including holes', async () => {
    const blocks = await make()
    const content = new Uint8Array(3 * MiB + 512)
    content.set([1, 2, 3], 2 * MiB - 1)
    await blocks.create('a', content.length)
    await blocks.write('a', 2 * MiB - 1, bytes(1, 2, 3))
    await expect(blocks.digest('a')).resolves.toBe(createHash('sha256').update(content).digest('hex'))
    await blocks.create('empty', 0)
    await expect(blocks.digest('empty')).resolves.toBe(createHash('sha256').digest('hex'))
    await expect(blocks.digest('b')).rejects.toThrow('no block object b')
  })

  test('concurrent writers all find their bytes', async () => {
    const blocks = await make()
    await blocks.create('a', 2 * MiB)
    const places = Array.from({ length: 40 }, (_, index) => index)
    await Promise.all(places.map((place) => blocks.write('a', place * 50_000, bytes(place + 1))))
    await blocks.create('b', 2 * MiB, 'a')
    const read = await Promise.all(places.map((place) => blocks.read('b', place * 50_000, 1)))
    expect(read).toEqual(places.map((place) => bytes(place + 1)))
  })

  test('creating again changes nothing, with any arguments', async () => {
    const blocks = await make()
    await blocks.create('a', 4)
    await blocks.write('a', 0, bytes(1))
    await blocks.create('a', 4)
    await blocks.create('a', 9, 'missing')
    await expect(blocks.read('a', 0, 9)).resolves.toEqual(bytes(1, 0, 0, 0))
  })

  test('two concurrent creations of one object create it once', async () => {
    const blocks = await make()
    await Promise.all(
      [1, 2, 3, 4].map(() => blocks.create('a', 4).then(() => blocks.write('a', 1, bytes(3)))),
    )
    await expect(blocks.read('a', 0, 4)).resolves.toEqual(bytes(0, 3, 0, 0))
  })

  test('removing is idempotent, and using a removed object is an error', async () => {
    const blocks = await make()
    await blocks.create('a', 4)
    await blocks.remove('a')
    await blocks.remove('a')
    await expect(blocks.size('a')).resolves.toBeUndefined()
    await expect(blocks.read('a', 0, 1)).rejects.toThrow('no block object a')
    await expect(blocks.write('a', 0, bytes(1))).rejects.toThrow('no block object a')
    await expect(blocks.create('b', 4, 'a')).rejects.toThrow('no block object a')
  })
}

function bytes(...values: number[]): Uint8Array {
  return new Uint8Array(values)
}

async function spaceUsed(folder: string): Promise<number> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const stats = await Promise.all(files.map((entry) => fs.stat(path.join(entry.parentPath, entry.name))))
  return stats.reduce((sum, { blocks }) => sum + blocks * 512, 0)
}
