let shown = 0
const listeners = new Set<() => void>()

function add(count: number): void {
  shown += count
  for (const listener of listeners) listener()
}

/** Whether the 404 page is on screen, in place of the page that failed. */
export const notFound = {
  isShown: (): boolean => shown > 0,
  /** Returns a function to call when the page is left. */
  show: (): (() => void) => {
    add(1)
    return () => add(-1)
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
