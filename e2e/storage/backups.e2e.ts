import type { Locator } from '@playwright/test'
import { findings } from '../support/checks.ts'
import { scenesIn } from '../support/scenes.ts'
import { confirm, notifications, row, rowAction, visit } from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const GiB = 1024 ** 3
const disk = (name: string) => ({
  type: 'create',
  name,
  description: '',
  size: GiB,
  disk_source: { type: 'blank', block_size: 512 },
})

/** New disks cannot be copied before they have their bytes, which the form says. */
const submit = (form: Locator): Promise<void> =>
  expect(async () => {
    await form.getByRole('button', { name: 'Back up' }).click()
    await expect(form).toBeHidden({ timeout: 3000 })
  }).toPass()

test(
  'a user backs an instance up, destroys it, and restores it from the backup',
  story,
  async ({ open, api, project, machine }) => {
    await scenesIn(api, project).backupTarget()
    await machine('web', { boot_disk: disk('web-boot'), disks: [disk('web-data')] })
    const page = await open('member', `/projects/${project}/instances/web/backups`)
    await expect(page.getByText('No backups')).toBeVisible()
    await page.getByRole('button', { name: 'Back up', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Back up instance' })
    await form.getByLabel('Name', { exact: true }).fill('before-upgrade')
    await submit(form)
    await expect(notifications(page)).toContainText('Backup before-upgrade is being created')
    await expect(row(page, 'before-upgrade')).toContainText(/Ready.*The instance was stopped.*2 GiB/)

    await api('member', 'DELETE', `/v1/instances/web?project=${project}`)
    for (const name of ['web-boot', 'web-data'])
      await api('member', 'DELETE', `/v1/disks/${name}?project=${project}`)
    await visit(page, `/projects/${project}/backups`)
    await row(page, 'before-upgrade').getByRole('link', { name: 'before-upgrade' }).click()
    const panel = page.getByRole('dialog', { name: 'before-upgrade' })
    await expect(panel).toContainText(/Instance\s*web\s*Deleted/)
    await panel.getByRole('button', { name: 'Verify' }).click()
    await expect(panel).not.toContainText('Never')
    await panel.getByRole('button', { name: 'Restore' }).click()
    const restore = page.getByRole('dialog', { name: 'Restore backup' })
    await restore.getByRole('radio', { name: /^In place/ }).check()
    await expect(restore).toContainText('Instance web is no longer in this project')
    await expect(restore.getByRole('button', { name: 'Restore' })).toHaveAttribute('aria-disabled', 'true')
    await restore.getByRole('radio', { name: 'As a new instance' }).check()
    await restore.getByLabel('Name of the instance').fill('web-again')
    await restore.getByRole('button', { name: 'Restore' }).click()
    await expect(notifications(page)).toContainText('Restoring backup before-upgrade as instance web-again')
    await visit(page, `/projects/${project}/instances`)
    await expect(row(page, 'web-again')).toContainText('Stopped')
    await visit(page, `/projects/${project}/instances/web-again/storage`)
    // Names of disks are unique in a project, so restored ones end in a part of an id.
    await expect(row(page, 'web-again-web-data-')).toContainText('Attached')
  },
)

test('a member restores one disk, and the instance in place once it is stopped, and deletes the backup', async ({
  open,
  api,
  project,
  machine,
}) => {
  await scenesIn(api, project).backupTarget()
  await machine('web', { start: true, boot_disk: disk('web-boot') })
  const page = await open('member', `/projects/${project}/backups`)
  await page.getByRole('button', { name: 'Back up instance' }).first().click()
  const form = page.getByRole('dialog', { name: 'Back up instance' })
  await form.getByRole('combobox', { name: 'Instance' }).fill('web')
  await page.getByRole('option', { name: 'web' }).click()
  await expect(form).toContainText('what a power cut would have left')
  await form.getByLabel('Name', { exact: true }).fill('nightly')
  expect(await findings(page)).toEqual([])
  await submit(form)
  // Consistent, if its guest agent has started already.
  await expect(row(page, 'nightly')).toContainText(/Ready.*(As after a power cut|Consistent)/)

  await rowAction(page, 'nightly', 'Restore')
  const restore = page.getByRole('dialog', { name: 'Restore backup' })
  await restore.getByRole('radio', { name: /^In place/ }).check()
  await expect(restore).toContainText('Instance web is running. Stop it first')
  await restore.getByRole('radio', { name: /^One disk/ }).check()
  await expect(restore.getByLabel('Name of the new disk')).toHaveValue('web-boot-restored')
  await restore.getByRole('button', { name: 'Restore' }).click()
  await visit(page, `/projects/${project}/disks`)
  await expect(row(page, 'web-boot-restored')).toContainText('Detached')

  await api('member', 'POST', `/v1/instances/web/stop?project=${project}`)
  await visit(page, `/projects/${project}/instances/web/backups`)
  await expect(page.getByRole('main')).toContainText('Stopped')
  await rowAction(page, 'nightly', 'Restore')
  await restore.getByRole('radio', { name: /^In place/ }).check()
  await expect(restore).toContainText(/Replaced by what the backup holds\s*web-boot/)
  await restore.getByRole('checkbox', { name: /Keep the present state/ }).uncheck()
  await expect(restore).toContainText('is gone for good')
  expect(await findings(page)).toEqual([])
  await restore.getByRole('button', { name: 'Restore' }).click()
  await expect(notifications(page)).toContainText('Restoring instance web from backup nightly')
  await expect(async () => {
    await rowAction(page, 'nightly', 'Delete')
    await expect(page.getByRole('dialog')).toContainText('can no longer be restored')
    await confirm(page)
    await expect(row(page, 'nightly')).toBeHidden({ timeout: 2000 })
  }).toPass()
})

test('a member finds old backups by a filter, exports the list, and deletes those that match', async ({
  open,
  api,
  project,
  machine,
}) => {
  const scenes = scenesIn(api, project)
  await scenes.backupTarget()
  await machine('web')
  for (const name of ['monday', 'tuesday', 'kept']) await scenes.backup(name, 'web')
  const page = await open('member', `/projects/${project}/backups`)
  await expect(page.getByRole('row', { name: /Ready/ })).toHaveCount(3)
  const filter = page.getByRole('combobox', { name: 'Filter' })
  await filter.fill('name:*day instance:web verified:none')
  await filter.press('Enter')
  await expect(row(page, 'kept')).toBeHidden()
  await expect(page.getByRole('main')).toContainText('2 of 3')
  await page.getByRole('button', { name: 'Export' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/backups.*\.csv$/)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog')).toContainText('Other backups stay whole')
  await confirm(page)
  await expect(notifications(page)).toContainText('Deleting 2 backups')
  await filter.fill('')
  await filter.press('Enter')
  await expect(row(page, 'kept')).toContainText('Ready')
  await expect(row(page, 'monday')).toBeHidden()
})

test('a viewer sees backups, and learns why none can be changed', async ({ open, api, project, machine }) => {
  await scenesIn(api, project).backupTarget()
  await machine('web')
  await scenesIn(api, project).backup('nightly', 'web')
  const page = await open('viewer', `/projects/${project}/backups/nightly`)
  const panel = page.getByRole('dialog', { name: 'nightly' })
  await expect(panel.getByRole('button', { name: 'Restore' })).toHaveAccessibleDescription(/role/i)
  await expect(panel.getByRole('row', { name: /web-boot/ })).toContainText('Boot disk')
  expect(await findings(page)).toEqual([])
})
