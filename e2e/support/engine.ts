import type {
  Browser,
  BrowserContext,
  Locator,
  PlaywrightTestOptions,
  PlaywrightWorkerOptions,
} from '@playwright/test'
import { findChromium } from './chromium.mjs'
import { findFirefox } from './firefox.mjs'

/** The browser that runs the tests; the gate `engines` selects Firefox. */
const engine = engineOf(process.env.GANTRY_ENGINE ?? 'chromium')

function engineOf(name: string): 'chromium' | 'firefox' {
  if (name === 'chromium' || name === 'firefox') return name
  throw new Error(`GANTRY_ENGINE is chromium or firefox, and not ${name}`)
}

type Options = Partial<PlaywrightTestOptions & PlaywrightWorkerOptions>

export async function engineOptions(): Promise<Options> {
  if (engine === 'chromium') return { browserName: 'chromium', launchOptions: await findChromium() }
  const executablePath = findFirefox()
  return {
    browserName: 'firefox',
    // Drives an unmodified Firefox by WebDriver BiDi; otherwise Playwright requires its own build.
    channel: 'moz-firefox',
    launchOptions: {
      ...(executablePath && { executablePath }),
      // Instead of the permission to read the clipboard, for which Firefox asks at each reading.
      firefoxUserPrefs: { 'dom.events.testing.asyncClipboard': true },
    },
    // Playwright's adapter for WebDriver BiDi does not return from a screenshot of a closing page.
    screenshot: 'off',
  }
}

/** Fields whose value is not typed as text. */
const pickers = new Set(['color', 'date', 'datetime-local', 'month', 'range', 'time', 'week'])

/**
 * By WebDriver BiDi, Playwright's `fill` sets the value by a script whose input event React does not see. Typing
 * is what users do.
 */
export async function adapt(browser: Browser): Promise<void> {
  if (engine === 'chromium') return
  const page = await browser.newPage()
  const prototype = Object.getPrototypeOf(page.locator('html')) as Locator
  const ofContexts = Object.getPrototypeOf(page.context()) as BrowserContext
  await page.close()
  // Only permissions of the clipboard are ever granted, which Firefox does not know.
  ofContexts.grantPermissions = () => Promise.resolve()
  // oxlint-disable-next-line typescript/unbound-method -- called with its locator below
  const set = prototype.fill
  prototype.fill = async function (this: Locator, value, options) {
    const type = await this.evaluate((field) => (field as HTMLInputElement).type, undefined, options)
    if (pickers.has(type)) return set.call(this, value, options)
    await this.selectText(options)
    await (value === '' ? this.press('Delete', options) : this.pressSequentially(value, options))
  }
}
