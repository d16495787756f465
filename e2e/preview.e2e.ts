import { startPreview } from './preview-server.ts'
import { choose, notifications } from './steps.ts'
import { notOn } from './target.ts'
import { expect, test as base } from './test.ts'

const test = base.extend<object, { preview: string }>({
  preview: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape
    async ({}, use) => {
      const { url, stop } = await startPreview()
      await use(url)
      stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

test(
  'somebody tries the console without a server, and what they make lives until they reload',
  notOn({ preview: 'starts a preview of its own' }),
  async ({ page, preview }) => {
    test.setTimeout(120_000)
    // The first page is compiled while it loads.
    await page.goto(preview)
    await expect(page.getByRole('heading', { name: 'Projects' })).toBeVisible({ timeout: 60_000 })
    await expect(
      page.getByText('what you make here lasts while you move around in it, and is gone on refresh'),
    ).toBeVisible()

    await page.getByRole('link', { name: 'New Project' }).click()
    await page.getByLabel('Name', { exact: true }).fill('passing')
    await page.getByRole('button', { name: 'Create project' }).click()
    await expect(notifications(page)).toContainText('Project passing created')
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('link', { name: 'passing' }).click()
    await expect(page.getByText('No instances')).toBeVisible()

    await page.getByRole('link', { name: 'New Instance', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('airy', { timeout: 30_000 })
    await choose(page, 'Image', /alpine-3-22/)
    await page.getByRole('button', { name: 'Create instance' }).click()
    await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 30_000 })
    await page.getByRole('button', { name: 'Instance actions' }).click()
    await page.getByRole('menuitem', { name: 'View serial console' }).click()
    await expect(page.getByRole('application')).toContainText('airy login:', { timeout: 30_000 })

    await page.goto(`${preview}/projects`)
    await expect(page.getByRole('link', { name: 'playground' })).toBeVisible({ timeout: 30_000 })
    await expect(page.getByRole('link', { name: 'passing' })).toBeHidden()
  },
)
