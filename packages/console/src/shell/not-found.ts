let shown = 0
const listeners = new Set<() => void>()

function add(count: number): void {
  shown += count
  for (const listener of listeners) listener()
}

/** Whether the 404 page is shown, in place of whichever page failed. */
export const notFound = {
  isShown: (): boolean => shown > 0,
  /** Returns what to call when it is no longer shown. */
  show: (): (() => void) => {
    add(1)
    return () => add(-1)
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
