/**
 * The selected rows of a list. Kept outside the table, so that a selection renders one checkbox instead of fifty
 * rows.
 */
export interface Selection {
  has: (id: string) => boolean
  /** The selected rows of the page on screen, in its order. */
  ids: () => readonly string[]
  toggle: (id: string) => void
  selectAll: () => void
  /** Selects what matches on all pages. */
  selectEverything: () => void
  /** Whether that is selected. */
  isEverything: () => boolean
  clear: () => void
  /** How much of the page is selected. */
  extent: () => 'none' | 'some' | 'all'
  /** Sets the rows of the page and deselects those no longer on it. */
  show: (ids: readonly string[]) => void
  subscribe: (listener: () => void) => () => void
}

export function createSelection(): Selection {
  const listeners = new Set<() => void>()
  let shown: readonly string[] = []
  let selected: ReadonlySet<string> = new Set()
  let ids: readonly string[] = []
  let isEverything = false

  function become(next: ReadonlySet<string>, everything = false): void {
    selected = next
    isEverything = everything
    const nextIds = shown.filter((id) => selected.has(id))
    // The same array as long as the selection is the same: a new one renders what reads it.
    if (!areSame(ids, nextIds)) ids = nextIds
    for (const listener of listeners) listener()
  }

  return {
    has: (id) => selected.has(id),
    ids: () => ids,
    toggle(id) {
      const next = new Set(selected)
      if (!next.delete(id)) next.add(id)
      become(next)
    },
    selectAll: () => become(new Set(shown)),
    selectEverything: () => become(new Set(shown), true),
    isEverything: () => isEverything,
    clear: () => become(new Set()),
    extent: () => (ids.length === 0 ? 'none' : ids.length === shown.length ? 'all' : 'some'),
    show(next) {
      if (areSame(shown, next)) return
      shown = next
      // Of everything, the rows of a next page are a part.
      become(isEverything ? new Set(next) : new Set(next.filter((id) => selected.has(id))), isEverything)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const areSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id, index) => id === other[index])
