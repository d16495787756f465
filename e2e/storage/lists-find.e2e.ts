import type { Page } from '@playwright/test'
import { scenesIn } from '../support/scenes.ts'
import { row } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

const field = (page: Page, noun: string) => page.getByRole('combobox', { name: `Filter ${noun}` })

test('lists of disks, snapshots, floating IPs and VPCs are filtered, summed up and sorted', async ({
  open,
  project,
  api,
}) => {
  const scenes = scenesIn(api, project)
  await scenes.disk('data-1')
  await scenes.disk('data-2')
  await api('member', 'POST', `/v1/snapshots?project=${project}`, {
    name: 'nightly',
    description: '',
    disk: 'data-1',
  })
  const page = await open('member', `/projects/${project}/disks`)
  await expect(page.getByText('2 disks', { exact: true })).toBeVisible()
  await expect(page.getByText('2 GiB storage')).toBeVisible()
  await field(page, 'disks').fill('state:detached name:*-2')
  await expect(row(page, 'data-1')).toBeHidden()
  await expect(page.getByText('1 of 2 match')).toBeVisible()
  await field(page, 'disks').fill('state:attached')
  await expect(page.getByRole('list', { name: 'What hides them' })).toContainText(
    'Without state:attached, 2 match',
  )
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect(page.locator('tbody tr').first()).toContainText('data-2')
  await expect(page).toHaveURL(/sort=-name/)

  await page.goto(`/projects/${project}/snapshots?filter=disk:data-1`)
  await expect(page.getByText('1 of 1 match')).toBeVisible()
  await expect(row(page, 'nightly')).toBeVisible()
  await page.goto(`/projects/${project}/vpcs`)
  await field(page, 'VPCs').fill('instance:')
  await expect(page.getByRole('option', { name: 'none' })).toBeVisible()
  await field(page, 'VPCs').fill('instance:none')
  await expect(row(page, 'default')).toBeVisible()
  await page.goto(`/projects/${project}/floating-ips?filter=nothing`)
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
  await page.goto('/images?filter=name:none-such')
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
})
