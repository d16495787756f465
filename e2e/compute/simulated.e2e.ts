import type { Page } from '@playwright/test'
import { visit, withFleet } from '../support/steps.ts'
import { notOn, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const strip = (page: Page) => page.getByRole('complementary', { name: 'Simulated rack' })

test(
  'every page says that the rack is simulated until dismissed, and Connect always does',
  story,
  async ({ open, project, machine }) => {
    await machine('box')
    const page = await open('viewer', '/projects')
    await expect(strip(page)).toContainText('Instances run no real software')
    await strip(page).getByRole('button', { name: 'Dismiss' }).click()
    await expect(strip(page)).toBeHidden()
    await visit(page, `/projects/${project}/instances/box/connect`)
    await expect(strip(page)).toBeVisible()
    await expect(strip(page).getByRole('button', { name: 'Dismiss' })).toBeHidden()
    await expect(page.getByText('Nothing responds there')).toBeVisible()
    await page.getByRole('tab', { name: 'Storage' }).click()
    await expect(strip(page)).toBeHidden()
  },
)

test('the system overview always says that the rack is simulated', async ({ open }) => {
  const page = await open('admin', '/system/issues')
  await strip(page).getByRole('button', { name: 'Dismiss' }).click()
  await expect(strip(page)).toBeHidden()
  await page.getByRole('link', { name: 'Overview' }).click()
  await expect(strip(page)).toBeVisible()
  await expect(strip(page).getByRole('button', { name: 'Dismiss' })).toBeHidden()
  await page.getByRole('link', { name: 'Issues', exact: true }).click()
  await expect(strip(page)).toBeHidden()
})

test(
  'the console of a server without our extensions mentions no simulated rack',
  notOn({ preview: 'mocks answers, which the preview gives inside the page' }),
  async ({ open, project, machine }) => {
    await machine('box')
    const page = await open('viewer', '/projects')
    await withFleet(page, undefined)
    await visit(page, `/projects/${project}/instances/box/connect`)
    await expect(page.getByRole('heading', { name: 'SSH' })).toBeVisible()
    await expect(strip(page)).toBeHidden()
    await expect(page.getByText('Nothing responds there')).toBeHidden()
  },
)
