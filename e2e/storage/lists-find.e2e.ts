import type { Page } from '@playwright/test'
import { onServerBegun } from '../support/begun-earlier.ts'
import { ownServer } from '../support/own-server.ts'
import { type Api, scenesIn } from '../support/scenes.ts'
import { confirm, notifications, row, visit } from '../support/steps.ts'
import { story, target } from '../support/target.ts'
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

  await visit(page, `/projects/${project}/snapshots?filter=disk:data-1`)
  await expect(page.getByText('1 of 1 match')).toBeVisible()
  await expect(row(page, 'nightly')).toBeVisible()
  await visit(page, `/projects/${project}/vpcs`)
  await field(page, 'VPCs').fill('instance:')
  await expect(page.getByRole('option', { name: 'none' })).toBeVisible()
  await field(page, 'VPCs').fill('instance:none')
  await expect(row(page, 'default')).toBeVisible()
  await visit(page, `/projects/${project}/floating-ips?filter=nothing`)
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
  await visit(page, '/images?filter=name:none-such')
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
})

test('snapshots older than a moment are found on all pages and deleted as one task, and the rest stays', async ({
  open,
  project,
  api,
}) => {
  test.setTimeout(120_000)
  await scenesIn(api, project).disk('data')
  const snapshot = (name: string) =>
    api('member', 'POST', `/v1/snapshots?project=${project}`, { name, description: '', disk: 'data' })
  for (let number = 1; number <= 52; number++) await snapshot(`old-${String(number).padStart(2, '0')}`)
  const { items } = (await api('member', 'GET', `/v1/snapshots?project=${project}&limit=100`)) as {
    items: { time_created: string }[]
  }
  const last = Math.max(...items.map(({ time_created }) => Date.parse(time_created)))
  const moment = new Date(Math.ceil(last / 1000) * 1000 + 1000)
  await expect.poll(() => Date.now(), { timeout: 10_000 }).toBeGreaterThan(moment.getTime() + 1000)
  await snapshot('new-1')
  const page = await open('member', `/projects/${project}/snapshots`)
  await expect(page.getByText('53 snapshots', { exact: true })).toBeVisible()

  // None is older than a month, and the term says so.
  await page.getByRole('combobox', { name: 'Age' }).selectOption('Older than 30 days')
  await expect(page.getByRole('list', { name: 'What hides them' })).toContainText(
    'Without created>30d, 53 match',
  )
  await field(page, 'snapshots').fill(`created<${moment.toISOString().slice(0, 19)}Z`)
  await expect(page.getByText('52 of 53 match')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  const bar = page.getByRole('toolbar', { name: 'Selected snapshots' })
  await bar.getByRole('button', { name: 'Select all 52 that match' }).click()
  await expect(bar.getByText('All 52 that match are selected')).toBeVisible()
  await bar.getByRole('button', { name: 'Delete', exact: true }).click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText('Delete all 52 snapshots that match created<')
  await expect(question).toContainText('They can be restored from the recycle bin')
  await confirm(page)
  await expect(notifications(page)).toContainText('Deleting 52 snapshots')
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await expect(row(page, 'new-1')).toBeVisible()
  await page.getByRole('button', { name: /Tasks/ }).click()
  await expect(page.getByText('Deleted 52 snapshots')).toBeVisible({ timeout: 30_000 })
})

test(
  'snapshots older than a month are found by their age, and deleted',
  { ...story, ...ownServer },
  async ({ browser }) => {
    test.setTimeout(120_000)
    const project = 'playground'
    const take = (api: Api, name: string) => scenesIn(api, project).snapshot(name, 'data')
    const takeOld = async (api: Api) => {
      await scenesIn(api, project).disk('data')
      for (const name of ['old-1', 'old-2']) await take(api, name)
      await expect
        .poll(async () => {
          const { items } = (await api('member', 'GET', `/v1/snapshots?project=${project}`)) as {
            items: { state: string }[]
          }
          return items.map(({ state }) => state)
        })
        .toEqual(['ready', 'ready'])
    }
    const dayMs = 24 * 3_600_000
    await onServerBegun(browser, Date.now() - 40 * dayMs, takeOld, async ({ open, api }) => {
      await take(api, 'new-1')
      const page = await open('member', `/projects/${project}/snapshots`)
      await expect(page.getByText('3 snapshots', { exact: true })).toBeVisible()
      await page.getByRole('combobox', { name: 'Age' }).selectOption('Older than 30 days')
      await expect(page.getByText('2 of 3 match')).toBeVisible()
      await expect(row(page, 'new-1')).toBeHidden()
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
      const bar = page.getByRole('toolbar', { name: 'Selected snapshots' })
      await bar.getByRole('button', { name: 'Delete', exact: true }).click()
      await confirm(page)
      await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible({ timeout: 30_000 })
      await page.getByRole('button', { name: 'Clear filters' }).first().click()
      await expect(row(page, 'new-1')).toBeVisible()
      await expect(row(page, 'old-1')).toBeHidden()
    })
  },
)

test('of the selected disks, those in use are skipped with a reason, and many are tagged', async ({
  open,
  project,
  api,
  machine,
}) => {
  const scenes = scenesIn(api, project)
  await scenes.disk('free-1')
  await scenes.disk('free-2')
  await machine('holder')
  await scenes.disk('held')
  await api('member', 'POST', `/v1/instances/holder/disks/attach?project=${project}`, { disk: 'held' })
  const page = await open('member', `/projects/${project}/disks`)
  const bar = page.getByRole('toolbar', { name: 'Selected disks' })
  await page.getByRole('checkbox', { name: 'Select held' }).check()
  await expect(bar.getByRole('button', { name: 'Delete' })).toHaveAccessibleDescription(
    'The disk must be detached before it can be deleted',
  )
  await page.getByRole('checkbox', { name: 'Select free-1' }).check()
  await page.getByRole('checkbox', { name: 'Select free-2' }).check()
  await bar.getByRole('button', { name: 'Edit tags' }).click()
  const tags = page.getByRole('dialog', { name: 'Edit tags of 3 disks' })
  await tags.getByLabel('Key').first().fill('env')
  await tags.getByRole('button', { name: 'Save' }).click()
  await expect(notifications(page)).toContainText('Tags of 3 disks saved')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await bar.getByRole('button', { name: 'Delete 2 of 4' }).click()
  await expect(page.getByRole('dialog')).toContainText("The other 2 can't be deleted now")
  await confirm(page)
  await expect(row(page, 'free-1')).toBeHidden()
  await expect(row(page, 'free-2')).toBeHidden()
  await expect(row(page, 'held')).toBeVisible()
})

test('objects are found in all projects, and by operators in all silos', async ({
  open,
  project,
  api,
  machine,
}) => {
  await scenesIn(api, project).disk('anywhere')
  await machine('wanderer')
  const page = await open('admin', `/all/disks?filter=project:${project} name:any*`)
  await expect(row(page, 'anywhere')).toContainText(project)
  await expect(page.getByText('1 of ')).toBeVisible()
  await row(page, 'anywhere').getByRole('link', { name: project }).click()
  await expect(page).toHaveURL(new RegExp(`/projects/${project}/disks$`))
  await visit(page, `/system/instances?filter=silo:demo project:${project}`)
  await expect(row(page, 'wanderer')).toContainText(/demo.*Stopped/)
  await field(page, 'instances').fill('silo:')
  await expect(page.getByRole('listbox').getByRole('option', { name: /^demo/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await row(page, 'wanderer').getByRole('link', { name: 'wanderer' }).click()
  await expect(page.getByRole('heading', { name: 'wanderer' })).toBeVisible()

  // What rows are related to is read once a column shows it.
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/list-details')) asked.push(request.url())
  })
  await visit(page, `/projects/${project}/instances`)
  await expect(row(page, 'wanderer')).toBeVisible()
  await page.getByRole('button', { name: 'Columns' }).click()
  const chooser = page.getByRole('dialog', { name: 'Columns' })
  for (const name of ['Internal IPs', 'VPC', 'Age'])
    await chooser.getByRole('checkbox', { name, exact: true }).check()
  await expect(row(page, 'wanderer')).toContainText(/172\.30\.0\.\d+.*default/)
  // In the preview, the page answers itself.
  if (target !== 'preview') expect(asked.length).toBeGreaterThan(0)

  await visit(page, `/projects/${project}/disks`)
  await page.getByRole('button', { name: 'Columns' }).click()
  await chooser.getByRole('checkbox', { name: 'Size used' }).check()
  await page.keyboard.press('Escape')
  await expect(row(page, 'anywhere')).toContainText(/1 GiB.*0 B/)
  await row(page, 'anywhere').getByRole('link', { name: 'anywhere' }).click()
  await expect(page.getByText('0 B used')).toBeVisible()
})

test('more rows than one change edits get their tags as one task', async ({ open, api, project }) => {
  const names = Array.from({ length: 201 }, (_, at) => `vpc-${String(at).padStart(3, '0')}`)
  for (const name of names)
    await api('member', 'POST', `/v1/floating-ips?project=${project}`, { name, description: '' })
  await api('member', 'PUT', '/ext/v1/me/list-preferences/floating-ips', { page_size: 250 })
  const page = await open('member', `/projects/${project}/floating-ips`)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  const bar = page.getByRole('toolbar', { name: 'Selected floating IPs' })
  await expect(bar).toContainText('201 selected')
  await bar.getByRole('button', { name: 'Edit tags' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit tags of 201 floating IPs' })
  await dialog.getByLabel('Key of tag 1').fill('env')
  await dialog.getByLabel('Value of tag 1').fill('test')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(notifications(page)).toContainText('Editing tags of 201 floating IPs')
  await expect
    .poll(async () => {
      const found = `/ext/v1/list-totals?kind=floating-ip&project=${project}&filter=tag:env=test`
      return ((await api('member', 'GET', found)) as { count: number }).count
    })
    .toBe(201)
  await api('member', 'PUT', '/ext/v1/me/list-preferences/floating-ips', { page_size: 50 })
})
