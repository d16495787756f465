let count = 0
const listeners = new Set<() => void>()

/** How often the page has changed hands: whatever a page held for one person is not kept for the next. */
export const visit = {
  current: (): number => count,
  begin(): void {
    count += 1
    for (const listener of listeners) listener()
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
