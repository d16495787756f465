/** Changes come in bursts; one read per burst is enough. */
const minDelayMs = 100
/** While changes keep coming, the wait doubles up to this limit. */
const maxDelayMs = 500

/**
 * Collects items for a moment, then handles them together, and collects the next batch while that runs. A steady
 * stream of changes never cancels a running read, the last change is always read, and a busy project costs two reads
 * a second.
 */
export function batcher<Item>(
  run: (items: Item[]) => Promise<unknown>,
  { minDelay = minDelayMs, maxDelay = maxDelayMs } = {},
): (item: Item) => void {
  let pending: Item[] = []
  let isRunning = false
  let waitMs = minDelay
  let quietSince = Number.NEGATIVE_INFINITY

  async function drain(): Promise<void> {
    isRunning = true
    while (pending.length > 0) {
      waitMs = performance.now() - quietSince < maxDelay * 2 ? Math.min(waitMs * 2, maxDelay) : minDelay
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
