import { formatIpv4 } from '../../packages/control-plane/src/modules/network/addresses/ip.ts'
import type { Span } from '../../packages/server/src/fleet/qemu/network/spans.ts'

export const braces = (items: readonly string[]): string => `{${items.join(', ')}}`

/** The fewest blocks that make up a span. */
export function blocksOf({ first, last }: Span): string[] {
  const blocks: string[] = []
  for (let next = first; next <= last;) {
    let size = 1
    while (size < 2 ** 32 && next % (size * 2) === 0 && next + size * 2 - 1 <= last) size *= 2
    blocks.push(`${formatIpv4(next)}/${32 - Math.log2(size)}`)
    next += size
  }
  return blocks
}
