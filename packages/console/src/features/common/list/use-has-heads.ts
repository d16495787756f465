import { useSyncExternalStore } from 'react'

/**
 * From this width up, a table looks like a table. Below it, rows are cards, and heads are for screen readers only
 * (parts.css).
 */
const wide = '(width >= 48rem)'

const subscribe = (listener: () => void): (() => void) => {
  const query = matchMedia(wide)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether column heads are visible: invisible controls must not take the focus. */
export const useHasHeads = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(wide).matches)
