import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { qcow2Of } from '@gantry/control-plane/modules/instance-files/write/qcow2'
import { vmdkOf } from '@gantry/control-plane/modules/instance-files/write/vmdk'
import type { DiskBytes } from '@gantry/control-plane/modules/instance-files/write/written-units'
import { expect, test } from 'vitest'
import { fileBlocks } from '../blocks/blocks-files.ts'
import { MiB, run } from '../testing/image-conversion.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const hasTool = await run('qemu-img', ['--version']).then(
  () => true,
  () => false,
)
if (!hasTool) console.warn('skipped: qemu-img is not installed')

const size = 700 * MiB + 512

async function writtenDisk(directory: string): Promise<{ disk: DiskBytes; digest: string }> {
  const blocks = await fileBlocks(directory)
  await blocks.create('disk', size)
  const written = [0, MiB - 512, 33 * MiB + 65_536, 600 * MiB, size - 512]
  for (const [at, offset] of written.entries())
    await blocks.write('disk', offset, new Uint8Array(512).fill(at + 1))
  // A part that is longer than what is read at once.
  await blocks.write(
    'disk',
    100 * MiB,
    Uint8Array.from({ length: 3 * MiB }, (_, at) => (at * 7) % 251),
  )
  const disk: DiskBytes = {
    size,
    read: (offset, length) => blocks.read('disk', offset, length),
    written: await blocks.written('disk'),
  }
  const hash = createHash('sha256')
  for (let at = 0; at < size; at += MiB) hash.update(await blocks.read('disk', at, Math.min(MiB, size - at)))
  return { disk, digest: hash.digest('hex') }
}

test.skipIf(!hasTool).each(['qcow2', 'vmdk'] as const)(
  'qemu-img finds no fault in a %s of an export, and reads the bytes of its disk from it',
  async (format) => {
    const directory = await temporaryFolder()
    const { disk, digest } = await writtenDisk(directory)
    const image = format === 'qcow2' ? await qcow2Of(disk) : await vmdkOf(disk, { name: 'disk.vmdk', id: 1 })
    const file = path.join(directory, `disk.${format}`)
    await fs.writeFile(file, image.pieces())
    const { stdout } = await run('qemu-img', ['check', '-f', format, '--output=json', file])
    expect(JSON.parse(stdout)).toMatchObject({ 'check-errors': 0 })
    expect(JSON.parse(stdout)).not.toHaveProperty('leaks')
    const raw = path.join(directory, 'disk.raw')
    await run('qemu-img', ['convert', '-f', format, '-O', 'raw', file, raw])
    expect((await fs.stat(raw)).size).toBe(size)
    const hash = createHash('sha256')
    for await (const piece of (await fs.open(raw)).createReadStream()) hash.update(piece as Buffer)
    expect(hash.digest('hex')).toBe(digest)
  },
)
