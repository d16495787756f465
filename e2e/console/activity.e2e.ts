import fs from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { scenesIn } from '../support/scenes.ts'
import { notifications, rowAction, visit } from '../support/steps.ts'
import { notOn, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const entry = (page: Page, text: string | RegExp) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: text })

test(
  'a member finds who deleted an instance, and what went with it',
  story,
  async ({ open, api, machine, project }) => {
    await machine('db-1')
    await api('member', 'DELETE', `/v1/instances/db-1?project=${project}`)
    const page = await open('viewer', `/projects/${project}/instances`)
    await page
      .getByRole('navigation', { name: 'Sidebar' })
      .getByRole('link', { name: 'Activity' })
      .last()
      .click()
    await page.getByRole('searchbox', { name: 'Name, ID or request' }).fill('db-1')
    await page.keyboard.press('Enter')
    const deleted = entry(page, 'Deleted instance db-1')
    await expect(deleted).toContainText('member, in the console')
    await expect(deleted).toContainText('network interface')
    // The filter is in the URL, and finds nothing else.
    await expect(page).toHaveURL(/search=db-1/)
    await visit(page, `/projects/${project}/activity?search=db-1`)
    await expect(entry(page, 'db-1')).toHaveCount(2)
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Refused')
    await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await expect(deleted).toBeVisible()
  },
)

test(
  'an object has its account, and changes appear by themselves',
  story,
  async ({ open, api, machine, project }) => {
    await machine('web')
    await scenesIn(api, project).disk('data')
    const page = await open('member', `/projects/${project}/instances/web/activity`)
    await expect(entry(page, 'Created instance web')).toBeVisible()
    await api('member', 'POST', `/v1/instances/web/disks/attach?project=${project}`, { disk: 'data' })
    await expect(entry(page, 'Attached disk data to instance web')).toBeVisible()
    await api('member', 'PUT', `/v1/instances/web?project=${project}`, {
      ncpus: 4,
      memory: 8 * 2 ** 30,
      boot_disk: null,
      auto_restart_policy: null,
      hostname: 'web',
    })
    const resized = entry(page, 'Resized instance web')
    await expect(resized).toContainText('4 vCPU')
    await expect(resized).toContainText('8 GiB')

    await visit(page, `/projects/${project}/disks`)
    await rowAction(page, 'data', 'View activity')
    await expect(page).toHaveURL(/\/activity\?object=/)
    await expect(entry(page, 'Attached disk data')).toBeVisible()
    await expect(entry(page, 'Resized')).toHaveCount(0)
  },
)

test('a refused request says why, and activity can be exported', async ({ open, machine, project }) => {
  await machine('kept', { start: true })
  const page = await open('member', `/projects/${project}/activity`)
  await page.evaluate(
    (name) => fetch(`/v1/instances/kept?project=${name}`, { method: 'DELETE' }).then(() => undefined),
    project,
  )
  const refused = entry(page, 'Refused to delete instance kept')
  await expect(refused).toContainText('cannot delete instance')
  const began = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  const file = await began
  expect(file.suggestedFilename()).toMatch(/^activity-\d{4}-\d\d-\d\d\.csv$/)
  const text = await fs.readFile(await file.path(), 'utf8')
  expect(text).toContain('Refused to delete instance kept')
  expect(text.split('\r\n')[0]).toMatch(/^time,who,what,/)

  await page.getByRole('combobox', { name: 'Action' }).selectOption('Created')
  await expect(entry(page, 'Created instance kept')).toBeVisible()
  await expect(refused).toBeHidden()
  await expect(page).toHaveURL(/[?&]action=created/)
})

test('an edit is taken back after a look at what that does', story, async ({ open, api, project }) => {
  await api('member', 'PUT', `/v1/projects/${project}`, { description: 'as it was' })
  await api('member', 'PUT', `/v1/projects/${project}`, { description: 'by mistake' })
  const page = await open('member', `/projects/${project}/activity`)
  const edited = entry(page, `Edited project ${project}`)
  await edited.first().getByRole('button', { name: 'Revert…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revert' })
  await expect(dialog).toContainText('by mistake')
  await expect(dialog).toContainText('as it was')
  // Someone else edits it meanwhile.
  await api('member', 'PUT', `/v1/projects/${project}`, { description: 'better' })
  await expect(dialog).toContainText('Changed again since')
  await dialog.getByRole('button', { name: 'Revert' }).click()
  await expect(dialog).toBeHidden()
  const newest = edited.first()
  await expect(newest).toContainText('better')
  await expect(newest).toContainText('as it was')
  // Those who may not edit it see what it would do, and which role they lack.
  const other = await open('viewer', `/projects/${project}/activity`)
  await entry(other, `Edited project ${project}`).first().getByRole('button', { name: 'Revert…' }).click()
  await expect(other.getByRole('dialog', { name: 'Revert' })).toContainText('requires the role')
})

test('a saved edit can be undone from its message', story, async ({ open, api, project }) => {
  await api('member', 'PUT', `/v1/projects/${project}`, { description: 'as it was' })
  const page = await open('member', `/projects/${project}/edit`)
  await page.getByRole('textbox', { name: 'Description' }).fill('by mistake')
  await page.getByRole('button', { name: 'Update project' }).click()
  await notifications(page).getByRole('button', { name: 'Undo' }).click()
  await expect(notifications(page)).toContainText('Undone')
  await expect
    .poll(
      async () =>
        ((await api('member', 'GET', `/v1/projects/${project}`)) as { description: string }).description,
    )
    .toBe('as it was')
})

test(
  'a search that finds little says how far it came, and goes on',
  notOn({ preview: 'its requests are not intercepted' }),
  async ({ open, machine, project }) => {
    await machine('rare')
    const page = await open('viewer', `/projects/${project}/activity`)
    const found = await page.evaluate(
      async (name) =>
        (await fetch(`/ext/v1/activity?project=${name}&kind=instance`)).json() as Promise<object>,
      project,
    )
    // As of a project with thousands of other entries, hours of which are searched at a time.
    let asked = 0
    let isHeld = true
    await page.route('**/ext/v1/activity?*', async (route) => {
      asked++
      // Long enough to be seen, and to be stopped.
      await page.waitForTimeout(500)
      const isLast = asked > 3 && !isHeld
      const hour = String(23 - (asked % 20)).padStart(2, '0')
      const rest = { items: [], next_page: `t${asked}`, time_searched: `2026-11-20T${hour}:00:00.000Z` }
      await route.fulfill({
        json: isLast ? { ...found, time_searched: null } : rest,
        headers: { 'x-has-next-page': String(!isLast) },
      })
    })
    await page.getByRole('combobox', { name: 'What' }).selectOption('Instance')
    const searched = page.getByRole('status').filter({ hasText: 'Searched back to' })
    await expect(searched).toContainText('Nothing found yet.')
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect(searched).toContainText('Nothing found so far.')
    await expect(page.getByRole('heading', { name: 'Nothing matches' })).toHaveCount(0)
    isHeld = false
    const further = page.getByRole('button', { name: 'Search further' })
    await expect(further).not.toHaveAttribute('aria-busy', 'true')
    await further.click()
    await expect(entry(page, 'Created instance rare')).toBeVisible()
    await expect(searched).toHaveCount(0)
  },
)

test('what has a page has its account there', async ({ open, api, project }) => {
  const at = `/projects/${project}/vpcs/default`
  const page = await open('member', `${at}/subnets`)
  const account = async () => {
    await page.getByRole('tab', { name: 'Activity' }).click()
    await expect(page.getByRole('searchbox', { name: 'Name, ID or request' })).toBeVisible()
  }
  await account()
  await expect(entry(page, 'Created')).not.toHaveCount(0)
  await api('member', 'PUT', `/v1/vpcs/default?project=${project}`, { description: 'for the payroll' })
  await expect(entry(page, 'Edited VPC default')).toContainText('for the payroll')
  await visit(page, `${at}/routers/system`)
  await account()
  // A filter keeps the tab.
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Refused')
  await expect(page).toHaveURL(/tab=activity/)
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await expect(page).toHaveURL(/tab=activity$/)
  await page.getByRole('tab', { name: 'Routes' }).click()
  await expect(page.getByRole('row', { name: /default-v4/ })).toBeVisible()
})

test('an operator has the accounts of a pool, a silo and a sled', async ({ open, api }) => {
  const { items } = (await api('admin', 'GET', '/v1/system/hardware/sleds')) as { items: { id: string }[] }
  const page = await open('admin', '/system/networking/ip-pools/external')
  for (const path of ['', '/system/silos/demo/quotas', `/system/inventory/sleds/${items[0]?.id}/disks`]) {
    if (path) await visit(page, path)
    await page.getByRole('tab', { name: 'Activity' }).click()
    await expect(page.getByRole('searchbox', { name: 'Name, ID or request' })).toBeVisible()
    await expect(page.getByRole('tabpanel').getByRole('alert')).toHaveCount(0)
  }
})
