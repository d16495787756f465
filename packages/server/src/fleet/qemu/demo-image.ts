import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { GiB, MiB } from '@gantry/api/base/bytes.rules'
import type { BlockStore } from '@gantry/control-plane/blocks/block-store'
import type { ImageConverter } from '@gantry/control-plane/blocks/image-converter'
import type { FirstImage, Log } from '@gantry/control-plane/environment'
import { unlessMissing } from '../../blocks/block-files-io.ts'

/** Where `npm run demo-image` leaves it, found from the sources and from the built server alike. */
const built = fileURLToPath(new URL('../../../dist/demo-image.qcow2', import.meta.url))
const BLOCK_SIZE = 512

export interface DemoImageFrom {
  blocks: BlockStore
  converter: ImageConverter
  log: Log
  file?: string
}

/** The image that the first start adds, if it has been built and can be converted. */
export async function demoImage({
  blocks,
  converter,
  log,
  file = built,
}: DemoImageFrom): Promise<FirstImage | undefined> {
  const bytes = await unlessMissing(readFile(file))
  if (!bytes) return undefined
  const why = await converter.whyNot('qcow2')
  if (why !== undefined) {
    log.warn({ file }, `the demo image is not added: ${why}`)
    return undefined
  }
  return {
    name: 'demo-linux',
    description: 'A tiny Linux to try things out: root has no password on the serial console',
    os: 'Linux',
    version: 'demo',
    block_size: BLOCK_SIZE,
    async write(contentId) {
      const packed = randomUUID()
      await blocks.create(packed, bytes.length)
      try {
        for (let at = 0; at < bytes.length; at += MiB)
          await blocks.write(packed, at, bytes.subarray(at, at + MiB))
        await converter.convert({
          from: packed,
          to: contentId,
          format: 'qcow2',
          blockSize: BLOCK_SIZE,
          maxBytes: GiB,
          reserve: (size) => blocks.needRoom(size),
          progress: () => {},
          signal: new AbortController().signal,
        })
      } finally {
        await blocks.remove(packed)
      }
      const size = await blocks.size(contentId)
      if (size === undefined) throw new Error('the demo image was not written')
      return size
    },
  }
}
