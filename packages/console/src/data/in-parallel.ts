/**
 * Processes items with limited concurrency, taking each only when a slot is free. The first failure aborts all
 * running items and is thrown when they have ended.
 */
export async function inParallel<Item>(
  items: Iterable<Item>,
  concurrency: number,
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]()
  const failing = new AbortController()
  const eitherSignal = AbortSignal.any([signal, failing.signal])

  async function worker(): Promise<void> {
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

  await Promise.all(Array.from({ length: concurrency }, worker))
  eitherSignal.throwIfAborted()
}
