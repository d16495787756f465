import type { Page } from 'playwright-core'

/** What is waited for: any rows, these ones, others than now, or that all or none are chosen. */
export type Wanted = { event?: string } & (
  | { kind: 'rows' | 'other' | 'chosen' }
  | { kind: 'names'; names: string[] }
)

/**
 * Milliseconds from the event of what is done, or from now, until what is wanted has been painted. The page listens
 * before it is done: a key can overtake what is still being evaluated.
 */
export async function paintedAfter(
  page: Page,
  wanted: Wanted,
  act?: () => Promise<unknown>,
): Promise<number> {
  const seen = await page.evaluateHandle(painted, wanted)
  await act?.()
  return seen.evaluate(({ promise }) => promise)
}

/** In the page; with an object around the promise, which would be waited for otherwise. */
function painted(wanted: Wanted): { promise: Promise<number> } {
  const names = (): string[] => [...document.querySelectorAll('tbody a.name')].map((link) => link.textContent)
  const boxes = (): number => document.querySelectorAll('tbody [type=checkbox]:checked').length
  const [before, chosenBefore] = [names().join(), boxes()]
  const isThere = (): boolean => {
    if (wanted.kind === 'names') return names().join() === wanted.names.join()
    if (wanted.kind === 'chosen') return boxes() !== chosenBefore
    return names().length > 0 && (wanted.kind === 'rows' || names().join() !== before)
  }
  const promise = new Promise<number>((resolve) => {
    let from: number | undefined = wanted.event ? undefined : performance.now()
    if (wanted.event) addEventListener(wanted.event, () => (from ??= performance.now()), { capture: true })
    // What is there just before a frame is painted has been handed over when the next task runs.
    const look = (): void => {
      if (from === undefined || !isThere()) return void requestAnimationFrame(look)
      setTimeout(() => resolve(performance.now() - (from ?? 0)))
    }
    requestAnimationFrame(look)
  })
  return { promise }
}

/**
 * Milliseconds that the page waited for the last page of rows, from the first byte sent to the last byte received. One
 * row of the next page is looked at afterwards, and nobody waits for it.
 */
export const serverTime = (page: Page, asked: Record<string, string> = {}): Promise<number> =>
  page.evaluate((wanted) => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const query = Object.entries({ limit: '50', ...wanted })
    const last = entries.findLast(({ name }) => {
      const { searchParams } = new URL(name)
      return query.every(([key, value]) => searchParams.get(key) === value)
    })
    return last ? last.responseEnd - last.requestStart : 0
  }, asked)

export const longTasks = (page: Page): Promise<number[]> =>
  page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        new PerformanceObserver((found) =>
          resolve(found.getEntries().map(({ duration }) => duration)),
        ).observe({
          type: 'longtask',
          buffered: true,
        })
        setTimeout(() => resolve([]), 1000)
      }),
  )
