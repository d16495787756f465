import { useSyncExternalStore } from 'react'

/** From here up a table is a table; below, its rows are cards and its heads are only read out (parts.css). */
const wide = '(width >= 48rem)'

const subscribe = (listener: () => void): (() => void) => {
  const query = matchMedia(wide)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the heads of columns can be seen: what cannot be seen must not take the focus. */
export const useHasHeads = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(wide).matches)
