import { notifications } from '../support/steps.ts'
import { notOn } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

test(
  'charts over the hour that a clock change repeats name both zones, and keep their range',
  notOn({ preview: 'a page of it has its own data' }),
  async ({ open, machine, project }) => {
    await machine('clock')
    const first = await open('member', `/projects/${project}/instances/clock/metrics/cpu`)
    const state = await first.context().storageState()
    const context = await first.context().browser()?.newContext({
      storageState: state,
      timezoneId: 'America/New_York',
    })
    const page = await context?.newPage()
    if (!page) throw new Error('the browser has gone')
    const search = '?from=2026-11-01T05:30:00Z&to=2026-11-01T06:30:00Z'
    await page.goto(first.url().replace(/\?.*$/, '') + search)
    const range = page.getByRole('button', { name: /Choose a date range/ })
    await expect(range).toContainText('Nov 1, 2026, 1:30 AM EDT to 1:30 AM EST')
    await range.click()
    const dialog = page.getByRole('dialog', { name: 'Date range' })
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await expect(range).toContainText('1:30 AM EDT to 1:30 AM EST')
    await expect(page).toHaveURL(/from=2026-11-01T05%3A30%3A00.*to=2026-11-01T06%3A30%3A00/)
    // A later end stays the second of its kind.
    await range.click()
    await dialog.getByLabel('End').fill('2026-11-01T01:45')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await expect(range).toContainText('1:30 AM EDT to 1:45 AM EST')
    await context?.close()
  },
)

test('blanks around pasted addresses and names are dropped', async ({ open, project }) => {
  const page = await open('member', `/projects/${project}/vpcs/default/firewall-rules-new`)
  const form = page.getByRole('dialog', { name: 'Add firewall rule' })
  await form.getByLabel('Name', { exact: true }).fill(' pasted ')
  await form.getByLabel('Priority').fill('100')
  await form.getByLabel('Host type').selectOption('ip')
  await form.getByLabel('IP address').fill(' 10.0.0.4 ')
  await form.getByRole('button', { name: 'Add host filter' }).click()
  await expect(form.getByRole('table', { name: 'Host filters' })).toContainText('10.0.0.4')
  await form.getByRole('button', { name: 'Add rule' }).click()
  await expect(notifications(page)).toContainText('Firewall rule pasted created')
})

test('an instance without a network interface is offered no external address', async ({ open, project }) => {
  const page = await open('member', `/projects/${project}/instances-new`)
  await page.getByText('Networking', { exact: true }).click()
  const ephemeral = page.getByRole('checkbox', { name: 'Allocate and attach an ephemeral IP address' })
  await expect(ephemeral).toBeChecked()
  await page
    .getByRole('group', { name: 'Network interface' })
    .or(page.getByRole('radiogroup', { name: 'Network interface' }))
    .first()
    .getByRole('radio', { name: 'None' })
    .check()
  await expect(ephemeral).toBeDisabled()
  await expect(ephemeral).not.toBeChecked()
  await expect(page.getByText('An instance without a network interface cannot have external')).toBeVisible()
})

test('a description of characters outside the basic plane is cut between them', async ({
  open,
  api,
  project,
}) => {
  await api('member', 'POST', `/v1/vpcs?project=${project}`, {
    name: 'faces',
    description: `a${'😀'.repeat(60)}`,
    dns_name: 'faces',
  })
  const page = await open('member', `/projects/${project}/vpcs`)
  const row = page.getByRole('row', { name: /faces/ })
  await expect(row).toContainText('😀…')
  expect(await row.textContent()).not.toMatch(/[\p{Surrogate}\uFFFD]/u)
})

test(
  'a list that is refused for a missing role is asked for once',
  notOn({ preview: 'requests are answered in the page' }),
  async ({ open, project }) => {
    const page = await open('member', `/projects/${project}/vpcs`)
    let asked = 0
    await page.route(/\/v1\/disks\?/, async (route) => {
      asked += 1
      await route.fulfill({
        status: 403,
        json: { error_code: 'Forbidden', message: 'Forbidden', request_id: 'r-1' },
      })
    })
    await page.getByRole('link', { name: 'Disks', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible()
    expect(asked).toBe(1)
  },
)
