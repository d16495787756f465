/**
 * Makes one sync serve all who wrote before it began: while one runs, those who come wait together for the next. With
 * several writers on a file that is several times fewer, and a sync is what a write mostly waits for.
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
    // Whoever else waits does not care how the one before them ended.
    next ??= running.catch(() => {}).then(() => run(sync))
    return next
  }
}
