/** Changes come in bursts; one look at the result is enough. */
const shortestMs = 100
/** Where changes keep coming, the wait doubles up to this. */
const longestMs = 500

/**
 * Collects items for a moment, then handles them together; while that is running it collects the next. So a steady
 * stream of changes never cancels the reading it caused, the last change is always read, and a busy project costs two
 * readings a second.
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
