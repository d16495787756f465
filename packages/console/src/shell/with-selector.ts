import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'

/**
 * Stands in for `use-sync-external-store/with-selector`, by which the router reads its state (vite.config.ts): React has
 * the store itself for years, and a script of CommonJS around the rest weighs twice as much. A selection that equals
 * the one before keeps its identity.
 */
export function useSyncExternalStoreWithSelector<Snapshot, Selection>(
  subscribe: (onChange: () => void) => () => void,
  getSnapshot: () => Snapshot,
  _getServerSnapshot: unknown,
  selector: (snapshot: Snapshot) => Selection,
  isEqual?: (before: Selection, after: Selection) => boolean,
): Selection {
  const shown = useRef<{ selection: Selection }>(undefined)
  const getSelection = useMemo(() => {
    let last: { snapshot: Snapshot; selection: Selection } | undefined
    return () => {
      const snapshot = getSnapshot()
      if (last && Object.is(last.snapshot, snapshot)) return last.selection
      const before = last ?? shown.current
      const selection = selector(snapshot)
      last = { snapshot, selection: before && isEqual?.(before.selection, selection) ? before.selection : selection }
      return last.selection
    }
  }, [getSnapshot, selector, isEqual])
  const selection = useSyncExternalStore(subscribe, getSelection)
  useEffect(() => {
    shown.current = { selection }
  }, [selection])
  return selection
}
