/** Counts entries by key, up to a limit. */
export class KeyedLimit<Key> {
  readonly #counts = new Map<Key, number>()

  /** Adds one, unless the key is at its limit. */
  enter(key: Key, limit: number): boolean {
    const count = this.#counts.get(key) ?? 0
    if (count >= limit) return false
    this.#counts.set(key, count + 1)
    return true
  }

  leave(key: Key): void {
    const left = (this.#counts.get(key) ?? 0) - 1
    if (left > 0) this.#counts.set(key, left)
    else this.#counts.delete(key)
  }
}
