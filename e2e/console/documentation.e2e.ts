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
