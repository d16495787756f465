import { useLiveState } from '#/data/live.ts'

interface Offered {
  /** On servers with extensions only. */
  isExtension?: true
}

/** The items that this server supports. A server without the stream has no other extensions either. */
export function useServed<Item extends Offered>(items: readonly Item[]): Item[] {
  const hasExtensions = useLiveState() !== 'absent'
  return items.filter(({ isExtension }) => hasExtensions || !isExtension)
}
