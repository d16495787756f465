let count = 0
const listeners = new Set<() => void>()

/** Counts the switches of user: state kept for one user must not reach the next. */
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
