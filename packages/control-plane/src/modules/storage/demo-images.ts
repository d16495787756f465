import { GiB, MiB } from '@gantry/api/base/bytes.rules'
import type { BlockStore } from '../../blocks/block-store.ts'

interface SeedImage {
  name: string
  description: string
  os: string
  version: string
  size: number
  block_size: number
}

/** Images installed at the first start: small but real contents for the simulated rack to boot. */
export const demoImages: readonly SeedImage[] = [
  {
    name: 'debian-13',
    description: 'General purpose',
    os: 'Debian GNU/Linux',
    version: '13',
    size: 2 * GiB,
    block_size: 512,
  },
  {
    name: 'alpine-3-22',
    description: 'Small and quick to start',
    os: 'Alpine Linux',
    version: '3.22',
    size: 1 * GiB,
    block_size: 512,
  },
  {
    name: 'fedora-43',
    description: 'Newest kernel and tools',
    os: 'Fedora Linux',
    version: '43',
    size: 5 * GiB,
    block_size: 4096,
  },
]

/** A boot sector with its signature, and a label a MiB further on; the rest is a hole. */
export async function makeImageContent(
  blocks: BlockStore,
  id: string,
  image: Pick<SeedImage, 'os' | 'version' | 'size' | 'block_size'>,
): Promise<void> {
  await blocks.create(id, image.size)
  const sector = new Uint8Array(512)
  sector.set([0xeb, 0x3c, 0x90])
  sector.set([0x55, 0xaa], 510)
  await blocks.write(id, 0, sector)
  const label = new Uint8Array(image.block_size)
  label.set(new TextEncoder().encode(`${image.os} ${image.version}\n`))
  await blocks.write(id, 1 * MiB, label)
}
