import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { atRest, cutOff, findings, looks, sideways } from '../support/checks.ts'
import { startPreview } from '../support/preview-server.ts'
import { choose, notifications } from '../support/steps.ts'
import { notOn, story } from '../support/target.ts'
import { expect, test as base } from '../support/test.ts'

/** `preview` is served by `npm run dev`; `site` is the build. */
const test = base.extend<object, { preview: string; site: string }>({
  preview: [
    async ({ browser }, use) => {
      const { url, stop } = await startPreview('dev')
      // The first page compiles while it loads, which takes a minute on a busy machine.
      const page = await browser.newPage()
      await page.goto(url)
      await page.getByRole('heading', { name: 'Projects', exact: true }).waitFor()
      await page.close()
      await use(url)
      stop()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  site: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape
    async ({}, use) => {
      const { url, stop } = await startPreview('serve-preview')
      await use(url)
      stop()
    },
    // It builds whatever is stale.
    { scope: 'worker', timeout: 240_000 },
  ],
})
const ownPreview = notOn({ preview: 'starts its own preview' })

test(
  'the console works without a server, and changes last until a reload',
  ownPreview,
  async ({ page, preview }) => {
    await page.goto(preview)
    // The page makes its database first.
    await expect(page.getByRole('heading', { name: 'Projects', exact: true })).toBeVisible({
      timeout: 60_000,
    })
    await expect(
      page.getByText(
        'Resources created here persist across navigation within the console and vanish on refresh',
      ),
    ).toBeVisible()

    await page.getByRole('link', { name: 'New project' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('passing')
    await page.getByRole('button', { name: 'Create project' }).click()
    await expect(notifications(page)).toContainText('Project passing created')
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('table', { name: 'Projects' }).getByRole('link', { name: 'passing' }).click()
    await expect(page.getByText('No instances')).toBeVisible()

    await page.getByRole('link', { name: 'New instance', exact: true }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('airy', { timeout: 30_000 })
    await choose(page, 'Image', /alpine-3-22/)
    await page.getByRole('button', { name: 'Create instance' }).click()
    await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 30_000 })
    await page.getByRole('button', { name: 'Instance actions' }).click()
    await page.getByRole('menuitem', { name: 'View serial console' }).click()
    await expect(page.getByRole('application')).toContainText('airy login:', { timeout: 30_000 })

    await page.goto(`${preview}/projects`)
    const projects = page.getByRole('table', { name: 'Projects' })
    await expect(projects.getByRole('link', { name: 'playground' })).toBeVisible({ timeout: 30_000 })
    await expect(page.getByRole('link', { name: 'passing' })).toHaveCount(0)
  },
)

test('the banner explains the preview in a dialog', ownPreview, async ({ page, site }) => {
  await page.goto(`${site}/projects`)
  const more = page.getByRole('button', { name: 'Learn more' })
  await more.click({ timeout: 60_000 })
  const dialog = page.getByRole('dialog', { name: 'Console Technical Preview' })
  await expect(dialog).toContainText('Nobody else sees the resources that you create')
  for (const { theme, width, height } of looks) {
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width, height })
    await atRest(page)
    const where = `${theme}, ${width} wide`
    expect.soft(await findings(page, 'overlays'), `${where}: axe`).toEqual([])
    expect.soft(await sideways(page), `${where}: sideways scroll`).toBeLessThanOrEqual(0)
    expect.soft(await cutOff(page), `${where}: cut off at the edge`).toEqual([])
  }
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  await expect(more).toBeFocused()
})

const options = (page: Page) => page.getByRole('button', { name: /^Preview options/ })

/** Selects an option in the banner's menu. */
async function selectOption(page: Page, choice: RegExp): Promise<void> {
  await options(page).click()
  await page.getByRole('menuitemradio', { name: choice }).click()
}

/** Calls the API as another user; the page's own user stays. */
const callAs = (page: Page, user: string, method: string, to: string, body?: object): Promise<number> =>
  page.evaluate(
    async ([user, method, to, body]) => {
      const headers = { 'x-preview-user': user, 'content-type': 'application/json' }
      return (await fetch(to, { method, headers, ...(body && { body: JSON.stringify(body) }) })).status
    },
    [user, method, to, body] as const,
  )

test(
  'switching users by keyboard keeps changes, and a reload discards them',
  ownPreview,
  async ({ page, site }) => {
    // A deep link, which the web server has no file for.
    await page.goto(`${site}/projects?preview-user=member`)
    await expect(page.getByRole('link', { name: 'playground' })).toBeVisible({ timeout: 60_000 })
    expect(new URL(page.url()).search).toBe('')
    await expect(options(page)).toContainText('Collaborator')
    expect(await callAs(page, 'member', 'POST', '/v1/projects', { name: 'passing', description: '' })).toBe(
      201,
    )
    await expect(page.getByRole('link', { name: 'passing' })).toBeVisible()

    await options(page).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitemradio', { name: /^Fleet admin/ })).toBeFocused()
    await page.keyboard.type('viewer')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'User menu' })).toContainText('viewer')
    await expect(page.getByRole('link', { name: 'passing' })).toBeVisible()
    await page.getByRole('button', { name: 'New project' }).focus()
    await expect(page.getByText(/collaborator/).first()).toBeVisible()

    await selectOption(page, /newcomer/)
    await expect(page.getByText('You are not in any groups and have no role on the silo.')).toBeVisible()
    await selectOption(page, /owner/)
    await expect(page.getByRole('link', { name: 'passing' })).toBeVisible()

    await page.reload()
    await expect(page.getByRole('button', { name: 'User menu' })).toContainText('owner', { timeout: 60_000 })
    await expect(page.getByRole('link', { name: 'playground' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'passing' })).toBeHidden()
  },
)

test('the console can be shown with slow responses', ownPreview, async ({ context, page, site }) => {
  await context.addCookies([{ name: 'preview-user', value: 'viewer', url: site }])
  await page.goto(`${site}/projects`)
  await expect(page.getByRole('button', { name: 'User menu' })).toContainText('viewer', { timeout: 60_000 })
  const took = () =>
    page.evaluate(async () => {
      const from = performance.now()
      await fetch('/v1/me')
      return performance.now() - from
    })
  await selectOption(page, /^200 to 400 ms/)
  await expect(options(page)).toContainText('slow')
  // The configured minimum, not a measurement.
  expect(await took()).toBeGreaterThanOrEqual(200)
  expect((await context.cookies()).find(({ name }) => name === 'preview-delay')?.value).toBe('on')
  await selectOption(page, /^No delay/)
  await expect(options(page)).not.toContainText('slow')
})

test(
  'a run with failing calls can be repeated from its seed, and turned off',
  ownPreview,
  async ({ page, site }) => {
    // With this seed, the first request for the current user fails with 500.
    await page.goto(`${site}/projects?preview-chaos=100&preview-seed=0`)
    await expect(page.getByText('Something went wrong')).toBeVisible({ timeout: 60_000 })
    await expect(options(page)).toContainText('100 % errors')

    const run = () =>
      page.evaluate(async () => {
        const answers = await Promise.all(
          Array.from({ length: 40 }, (_, at) => fetch(`/v1/projects?limit=${at + 100}`)),
        )
        const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as Record<
          string,
          unknown
        >[]
        return answers.map(({ status }, at) => ({ status, keys: Object.keys(bodies[at] ?? {}) }))
      })
    await selectOption(page, /^50 %/)
    const first = await run()
    await page.reload()
    await expect(options(page)).toContainText('50 % errors', { timeout: 60_000 })
    expect(await run()).toEqual(first)
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([200, 401, 403, 404, 500]))
    for (const { status, keys } of first)
      if (status !== 200) expect(keys).toEqual(['request_id', 'error_code', 'message', 'help'])

    await page.goto(`${site}/projects?preview-chaos=0`)
    await expect(page.getByRole('link', { name: 'playground' })).toBeVisible({ timeout: 60_000 })
    await expect(options(page)).not.toContainText('errors')
  },
)

test('live updates continue after the change stream was refused', ownPreview, async ({ page, site }) => {
  // With this seed, the second connection gets 404, and the page's other requests succeed.
  await page.goto(`${site}/projects?preview-seed=650`)
  await expect(page.getByRole('link', { name: 'playground' })).toBeVisible({ timeout: 60_000 })
  await selectOption(page, /^5 %/)
  const refused = page.waitForEvent('console', (message) => message.text().includes('404'))
  await selectOption(page, /^Viewer/)
  await refused
  expect(await callAs(page, 'member', 'POST', '/v1/projects', { name: 'heard-of', description: '' })).toBe(
    201,
  )
  await expect(page.getByRole('link', { name: 'heard-of' })).toBeVisible()
})

const built = (name: string): string => fileURLToPath(new URL(`../../packages/${name}/dist`, import.meta.url))

/** Strings that appear only in the preview: its texts, modules and libraries. */
const marks = [
  'mockServiceWorker',
  'mswjs',
  'pglite',
  'Technical preview',
  'preview-banner',
  'x-preview-user',
]

test('the product build contains nothing of the preview', { ...story, ...ownPreview }, async ({ site }) => {
  expect(site).toBeTruthy()
  const contents = (folder: string): string =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(br|gz|wasm|data|woff2)$/.test(entry.name))
      .map((entry) => `${entry.name}\n${readFileSync(path.join(entry.parentPath, entry.name), 'utf8')}`)
      .join('\n')
  const [product, preview] = [contents(built('console')), contents(built('preview'))]
  for (const mark of marks) {
    expect(product, mark).not.toContain(mark)
    // Otherwise their absence would prove nothing.
    expect(preview, mark).toContain(mark)
  }
})
