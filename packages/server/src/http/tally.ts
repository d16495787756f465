/** How many of something each key has at the moment, up to a bound. */
export class Tally<Key> {
  readonly #counts = new Map<Key, number>()

  /** Counts one more, unless the key has `most` already. */
  enter(key: Key, most: number): boolean {
    const count = this.#counts.get(key) ?? 0
    if (count >= most) return false
    this.#counts.set(key, count + 1)
    return true
  }

  leave(key: Key): void {
    const left = (this.#counts.get(key) ?? 0) - 1
    if (left > 0) this.#counts.set(key, left)
    else this.#counts.delete(key)
  }
}
