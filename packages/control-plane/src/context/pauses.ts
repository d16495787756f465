/** Milliseconds of work before the process turns to others. */
const breathMs = 8

/** Lets others run between the parts of long work; undefined while it has not taken long. */
export type Breath = () => Promise<void> | undefined

/** Long work that paused, in order. One piece of it resumes in each turn of the event loop. */
const paused: (() => void)[] = []
let isResuming = false

/**
 * Keeps long work on the only thread from delaying others: called between its parts, it lets whatever else waits run
 * once the work has taken some milliseconds. Pieces of long work take turns with each other, so that many delay others
 * no longer than one does. `onPause` is told each time.
 */
export function breather(onPause?: () => void): Breath {
  let began = performance.now()
  return () => {
    if (performance.now() - began < breathMs) return undefined
    onPause?.()
    return new Promise((resolve) => {
      paused.push(() => {
        began = performance.now()
        resolve()
      })
      if (isResuming) return
      isResuming = true
      setTimeout(resumeNext)
    })
  }
}

function resumeNext(): void {
  paused.shift()?.()
  isResuming = paused.length > 0
  if (isResuming) setTimeout(resumeNext)
}
