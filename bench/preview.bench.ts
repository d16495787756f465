import { setTimeout as pause } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { findChromium } from '../e2e/support/chromium.mjs'
import { startPreview } from '../e2e/support/preview-server.ts'
import { ms, table } from './measure.ts'

const refreshes = 5
/** After the first list the console prefetches what later pages need. */
const settledMs = 4000

/**
 * The time from navigation to the preview's first list, in a fresh browser and after refreshes. The
 * development server is measured with the page already compiled.
 */
export default async function measure(): Promise<void> {
  const rows = []
  for (const [what, tool] of [
    ['built site', 'serve-preview'],
    ['development server', 'dev'],
  ] as const) {
    const { url, stop } = await startPreview(tool)
    try {
      await visit(url, 1)
      const [cold = 0, ...again] = await visit(url, refreshes)
      again.sort((one, other) => one - other)
      rows.push({ what, cold: ms(cold), 'refresh, median': ms(again[Math.floor(again.length / 2)] ?? 0) })
    } finally {
      stop()
    }
  }
  table(rows)
}

/** Milliseconds of a first visit in a new browser, and of subsequent refreshes. */
async function visit(url: string, refreshes: number): Promise<number[]> {
  const browser = await chromium.launch(await findChromium())
  try {
    const page = await browser.newPage()
    const taken: number[] = []
    for (let round = 0; round <= refreshes; round++) {
      const from = performance.now()
      await page.goto(`${url}/projects`)
      await page.getByRole('link', { name: 'playground' }).waitFor({ timeout: 180_000 })
      taken.push(performance.now() - from)
      // Later prefetches must not affect the next round.
      await pause(settledMs)
    }
    return taken
  } finally {
    await browser.close()
  }
}
