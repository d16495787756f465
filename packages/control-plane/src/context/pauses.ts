/** Milliseconds of work before the process turns to others. */
const breathMs = 8

/**
 * Keeps long work on the only thread from delaying others: called between its parts, it lets whatever else waits run
 * once the work has taken some milliseconds.
 */
export function breather(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < breathMs) return undefined
    return new Promise((resolve) =>
      setTimeout(() => {
        began = performance.now()
        resolve()
      }),
    )
  }
}
