/**
 * Works on so many items at a time, each taken only when there is a hand free for it. The first failure gives up
 * everything that is under way, and is thrown when nothing is any more.
 */
export async function inParallel<Item>(
  items: Iterable<Item>,
  hands: number,
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]()
  const failing = new AbortController()
  const eitherSignal = AbortSignal.any([signal, failing.signal])

  async function hand(): Promise<void> {
    while (!eitherSignal.aborted) {
      const next = queue.next()
      if (next.done) return
      try {
        await work(next.value, eitherSignal)
      } catch (error) {
        failing.abort(error)
      }
    }
  }

  await Promise.all(Array.from({ length: hands }, hand))
  eitherSignal.throwIfAborted()
}
