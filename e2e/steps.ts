import type { Locator, Page } from '@playwright/test'
import { password, target } from './target.ts'

/** What people do on many screens, found as they find it. */

export async function signIn(page: Page, username: string, secret = password): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** From the list that the first visit of a browser begins with; later ones begin with the silo that worked last. */
export async function chooseSilo(page: Page, silo = 'demo'): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${silo}\\b`) }).click()
}

/** Goes to a path as if it had been typed; in the preview, which a refresh would empty, without loading the page anew. */
export async function visit(page: Page, path: string): Promise<void> {
  if (target !== 'preview') return void (await page.goto(path))
  await page.evaluate((to) => {
    // Numbered as the router does, which else does not know Back from forward.
    const { __TSR_index: index = 0 } = (history.state ?? {}) as { __TSR_index?: number }
    history.pushState({ __TSR_index: index + 1 }, '', to)
  }, path)
}

/** What the page itself is answered, as whoever is signed in on it: the status. */
export const ask = (page: Page, method: string, path: string, body?: object): Promise<number> =>
  page.evaluate(async ({ to, init }) => (await fetch(to, init)).status, {
    to: path,
    init: {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    },
  })

/** Begins the page anew: what is shown then is what its address and the control plane know. */
export async function refresh(page: Page): Promise<void> {
  if (target !== 'preview') return void (await page.reload())
  const cookies = await page.context().cookies()
  await become(page, cookies.find(({ name }) => name === 'preview-user')?.value ?? '')
}

/** What a page of the preview offers to scripts (packages/console/src/preview/start.tsx). */
type PreviewWindow = typeof globalThis & { gantryPreview: { become: (name: string) => Promise<void> } }

/** Makes a page of the preview somebody's, who sees nothing that it remembered. */
export const become = (page: Page, who: string): Promise<void> =>
  page.evaluate((name) => (globalThis as PreviewWindow).gantryPreview.become(name), who)

/** Where rows can be chosen, the box of the row is the first that is read of it. */
export const row = (page: Page, name: string): Locator =>
  page.getByRole('row', { name: new RegExp(`^(Select ${name} )?${name}\\b`) })

export const openRowMenu = (page: Page, name: string): Promise<void> =>
  row(page, name).getByRole('button', { name: 'Row actions' }).click()

export const menuItem = (page: Page, name: string): Locator =>
  page.getByRole('menuitem', { name, exact: true })

/** Chooses in the menu of a row, and says yes where that is asked for. */
export async function rowAction(page: Page, name: string, action: string): Promise<void> {
  await openRowMenu(page, name)
  await menuItem(page, action).click()
}

export const confirm = (page: Page): Promise<void> => page.getByRole('button', { name: 'Confirm' }).click()

export async function choose(page: Page, field: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option }).click()
}

export const notifications = (page: Page): Locator => page.getByRole('region', { name: 'Notifications' })

/** Whether this browser asks again for a module that did not come; others remember that until the page is loaded anew. */
export async function asksAgainForModules(page: Page): Promise<boolean> {
  const probe = '**/assets/probe.js'
  let times = 0
  await page.route(probe, (route) =>
    times++ === 0
      ? route.fulfill({ status: 404, body: 'no such file' })
      : route.fulfill({ contentType: 'text/javascript', body: 'export {}' }),
  )
  const comes = () => page.evaluate<boolean>(`import('/assets/probe.js').then(() => true, () => false)`)
  await comes()
  const comesLater = await comes()
  await page.unroute(probe)
  return comesLater
}

/** Lets a page ask for everything itself, so that a test can count its requests or answer them. */
export const withoutFirstAnswers = (page: Page) =>
  page.route('**', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    const html = await response.text()
    const body = html.replace(/<script [^>]*id="first-answers">.*?<\/script>/s, '')
    await route.fulfill({ response, body })
  })
