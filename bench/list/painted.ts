import type { Page } from 'playwright-core'

/** The condition to wait for: any rows, these rows, different rows, or all or none selected. */
export type Condition = { event?: string } & (
  | { kind: 'rows' | 'other' | 'chosen' }
  | { kind: 'names'; names: string[] }
)

/**
 * Milliseconds from the event of the action, or from now, until the condition is painted. The page listens
 * before the action: a key press can overtake the evaluated script.
 */
export async function paintedAfter(
  page: Page,
  wanted: Condition,
  act?: () => Promise<unknown>,
): Promise<number> {
  const seen = await page.evaluateHandle(painted, wanted)
  await act?.()
  return seen.evaluate(({ promise }) => promise)
}

/** Runs in the page; the promise is wrapped in an object, because it would be awaited otherwise. */
function painted(wanted: Condition): { promise: Promise<number> } {
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
    // What exists just before a frame is painted has been painted when the next task runs.
    const look = (): void => {
      if (from === undefined || !isThere()) return void requestAnimationFrame(look)
      setTimeout(() => resolve(performance.now() - (from ?? 0)))
    }
    requestAnimationFrame(look)
  })
  return { promise }
}

/**
 * Milliseconds that the page waited for the last page of rows, from the first byte sent to the last byte
 * received. The prefetch of one row of the next page does not count.
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
