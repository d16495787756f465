import { findings } from '../support/checks.ts'
import { scenesIn } from '../support/scenes.ts'
import { confirm, menuItem, row, rowAction, visit } from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const GiB = 1024 ** 3
const blank = { type: 'blank', block_size: 512 }

test(
  'a member schedules snapshots of a disk, sees the next runs, changes the times and deletes the schedule',
  story,
  async ({ open, api, project }) => {
    const disk = { name: 'ledger', description: '', size: GiB, disk_source: blank }
    await api('member', 'POST', `/v1/disks?project=${project}`, disk)
    const page = await open('member', `/projects/${project}/schedules`)
    await expect(page.getByText('No schedules')).toBeVisible()
    await page.getByRole('link', { name: 'New schedule' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create schedule' })
    await form.getByLabel('Name', { exact: true }).fill('nightly')
    await form.getByRole('combobox', { name: 'Disks' }).click()
    await page.getByRole('option', { name: 'ledger' }).click()
    await expect(form.getByRole('table', { name: 'Selected disks' })).toContainText('ledger')
    await form.getByRole('radio', { name: 'By a line of cron' }).check()
    await form.getByRole('textbox', { name: 'Cron' }).fill('* * * * *')
    await form.getByRole('button', { name: 'Create schedule' }).click()
    await expect(form.getByRole('textbox', { name: 'Cron' })).toHaveAccessibleDescription(
      /at least 5 minutes/,
    )
    await form.getByRole('textbox', { name: 'Cron' }).fill('15 4 * * *')
    const next = form.getByRole('region', { name: 'Next runs' })
    await expect(next.getByRole('listitem')).toHaveCount(5)
    await form.getByRole('button', { name: 'Create schedule' }).click()
    await expect(row(page, 'nightly')).toContainText('Take snapshots of disk ledger')

    await page.getByRole('link', { name: 'nightly', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'nightly' })).toBeVisible()
    await expect(page.getByText('the last of each of 24 hours, 7 days and 4 weeks')).toBeVisible()
    await expect(page.getByText('The first run will appear here.')).toBeVisible()
    await page.getByRole('button', { name: 'Schedule actions' }).click()
    await menuItem(page, 'Edit').click()
    await page.getByRole('radio', { name: 'On some weekdays' }).check()
    await page.getByRole('checkbox', { name: 'Friday' }).check()
    await page.getByLabel('Time of day').fill('18:30')
    await page.getByRole('button', { name: 'Update schedule' }).click()
    await expect(page.getByText(/every Monday and Friday at 18:30/)).toBeVisible()
    await expect(page.getByRole('dialog')).toBeHidden()

    // The page of the disk tells of it.
    await visit(page, `/projects/${project}/disks/ledger`)
    const card = page.getByRole('region', { name: 'Schedules' })
    await expect(card.getByRole('link', { name: 'nightly', exact: true })).toBeVisible()

    await visit(page, `/projects/${project}/schedules`)
    await rowAction(page, 'nightly', 'Disable')
    await expect(row(page, 'nightly')).toContainText('Disabled')
    await rowAction(page, 'nightly', 'Delete')
    await confirm(page)
    await expect(page.getByText('No schedules')).toBeVisible()
  },
)

test('a member schedules backups of the instances with a tag, to a target, and keeps the last of each day', async ({
  open,
  api,
  project,
}) => {
  await scenesIn(api, project).backupTarget()
  const page = await open('member', `/projects/${project}/schedules-new`)
  const form = page.getByRole('dialog', { name: 'Create schedule' })
  await form.getByLabel('Name', { exact: true }).fill('offsite')
  await form.getByRole('radio', { name: 'Backups of instances' }).check()
  await form.getByRole('radio', { name: 'All that match a filter' }).check()
  await form.getByRole('textbox', { name: 'Filter' }).fill('tag:env=prod')
  await expect(form).toContainText('Of each instance, the last backup of so many hours')
  await form.getByRole('combobox', { name: 'Target' }).click()
  await page.getByRole('option', { name: 'shelf', exact: true }).click()
  await form.getByLabel('Hours').fill('0')
  expect(await findings(page)).toEqual([])
  await form.getByRole('button', { name: 'Create schedule' }).click()
  await expect(row(page, 'offsite')).toContainText('Back up instances that match tag:env=prod')
  await page.getByRole('link', { name: 'offsite', exact: true }).click()
  await expect(page.getByRole('main')).toContainText(/Target\s*shelf/)
  await expect(page.getByText('the last of each of 7 days and 4 weeks')).toBeVisible()
  await page.getByRole('button', { name: 'Schedule actions' }).click()
  await menuItem(page, 'Edit').click()
  await page.getByRole('combobox', { name: 'Target' }).click()
  await page.getByRole('option', { name: /^The default target/ }).click()
  await page.getByRole('button', { name: 'Update schedule' }).click()
  await expect(page.getByRole('main')).toContainText(/Target\s*The default target/)
})
