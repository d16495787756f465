import type { BrowserContext, Page } from '@playwright/test'
import { bodyOf, type Stage, type User } from './stage.ts'
import { become, visit } from './steps.ts'

/**
 * One page contains the whole control plane and closes with the test. Fixtures are created through it before it
 * is opened, and later calls of `open` reuse it: its data does not survive a reload.
 */
export function previewStage(context: BrowserContext): Stage {
  let loading: Promise<Page> | undefined
  let isReferenced = false

  async function load(who: User | 'nobody', path: string): Promise<Page> {
    const page = await context.newPage()
    const user = who === 'nobody' ? '' : who
    await page.goto(`${path}${path.includes('?') ? '&' : '?'}preview-user=${user}`)
    // Until the control plane is ready, the page's server responds that it is not.
    await page.evaluate(async () => {
      while (!(await fetch('/v1/ping')).ok) await new Promise((resolve) => setTimeout(resolve, 100))
    })
    // Until the console is rendered, it does not notice navigation.
    await page.locator('#root main').first().waitFor({ timeout: 60_000 })
    return page
  }

  async function change(page: Page, who: User | 'nobody', path: string): Promise<void> {
    if (who === 'nobody') {
      if (isReferenced) throw new Error('Signing out would reload the page.')
      await visit(page, path)
    } else {
      await become(page, who)
      // From a sign-in page, the console must load before it notices navigation.
      await page.getByRole('banner').waitFor()
      await visit(page, path)
    }
  }

  return {
    async open(who, path) {
      if (loading) await change(await loading, who, path)
      else loading = load(who, path)
      isReferenced = true
      return loading
    },
    async api(user, method, path, body) {
      loading ??= load('nobody', '/login')
      const init = {
        method,
        headers: {
          'x-preview-user': user,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }
      const page = await loading
      const answer = await page.evaluate(
        async (asked) => {
          const response = await fetch(asked.path, asked.init)
          return { status: response.status, text: await response.text() }
        },
        { path, init },
      )
      return bodyOf(method, path, answer)
    },
    async clear() {
      if (!loading) return
      const page = await loading
      const { origin } = new URL(page.url())
      await page.close()
      // The next test starts with default settings. They are cleared after the console is closed, which writes some once it
      // knows its user, whether or not the test is over.
      const beside = await context.newPage()
      const session = await context.newCDPSession(beside)
      await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' })
      await beside.close()
    },
  }
}
