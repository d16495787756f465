import type { Services } from './cx.ts'

/** Something to keep true. `run` takes no input and may run at any moment; a number asks to come back so soon (ms). */
export interface Reconciler {
  name: string
  everyMs: number
  run: (services: Services) => Promise<number | void>
  /** Resolves when work that outlives a run is done. */
  finish?: () => Promise<unknown>
}

export interface Loop {
  /** Runs now, or once more right after the run under way. */
  wake: () => void
  /** No further run; resolves when the one under way is done. */
  stop: () => Promise<void>
}

/** Runs again and again, never twice at once; a failure is logged and does not end it. */
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
      if (!stopped) services.log.error({ err: error, loop: name }, 'a background loop failed and goes on')
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

/** One after the other. What fails is logged and keeps the rest from nothing: it is looked at again next time. */
export async function eachInTurn<Item>(
  services: Services,
  name: string,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  for (const item of items) {
    if (services.ending.aborted) return
    await work(item).catch((error: unknown) => {
      services.log.error({ err: error, loop: name, item }, 'a background loop left something undone')
    })
  }
}
