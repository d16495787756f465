/** Changes come in bursts; one read per burst is enough. */
const shortestMs = 100
/** While changes keep coming, the wait doubles up to this limit. */
const longestMs = 500

/**
 * Collects items for a moment, then handles them together, and collects the next batch while that runs. A steady
 * stream of changes never cancels a running read, the last change is always read, and a busy project costs two reads
 * a second.
 */
export function batcher<Item>(
  run: (items: Item[]) => Promise<unknown>,
  { shortest = shortestMs, longest = longestMs } = {},
): (item: Item) => void {
  let pending: Item[] = []
  let isRunning = false
  let waitMs = shortest
  let quietSince = Number.NEGATIVE_INFINITY

  async function drain(): Promise<void> {
    isRunning = true
    while (pending.length > 0) {
      waitMs = performance.now() - quietSince < longest * 2 ? Math.min(waitMs * 2, longest) : shortest
      await sleep(waitMs)
      const items = pending
      pending = []
      await run(items).catch(() => undefined)
      quietSince = performance.now()
    }
    isRunning = false
  }

  return (item) => {
    pending.push(item)
    if (!isRunning) void drain()
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
