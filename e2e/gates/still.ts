import type { Page } from '@playwright/test'
import { atRest } from '../support/checks.ts'

/**
 * Prepares a page for a picture: whatever differs between runs (ids, times, the server's port) is replaced by
 * text of the same width.
 */
export async function still(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  await atRest(page)
  await page.evaluate(() => {
    const same: readonly [RegExp, string][] = [
      [
        /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
        '0f4c2a10-93c1-4b7e-8d52-6a1e7b0c9d34',
      ],
      [/\b[0-9a-f]{8}-[0-9a-f-]*…[0-9a-f-]+\b/g, '0f4c2a10-93…a1e7b0c9d34'],
      [/\b[0-9a-f]{5}…[0-9a-f]{5}\b/g, '0f4c2…c9d34'],
      [/\bfd[0-9a-f]{2}(:[0-9a-f]{1,4}){2}::/g, 'fd3a:5c1e:94b7::'],
      [/\b([0-9A-F]{2}:){5}[0-9A-F]{2}\b/gi, 'A8:40:25:F0:00:01'],
      [/\b[A-Z][a-z]{2} \d{1,2}, \d{4}/g, 'Nov 21, 2026'],
      [/\b\d{1,2}:\d{2}(:\d{2})?\s?(AM|PM)\b/g, '10:24 AM'],
      [/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/g, '2026-11-21T10:24:00'],
      [/\b\d{4}-\d{2}-\d{2}\b(?!T)/g, '2026-12-05'],
      [/127\.0\.0\.1:\d+/g, '127.0.0.1:8080'],
    ]
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const text = node.nodeValue ?? ''
      // The range of charts, the same in each run. Its button renders again once the samples arrive.
      if (text.startsWith('Jan 1, 2026')) continue
      const isAge = node.parentElement?.closest('time') && /^\d+\s?[smhdwy]( ago)?$/.test(text.trim())
      const next = isAge
        ? text.replace(/\d+\s?[smhdwy]/, '3h')
        : same.reduce((result, [pattern, by]) => result.replace(pattern, by), text)
      if (next !== text) node.nodeValue = next
    }
  })
}
