import { firstAnswersId } from '@gantry/api/base/first-answers.rules'
import type { Page } from '@playwright/test'

/*
 * Requests changed within the page. Playwright's routes copy the body of every request of a page to the test, also
 * of those that match none, which takes a second for each piece of an upload on a busy machine.
 */

interface Requests {
  /** A regular expression of their URL. */
  url: string
  /** How many of them go through first. */
  passing: number
}

/** Responds like a server without these, on this page and after each reload. */
export async function hideInPage(page: Page, url: string): Promise<void> {
  // Such a server embeds no answers either.
  await page.addInitScript((id) => {
    document.addEventListener('readystatechange', () => document.getElementById(id)?.remove())
  }, firstAnswersId)
  await both(page, hide, { url, passing: 0 })
}

/**
 * Holds these until released; counts anew after a reload.
 * @returns Releases them.
 */
export async function holdInPage(page: Page, requests: Requests): Promise<() => Promise<void>> {
  await both(page, hold, requests)
  return () => page.evaluate(() => void dispatchEvent(new Event('release')))
}

async function both(page: Page, script: (requests: Requests) => void, requests: Requests): Promise<void> {
  await page.addInitScript(script, requests)
  await page.evaluate(script, requests)
}

/** Runs in the page. */
function hide({ url }: Requests): void {
  const pattern = new RegExp(url)
  const send = globalThis.fetch
  const absent = { request_id: 'd0b1a9a7-0000-4000-8000-000000000000', message: 'Not Found' }
  globalThis.fetch = async (resource, init) =>
    typeof resource === 'string' && pattern.test(resource)
      ? Response.json(absent, { status: 404 })
      : send(resource, init)
}

/** Runs in the page. */
function hold({ url, passing }: Requests): void {
  const pattern = new RegExp(url)
  const send = globalThis.fetch
  const released = new Promise((resolve) => addEventListener('release', resolve, { once: true }))
  let passed = 0
  globalThis.fetch = async (resource, init) => {
    const signal = init?.signal
    if (typeof resource === 'string' && pattern.test(resource) && !signal?.aborted && ++passed > passing)
      await Promise.race([released, new Promise((resolve) => signal?.addEventListener('abort', resolve))])
    return send(resource, init)
  }
}
