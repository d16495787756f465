/** Wakes waiters in this process. */
export class Wakeups {
  /** How often it has woken them so far. */
  count = 0
  #listeners = new Set<() => void>()
  wake(): void {
    this.count++
    for (const listener of this.#listeners) listener()
  }
  /** Resolves at the next wake-up, after `ms`, or when aborted. */
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
