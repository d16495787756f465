import type { Page } from '@playwright/test'
import { row } from '../support/steps.ts'
import { notOn, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const pane = (page: Page) => page.locator('#content')
const top = (page: Page) => pane(page).evaluate(({ scrollTop }) => scrollTop)
const sidebar = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sidebar' }).getByRole('link', { name })

/** Waits until the page is long enough to scroll. */
async function scrollDown(page: Page): Promise<void> {
  await expect(row(page, 'allow-icmp')).toBeVisible()
  await pane(page).evaluate((element) => element.scrollTo(0, 120))
  expect(await top(page)).toBe(120)
}

test(
  'Back restores the scroll position, and a new page starts at the top',
  story,
  async ({ open, project }) => {
    const page = await open('member', `/projects/${project}/vpcs/default/firewall-rules`)
    await page.setViewportSize({ width: 1440, height: 400 })
    await scrollDown(page)
    await sidebar(page, 'Disks').click()
    await expect(page).toHaveTitle(/^Disks/)
    expect(await top(page)).toBe(0)
    await page.goBack()
    await expect(page).toHaveTitle(/^Firewall/)
    await expect.poll(() => top(page)).toBe(120)
  },
)

test(
  'a reload keeps the scroll position of the page',
  notOn({ preview: 'reloads' }),
  async ({ open, project }) => {
    const page = await open('member', `/projects/${project}/vpcs/default/firewall-rules`)
    await page.setViewportSize({ width: 1440, height: 400 })
    await scrollDown(page)
    await page.reload()
    await expect.poll(() => top(page)).toBe(120)
  },
)
