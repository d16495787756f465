import { findings } from '../support/checks.ts'
import { ownServer, testOwnServer } from '../support/own-server.ts'
import { scenesIn } from '../support/scenes.ts'
import { confirm, notifications, row, rowAction, visit } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

test('an operator adds a backup target, keeps its key, tests it, makes it the default, and deletes it', async ({
  open,
  project,
}) => {
  const page = await open('admin', '/system/backup-targets')
  await page.getByRole('link', { name: 'New backup target' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create backup target' })
  await form.getByLabel('Name', { exact: true }).fill(project)
  await expect(form.getByRole('radio', { name: 'Folder of the server' })).toBeChecked()
  expect(await findings(page)).toEqual([])
  await form.getByLabel('Folder', { exact: true }).fill(project)
  await form.getByRole('checkbox', { name: /by default/ }).uncheck()
  await form.getByRole('button', { name: 'Create backup target' }).click()
  const shown = page.getByRole('dialog', { name: `Backup target ${project} is ready` })
  await expect(shown.getByTestId('secret')).toHaveText(/^[A-Za-z0-9+/]{43}=$/)
  await expect(shown).toContainText('Keep it apart from this server')
  expect(await findings(page)).toEqual([])
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(page).toHaveURL(new RegExp(`/system/backup-targets/${project}$`))
  await expect(page.getByText('Nothing is written there yet')).toBeVisible()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(notifications(page)).toContainText(`Backup target ${project} works`)
  await page.getByRole('button', { name: 'Backup target actions' }).click()
  await page.getByRole('menuitem', { name: 'Make default' }).click()
  await expect(notifications(page)).toContainText('is the default')
  expect(await findings(page)).toEqual([])
  await visit(page, '/system/backup-targets')
  await expect(row(page, project)).toContainText('Default')
  await rowAction(page, project, 'Delete')
  await expect(page.getByRole('dialog')).toContainText('What it holds stays there')
  await confirm(page)
  await expect(row(page, project)).toBeHidden()
})

const own = testOwnServer({ backups: {} })
own(
  'an operator of a server without a folder for backups learns why only buckets can be added',
  ownServer,
  async ({ own: { open } }) => {
    const page = await open('admin', '/system/backup-targets-new')
    const form = page.getByRole('dialog', { name: 'Create backup target' })
    await expect(form.getByRole('radio', { name: 'Folder of the server' })).toBeDisabled()
    await expect(form).toContainText('Name one by the setting backups.folder, or use a bucket.')
    await expect(form.getByRole('radio', { name: 'S3 bucket' })).toBeChecked()
    await form.getByLabel('Address of the server').fill('s3.example.com')
    await form.getByRole('button', { name: 'Create backup target' }).click()
    await expect(form).toContainText('Use an address such as https://s3.example.com')
    expect(await findings(page)).toEqual([])
  },
)

test('an operator adopts a backup that no project lists, and a member finds it in the project', async ({
  open,
  api,
  project,
  machine,
}) => {
  await machine('web')
  await scenesIn(api, project).leftBackup('web')
  const page = await open('admin', '/system/backup-targets/left')
  await expect(page.getByRole('button', { name: 'Adopt' })).toHaveAccessibleDescription(
    'Select backups that no project lists',
  )
  await page.getByRole('checkbox', { name: 'Select left-behind' }).check()
  await page.getByRole('button', { name: 'Adopt' }).click()
  const form = page.getByRole('dialog', { name: 'Adopt backups' })
  await form.getByRole('combobox', { name: 'Project' }).fill(project)
  await page.getByRole('option', { name: project, exact: true }).click()
  await form.getByRole('button', { name: 'Adopt' }).click()
  await expect(notifications(page)).toContainText(`1 backup adopted into project ${project}`)
  await expect(page.getByRole('row', { name: /left-behind/ })).toContainText('In a project')
  await visit(page, `/projects/${project}/backups`)
  await expect(row(page, 'left-behind')).toContainText('Ready')
  await api('admin', 'DELETE', '/ext/v1/system/backup-targets/left')
})
