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
  const shown = useRef<Shown<Selection>>(undefined)
  const getSelection = useMemo(
    () => selecting(getSnapshot, selector, (after) => {
      const before = shown.current
      return before && isEqual?.(before.selection, after) ? before.selection : after
    }),
    [getSnapshot, selector, isEqual],
  )
  const selection = useSyncExternalStore(subscribe, getSelection)
  useEffect(() => {
    shown.current = { selection }
  }, [selection])
  return selection
}

type Shown<Selection> = { selection: Selection } | undefined

/** Selects once for each snapshot, because React asks for it several times and compares the answers. */
function selecting<Snapshot, Selection>(
  getSnapshot: () => Snapshot,
  selector: (snapshot: Snapshot) => Selection,
  keep: (after: Selection) => Selection,
): () => Selection {
  let last: { snapshot: Snapshot; selection: Selection } | undefined
  return () => {
    const snapshot = getSnapshot()
    if (!last || !Object.is(last.snapshot, snapshot)) last = { snapshot, selection: keep(selector(snapshot)) }
    return last.selection
  }
}
