/** Wakes waiters in this process. */
export class Bell {
  /** Number of rings so far. */
  rings = 0
  #listeners = new Set<() => void>()
  ring(): void {
    this.rings++
    for (const listener of this.#listeners) listener()
  }
  /** Resolves at the next ring, after `ms`, or when aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        this.#listeners.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      this.#listeners.add(done)
      signal.addEventListener('abort', done)
      if (signal.aborted) done()
    })
  }
}
