import type { Page } from '@playwright/test'
import { scenesIn } from '../support/scenes.ts'
import { visit } from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const entry = (page: Page, text: string | RegExp) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: text })

test('an object is seen as it was, with what differs now', story, async ({ open, api, machine, project }) => {
  await machine('web')
  await api('member', 'PUT', `/v1/instances/web?project=${project}`, {
    ncpus: 4,
    memory: 8 * 2 ** 30,
    boot_disk: null,
    auto_restart_policy: null,
    hostname: 'web',
  })
  const page = await open('viewer', `/projects/${project}/instances/web/activity`)
  const then = { name: 'As it was then' }
  await entry(page, 'Created instance web').getByRole('button', then).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: 'Instance web as it was' })).toBeVisible()
  // What differs now is in the words of the screen.
  await expect(dialog).toContainText('+ 4 vCPU')
  await expect(dialog).toContainText('Hostname')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await api('member', 'DELETE', `/v1/instances/web?project=${project}`)
  await visit(page, `/projects/${project}/activity?search=web`)
  await entry(page, 'Deleted instance web').getByRole('button', then).click()
  await expect(dialog).toContainText('when it was deleted')
  await expect(dialog).toContainText('It does not exist any more.')
  await expect(dialog).toContainText('4 vCPU')
})

test('a list is seen as it was, with the way back', story, async ({ open, api, project }) => {
  await scenesIn(api, project).disk('kept')
  const page = await open('viewer', `/projects/${project}/disks`)
  await page.getByRole('link', { name: 'At a moment…' }).click()
  await expect(page.getByRole('heading', { name: 'Disks at a moment' })).toBeVisible()
  await scenesIn(api, project).disk('gone')
  // The moment is in the URL.
  const moment = new Date().toISOString()
  await api('member', 'DELETE', `/v1/disks/gone?project=${project}`)
  await visit(page, `/projects/${project}/past?kind=disk&at=${moment}`)
  await expect(page.getByText('This is the past')).toBeVisible()
  await expect(page.getByRole('row', { name: /gone.*Deleted/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /kept.*Unchanged/ })).toBeVisible()
  await page.getByRole('link', { name: 'Back to now' }).click()
  await expect(page.getByRole('row', { name: 'kept' })).toBeVisible()
  await expect(page.getByRole('row', { name: 'gone' })).toHaveCount(0)
  // Nothing is known of a moment before the records.
  await visit(page, `/projects/${project}/past?kind=disk&at=2020-01-01T00:00:00.000Z`)
  await expect(page.getByText(/The earliest possible moment is/)).toBeVisible()
  await page.getByLabel('Date and time').fill('2999-01-01T00:00')
  await expect(page.getByText('Enter a moment that has passed').first()).toBeVisible()
})

test('firewall rules are seen as they were', async ({ open, api, project }) => {
  const rules = `/v1/vpc-firewall-rules?project=${project}&vpc=default`
  const moment = new Date().toISOString()
  const page = await open('member', `/projects/${project}/vpcs/default/firewall-rules`)
  await api('member', 'PUT', rules, { rules: [] })
  await page.getByRole('link', { name: 'At a moment…' }).click()
  await expect(page.getByRole('heading', { name: 'Firewall rules at a moment' })).toBeVisible()
  await visit(page, `/projects/${project}/past?kind=vpc-firewall-rule&vpc=default&at=${moment}`)
  await expect(page.getByRole('row', { name: /allow-ssh.*Deleted/ })).toContainText('Ports 22')
  await page.getByRole('link', { name: 'Back to now' }).click()
  await expect(page.getByRole('heading', { name: 'No firewall rules' })).toBeVisible()
})
