import { visit } from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

test('a member finds in the documentation how lists are filtered', story, async ({ open }) => {
  const page = await open('member', '/projects')
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Documentation' }).click()
  await expect(page).toHaveTitle('Documentation / Gantry')
  await expect(page.getByRole('heading', { name: 'Documentation', level: 1 })).toBeVisible()

  // Its own search finds parts of pages, and says so where there is none.
  const search = page
    .getByRole('navigation', { name: 'Sidebar navigation' })
    .getByRole('searchbox', { name: 'Search the documentation' })
  await search.fill('nosuchword')
  await expect(page.getByText('Nothing matches')).toBeVisible()
  await search.fill('saved views')
  await page.getByRole('link', { name: /^Saved views/ }).click()
  await expect(page).toHaveURL(/\/docs\/filters#saved-views$/)
  await expect(page).toHaveTitle('Filters of lists / Documentation / Gantry')
  await expect(page.getByRole('heading', { name: 'Saved views' })).toBeInViewport()

  // So does the palette, from any page.
  await visit(page, '/projects')
  await expect(page.getByRole('link', { name: 'New project' })).toBeVisible()
  await page.getByRole('button', { name: /Jump to/ }).click()
  await page.keyboard.type('disk_create')
  await page.getByRole('option', { name: 'Create a disk API: Storage' }).click()
  await expect(page).toHaveURL(/\/docs\/api-storage#disk_create$/)
  await expect(page.getByText('POST /v1/disks', { exact: true })).toBeInViewport()

  // An unknown page is none of it.
  await visit(page, '/docs/no-such-page')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('a visitor reads the documentation before signing in, and returns to it afterwards', async ({
  open,
}) => {
  const page = await open('nobody', '/login')
  await page.getByRole('link', { name: 'Documentation' }).click()
  await expect(page.getByRole('heading', { name: 'Documentation', level: 1 })).toBeVisible()
  await page
    .getByRole('searchbox', { name: 'Search the documentation' })
    .locator('visible=true')
    .fill('record session')
  await page
    .getByRole('link', { name: /^Record what you do/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { name: 'Record what you do', level: 1 })).toBeVisible()
  // What would be loaded ahead for a user is not, and nothing leads to the sign-in page without a click.
  await page.getByRole('article').getByRole('link', { name: 'access token' }).click()
  const settings = page.getByRole('article').getByRole('link', { name: 'Settings, Access Tokens' })
  await settings.hover()
  await expect(page.getByRole('heading', { name: 'Automate with a token', level: 1 })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Automate with a token', level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: 'User menu' })).toBeHidden()

  await settings.click()
  await expect(page).toHaveURL(/\/login\?redirect_uri=%2Fsettings%2Faccess-tokens/)
  await page.goto('/docs/token')
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(/\/login\?redirect_uri=%2Fdocs%2Ftoken/)
})
