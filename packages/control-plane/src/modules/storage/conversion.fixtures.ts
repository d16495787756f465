import type { PackedFormat } from '@gantry/api/storage/image-format.rules'
import type { BlockStore } from '../../blocks/block-store.ts'
import type { ImageConversion, ImageConverter } from '../../blocks/image-converter.ts'

const MiB = 1024 ** 2

/** What a converted image begins with. */
export const convertedBytes = new TextEncoder().encode('converted')

const nothing: (conversion: ImageConversion) => Promise<void> = async () => {}

/** A converter whose work tests steer. */
export function fakeConverter(blocks: BlockStore) {
  const fake = {
    lacks: new Map<PackedFormat, string>(),
    size: 4 * MiB,
    /** Runs before the object is made. */
    before: nothing,
    /** Runs once the object is made. */
    after: nothing,
    conversions: [] as ImageConversion[],
    discarded: [] as string[],
    /** Forgets every instruction. */
    reset(): void {
      fake.lacks.clear()
      fake.size = 4 * MiB
      fake.before = nothing
      fake.after = nothing
      fake.conversions = []
      fake.discarded = []
    },
  }
  const converter: ImageConverter = {
    whyNot: async (format) => fake.lacks.get(format),
    async convert(conversion) {
      fake.conversions.push(conversion)
      await fake.before(conversion)
      conversion.signal.throwIfAborted()
      await blocks.create(conversion.to, fake.size)
      await blocks.write(conversion.to, 0, convertedBytes)
      await fake.after(conversion)
    },
    discard: async (to) => void fake.discarded.push(to),
  }
  return { converter, fake }
}

/** Resolves when a conversion is aborted. */
export const aborted = ({ signal }: ImageConversion): Promise<void> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
