import type { Services } from '../context/services.ts'

/**
 * Keeps something true. `run` takes no input and may run at any moment; a returned number schedules the next
 * run (ms).
 */
export interface Reconciler {
  name: string
  everyMs: number
  run: (services: Services) => Promise<number | void>
  /** Resolves when work that outlives a run is done. */
  finish?: () => Promise<unknown>
}

export interface Loop {
  /** Runs now, or again right after the current run. */
  wake: () => void
  /** Stops further runs; resolves when the current one is done. */
  stop: () => Promise<void>
}

/** Runs repeatedly, never concurrently with itself; a failure is logged and does not end the loop. */
export function startLoop(services: Services, { name, everyMs, run, finish }: Reconciler): Loop {
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | undefined
  let again = false
  let stopped = false

  const turn = async (): Promise<void> => {
    let next = everyMs
    try {
      next = Math.min(everyMs, (await run(services)) ?? everyMs)
    } catch (error) {
      if (!stopped) services.log.error({ err: error, loop: name }, 'a background loop failed and continues')
    }
    running = undefined
    if (stopped) return
    if (again) {
      again = false
      wake()
    } else timer = setTimeout(wake, next)
  }
  const wake = (): void => {
    if (stopped) return
    if (running) {
      again = true
      return
    }
    clearTimeout(timer)
    running = turn()
  }
  timer = setTimeout(wake, 0)
  return {
    wake,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
      await finish?.()
    },
  }
}

/**
 * Runs items one after the other. A failure is logged and does not stop the rest: the next run retries it.
 */
export async function eachInTurn<Item>(
  services: Services,
  name: string,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  for (const item of items) {
    if (services.ending.aborted) return
    await work(item).catch((error: unknown) => {
      services.log.error(
        { err: error, loop: name, item },
        'a background loop skipped an item after a failure',
      )
    })
  }
}
