import type { Page } from '@playwright/test'
import { confirm, refresh, row } from '../support/steps.ts'
import { notOn, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const GiB = 1024 ** 3
const panel = (page: Page) => page.getByRole('complementary', { name: 'Tasks' })
const tray = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Tasks/ })
const card = (page: Page, text: string | RegExp) =>
  panel(page).getByRole('listitem').filter({ hasText: text }).first()

test(
  'a user starts many instances, and after a reload still reads which failed, and tries those again',
  story,
  async ({ open, project, machine }) => {
    await machine('a-small')
    await machine('b-giant', { memory: 1536 * GiB })
    const page = await open('member', `/projects/${project}/instances`)
    await page.getByRole('columnheader').getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page
      .getByRole('toolbar', { name: 'Selected instances' })
      .getByRole('button', { name: 'Start', exact: true })
      .click()
    await confirm(page)
    await tray(page).click()
    await expect(card(page, /2 instances/)).toContainText('1 started, 1 failed')
    // It stays open, and knows what failed.
    await refresh(page)
    await card(page, 'Started 1 of 2 instances').getByRole('button', { name: 'Show the 1' }).click()
    await expect(panel(page).getByRole('list', { name: 'Failed' })).toContainText(
      /b-giant .*Could not find any valid sled/,
    )
    await expect(row(page, 'a-small')).toContainText('Running')
    await card(page, 'Started 1 of 2 instances').getByRole('button', { name: 'Retry 1' }).click()
    await expect(card(page, 'Could not start instance')).toContainText('1 failed')
    await panel(page).getByRole('button', { name: 'Close tasks' }).click()
    await expect(panel(page)).toBeHidden()
    await refresh(page)
    await expect(tray(page)).toHaveAttribute('aria-expanded', 'false')
  },
)

test('a viewer sees what others do, and finds the object', async ({ open, project, machine }) => {
  await machine('web', { start: true })
  const page = await open('viewer', `/projects/${project}/disks`)
  await tray(page).click()
  await expect(panel(page)).toContainText('Nothing is running')
  await panel(page).getByRole('radio', { name: 'Everybody’s' }).click()
  await panel(page).getByRole('combobox', { name: 'Where' }).selectOption(project)
  await expect(card(page, /Creat(ing|ed) instance web/)).toContainText('by member')
  await expect(card(page, 'Created instance web')).toBeVisible()
  await panel(page).getByRole('link', { name: 'web' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'web' })).toBeVisible()
  await expect(panel(page)).toBeVisible()
})

test('an instance shows what is done to it on its own page', async ({ open, project, machine }) => {
  await machine('web', { start: true })
  const page = await open('member', `/projects/${project}/instances/web/storage`)
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeEnabled({ timeout: 20_000 })
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await confirm(page)
  await expect(page.getByRole('list', { name: 'In progress' })).toContainText('Stopping instance web')
  await expect(page.getByRole('list', { name: 'In progress' })).toBeHidden()
})

test('on a phone it takes the place of the page, and a link leads back to it', async ({
  open,
  project,
  machine,
}) => {
  await machine('web', { start: true })
  const page = await open('member', `/projects/${project}/instances`)
  await page.setViewportSize({ width: 360, height: 740 })
  await tray(page).click()
  await expect(page.getByRole('heading', { name: 'Instances' })).toBeHidden()
  await panel(page).getByRole('link', { name: 'web' }).first().click()
  await expect(panel(page)).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'web' })).toBeVisible()
})

test(
  'a server without tasks has no button, and no error',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project }) => {
    const page = await open('member', '/projects')
    await page.route('**/ext/v1/tasks*', (route) => route.fulfill({ status: 404, body: 'none' }))
    const asked = page.waitForResponse(/ext\/v1\/tasks/)
    await page.goto(`/projects/${project}/instances`)
    await asked
    await expect(page.getByRole('button', { name: 'User menu' })).toBeVisible()
    await expect(tray(page)).toBeHidden()
  },
)
