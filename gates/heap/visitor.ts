import type { Browser, CDPSession, Page } from 'playwright-core'
import { pause } from './changes.ts'

const stayMs = 6000

/** A user who has the list of instances open all day, occasionally views one of them, and returns. */
export class Visitor {
  visits = 0

  private constructor(
    private readonly page: Page,
    private readonly session: CDPSession,
  ) {}

  static async open(browser: Browser, url: string, cookie: string): Promise<Visitor> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }])
    const page = await context.newPage()
    await page.goto(`${url}/projects/playground/instances`)
    return new Visitor(page, await context.newCDPSession(page))
  }

  /** Ends on the list, where it began. */
  async visit(): Promise<void> {
    const { page } = this
    await pause(stayMs)
    await page.getByRole('link', { name: `always-${this.visits++ % 6}`, exact: true }).click()
    await page.getByRole('tab', { name: 'Networking' }).click()
    await pause(stayMs)
    await page.getByRole('navigation').getByRole('link', { name: 'Instances', exact: true }).first().click()
    await page.getByRole('link', { name: 'always-0', exact: true }).waitFor()
  }

  /** What is retained after a collection: bytes, document nodes and listeners. */
  async memory(): Promise<{ page: number; nodes: number; listeners: number }> {
    await pause(1000)
    await this.session.send('HeapProfiler.collectGarbage')
    // The next collection frees what finalizers released.
    await this.session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await this.session.send('Runtime.getHeapUsage')
    const { nodes, jsEventListeners } = await this.session.send('Memory.getDOMCounters')
    return { page: usedSize, nodes, listeners: jsEventListeners }
  }
}
