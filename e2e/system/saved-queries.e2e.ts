import type { Page } from '@playwright/test'
import { ownServer, testOwnServer } from '../support/own-server.ts'
import { confirm, menuItem, notifications, row, rowAction, visit, withoutReload } from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
const number = (page: Page, label: string) => page.getByRole('spinbutton', { name: label })
const temperature = 'get hardware_component:temperature | filter timestamp > @now() - 5m | last 1'
/** Only a server of its own evaluates a new query without evaluating those of other tests first. */
const testFiring = testOwnServer({ issues: { check_seconds: 1 } })
const listOf = (project: string) => `/projects/${project}/saved-queries`

test(
  'a member saves a query with a threshold in percent, changes it and deletes it',
  story,
  async ({ open, project }) => {
    const page = await open('member', `/projects/${project}/metrics`)
    await page.getByRole('button', { name: 'Queries' }).click()
    await withoutReload(page, async () => {
      await page.getByRole('link', { name: 'Manage saved queries' }).click()
      await expect(page.getByText('No saved queries')).toBeVisible()
    })
    await page.getByRole('link', { name: 'New saved query' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create saved query' })
    await field(page, 'Name').fill('busy')
    await form.getByRole('checkbox', { name: 'Watch with a threshold' }).check()
    await number(page, 'Value (% of a vCPU)').fill('85')
    await number(page, 'Duration (minutes)').fill('5')
    await form.getByRole('button', { name: 'Create saved query' }).click()
    await expect(row(page, 'busy')).toContainText('above 85% of a vCPU for 5 minutes')
    // Nothing runs here.
    await expect(row(page, 'busy')).toContainText('No data')

    await page.getByRole('link', { name: 'busy', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'busy' })).toBeVisible()
    await expect(page.getByText('group_by [instance_id], mean')).toBeVisible()
    await page.getByRole('button', { name: 'Saved query actions' }).click()
    await menuItem(page, 'Edit').click()
    await expect(number(page, 'Value (% of a vCPU)')).toHaveValue('85')
    await page.getByRole('radio', { name: 'Below' }).check()
    await page.getByRole('button', { name: 'Update saved query' }).click()
    await expect(page.getByText('below 85% of a vCPU for 5 minutes')).toBeVisible()
    // The page behind the form may learn of the change before the form closes.
    await expect(page.getByRole('dialog')).toBeHidden()

    await visit(page, listOf(project))
    await rowAction(page, 'busy', 'Delete')
    await confirm(page)
    await expect(notifications(page)).toContainText('busy')
    await expect(page.getByText('No saved queries')).toBeVisible()
  },
)

test('the filter of a list is watched, and fires while objects match', async ({ open, project, machine }) => {
  await machine('web-1')
  const page = await open('member', `/projects/${project}/instances?filter=name:web-*`)
  await page.getByRole('button', { name: 'Views' }).click()
  await menuItem(page, 'Get alerts of this filter').click()
  const form = page.getByRole('dialog', { name: 'Create saved query' })
  await expect(field(page, 'Filter')).toHaveValue('name:web-*')
  await expect(form.getByRole('radio', { name: 'Objects that match a filter' })).toBeChecked()
  await field(page, 'Name').fill('webs')
  await field(page, 'Filter').fill('name:web-* colour:red')
  await form.getByRole('button', { name: 'Create saved query' }).click()
  await expect(field(page, 'Filter')).toHaveAccessibleDescription(/colour/)
  await field(page, 'Filter').fill('name:web-*')
  await number(page, 'Duration (minutes)').fill('0')
  await form.getByRole('button', { name: 'Create saved query' }).click()
  await expect(row(page, 'webs')).toContainText('above 0 instances')
  await expect(row(page, 'webs')).toContainText('Instances: name:web-*')
  await expect(row(page, 'webs')).toContainText('Firing', { timeout: 60_000 })
  await page.getByRole('link', { name: 'webs', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Objects that match' })).toContainText('1 instance')
  await page.getByRole('button', { name: 'Saved query actions' }).click()
  await menuItem(page, 'Edit').click()
  await expect(number(page, 'Value (instances)')).toHaveValue('0')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('link', { name: 'Show matches' }).click()
  await expect(row(page, 'web-1')).toBeVisible()
})

test('a query that cannot be read is refused at its field', async ({ open, project }) => {
  const page = await open('member', `${listOf(project)}-new`)
  await field(page, 'Name').fill('wrong')
  await field(page, 'Query').fill('get virtual_disk:reads | fliter x == 1')
  await page.getByRole('button', { name: 'Create saved query' }).click()
  await expect(field(page, 'Query')).toHaveAccessibleDescription(/fliter/)
})

test('viewers read saved queries, and learn why they cannot change them', async ({ open, api, project }) => {
  await api('member', 'POST', `/ext/v1/metric-queries?project=${project}`, {
    name: 'shared',
    description: 'of everyone here',
    query: 'get virtual_disk:reads | last 1',
  })
  const page = await open('viewer', `${listOf(project)}/shared`)
  await expect(page.getByText('of everyone here')).toBeVisible()
  await page.getByRole('button', { name: 'Saved query actions' }).click()
  await expect(menuItem(page, 'Delete')).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Run query' }).click()
  await expect(page).toHaveURL(/\/metrics\?q=get/)
})

testFiring(
  "an operator's threshold fires and is an issue of the system until it is over",
  ownServer,
  async ({ own: { open, api } }) => {
    test.setTimeout(240_000)
    const name = 'hot'
    await api('admin', 'POST', '/ext/v1/metric-queries', {
      name,
      description: '',
      query: temperature,
      threshold: { comparison: 'above', value: -100, for_seconds: 0 },
    })
    const page = await open('admin', `/system/saved-queries/${name}`)
    await expect(page.getByRole('list', { name: 'Changes of state' })).toContainText('Firing', {
      timeout: 120_000,
    })
    await expect(page.getByRole('region', { name: 'Beyond the threshold' })).toContainText('component_kind=')
    await visit(page, '/system/issues?state=open')
    const issue = page.getByText(new RegExp(`Saved query ${name} has \\d+ timeseries above -100`))
    await expect(issue).toBeVisible()

    await api('admin', 'PUT', `/ext/v1/metric-queries/${name}`, {
      threshold: { comparison: 'above', value: 1000, for_seconds: 0 },
    })
    await visit(page, `/system/saved-queries/${name}`)
    await expect(page.getByRole('list', { name: 'Changes of state' })).toContainText('OK', {
      timeout: 120_000,
    })
    await visit(page, '/system/issues?state=open')
    await expect(page.getByRole('heading', { name: 'Issues', exact: true })).toBeVisible()
    await expect(issue).toHaveCount(0)
    await api('admin', 'DELETE', `/ext/v1/metric-queries/${name}`)
  },
)

test('strangers learn nothing of saved queries', async ({ open, project }) => {
  const page = await open('ines', listOf(project))
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await visit(page, '/system/saved-queries')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})
