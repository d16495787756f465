/**
 * Shares one sync among all who wrote before it began: callers that arrive during a sync wait together for
 * the next. With several writers per file this needs several times fewer syncs, and a write mostly waits for
 * a sync.
 */
export function sharedSync(): (sync: () => Promise<void>) => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const run = (sync: () => Promise<void>): Promise<void> => {
    next = undefined
    running = sync().finally(() => {
      running = undefined
    })
    return running
  }
  return (sync) => {
    if (!running) return run(sync)
    // The result of the previous sync is irrelevant to the next callers.
    next ??= running.catch(() => {}).then(() => run(sync))
    return next
  }
}
