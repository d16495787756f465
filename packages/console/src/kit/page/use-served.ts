import { useLiveState } from '#/data/live.ts'

interface Offered {
  /** On servers with extensions only. */
  isExtension?: true
}

/** A server without the stream has no other extensions either. */
export const useHasExtensions = (): boolean => useLiveState() !== 'absent'

/** The items that this server supports. */
export function useServed<Item extends Offered>(items: readonly Item[]): Item[] {
  const hasExtensions = useHasExtensions()
  return items.filter(({ isExtension }) => hasExtensions || !isExtension)
}
