import { expect, type Locator, type Page } from '@playwright/test'
import { type FleetFacts, fleetHeader } from '../../packages/api/src/system/fleet.rules.ts'
import { password, target } from './target.ts'

/** Steps that many tests share. */

export async function signIn(page: Page, username: string, secret = password): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Selects a silo from the list; only a browser's first visit shows it, later ones suggest the last silo. */
export async function chooseSilo(page: Page, silo = 'demo'): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${silo}\\b`) }).click()
}

/** Opens a path like the address bar; in the preview, which a reload would empty, by navigating. */
export async function visit(page: Page, path: string): Promise<void> {
  if (target !== 'preview') return void (await page.goto(path))
  await page.evaluate((to) => {
    // The router numbers history entries to tell Back from forward.
    const { __TSR_index: index = 0 } = (history.state ?? {}) as { __TSR_index?: number }
    history.pushState({ __TSR_index: index + 1 }, '', to)
  }, path)
}

/** An object counts as opened once the page has nothing else to do. */
export const remembered = (page: Page, name: string): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate(() =>
        Object.entries(localStorage)
          .filter(([key]) => key.startsWith('recent:'))
          .join(),
      ),
    )
    .toContain(`"${name}"`)

/** Runs steps that must not load the page anew, which would lose its state. */
export async function withoutReload(page: Page, run: () => Promise<void>): Promise<void> {
  await page.evaluate(() => (document.documentElement.dataset.stays = ''))
  await run()
  await expect(page.locator('html')).toHaveAttribute('data-stays')
}

/** Sends a request from the page, with its session; returns the status. */
export const ask = (page: Page, method: string, path: string, body?: object): Promise<number> =>
  page.evaluate(async ({ to, init }) => (await fetch(to, init)).status, {
    to: path,
    init: {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    },
  })

/** Reloads the page, so that it shows what its URL and the server contain. */
export async function refresh(page: Page): Promise<void> {
  if (target !== 'preview') return void (await page.reload())
  const cookies = await page.context().cookies()
  await become(page, cookies.find(({ name }) => name === 'preview-user')?.value ?? '')
}

/** The API of the preview page (packages/console/src/preview/start.tsx). */
type PreviewWindow = typeof globalThis & { gantryPreview: { become: (name: string) => Promise<void> } }

/** Switches the preview's user, and discards cached data. */
export const become = (page: Page, who: string): Promise<void> =>
  page.evaluate((name) => (globalThis as PreviewWindow).gantryPreview.become(name), who)

/** In lists with selection, a row's name starts with its checkbox. */
export const row = (page: Page, name: string): Locator =>
  page.getByRole('row', { name: new RegExp(`^(Select ${name} )?${name}\\b`) })

/** The cell of a row below this head of its table. */
export function cell(page: Page, name: string, column: string): Locator {
  const head = `ancestor::table//thead//th[normalize-space() = "${column}"]`
  return row(page, name).locator(`xpath=./*[${head}][position() = count(${head}/preceding-sibling::th) + 1]`)
}

/** Waits until a row has these texts below the heads of their columns. */
export async function expectRow(
  page: Page,
  name: string,
  cells: Readonly<Record<string, string | RegExp>>,
): Promise<void> {
  for (const [column, text] of Object.entries(cells)) await expect(cell(page, name, column)).toHaveText(text)
}

export const openRowMenu = (page: Page, name: string): Promise<void> =>
  row(page, name)
    .getByRole('button', { name: /^Actions for / })
    .click()

export const menuItem = (page: Page, name: string): Locator =>
  page.getByRole('menuitem', { name, exact: true })

/** Selects an action in a row's menu. */
export async function rowAction(page: Page, name: string, action: string): Promise<void> {
  await openRowMenu(page, name)
  await menuItem(page, action).click()
}

export const confirm = (page: Page): Promise<void> => page.getByRole('button', { name: 'Confirm' }).click()

export async function choose(page: Page, field: string, option: string | RegExp): Promise<void> {
  // The filter of a list behind a form is no field of it, though its name can contain the same word.
  const isField = page.locator(':not([type=search])')
  await page.getByRole('combobox', { name: field }).and(isField).click()
  await page.getByRole('option', { name: option }).click()
}

export const notifications = (page: Page): Locator => page.getByRole('region', { name: 'Notifications' })

/** Whether this browser retries a module that failed to load; others remember the failure until a reload. */
export async function retriesModules(page: Page): Promise<boolean> {
  const probe = '**/assets/probe.js'
  let times = 0
  await page.route(probe, (route) =>
    times++ === 0
      ? route.fulfill({ status: 404, body: 'no such file' })
      : route.fulfill({ contentType: 'text/javascript', body: 'export {}' }),
  )
  const loads = () => page.evaluate<boolean>(`import('/assets/probe.js').then(() => true, () => false)`)
  await loads()
  const loadsLater = await loads()
  await page.unroute(probe)
  return loadsLater
}

/** Removes embedded first responses, so that a test can count or mock the page's own requests. */
export const withoutFirstAnswers = (page: Page) =>
  page.route('**', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    const html = await response.text()
    const body = html.replace(/<script [^>]*id="first-answers">.*?<\/script>/s, '')
    await route.fulfill({ response, body })
  })

/** Gives answers the facts of another fleet, or, as from a third-party server, none. */
export async function withFleet(page: Page, facts: FleetFacts | undefined): Promise<void> {
  await withoutFirstAnswers(page)
  await page.route('**/v1/**', async (route) => {
    // The stream of changes never ends, so it has no answer to wait for.
    if (route.request().url().includes('/changes')) return route.fallback()
    const response = await route.fetch()
    const { [fleetHeader]: _, ...headers } = response.headers()
    await route.fulfill({
      response,
      headers: { ...headers, ...(facts && { [fleetHeader]: JSON.stringify(facts) }) },
    })
  })
}
