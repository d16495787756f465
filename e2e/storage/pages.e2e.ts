import type { Page } from '@playwright/test'
import { menuItem, notifications, row, rowAction } from '../support/steps.ts'
import { scenesIn } from '../support/scenes.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

/** Opens the menu of the page's object, and selects an action. */
async function act(page: Page, kind: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `${kind} actions` }).click()
  await menuItem(page, action).click()
}
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

test(
  'a user finds where a disk is used, and renames it and its instance while that runs',
  story,
  async ({ open, project, machine, api }) => {
    await machine('box')
    const scenes = scenesIn(api, project)
    await scenes.disk('spare')
    const { id } = await scenes.snapshot('nightly', 'box-boot')
    await scenes.image('golden', id)
    const page = await open('member', `/projects/${project}/disks`)
    await row(page, 'box-boot').getByRole('link', { name: 'box-boot' }).click()
    await expect(heading(page, 'box-boot')).toBeVisible()
    await page.getByRole('table', { name: 'Snapshots' }).getByRole('link', { name: 'nightly' }).click()
    await expect(heading(page, 'nightly')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'No disks' })).toBeVisible()
    await page.getByRole('table', { name: 'Images' }).getByRole('link', { name: 'golden' }).click()
    await expect(page.getByRole('heading', { name: 'No instances' })).toBeVisible()
    await page.goBack()
    await page.getByRole('link', { name: 'box-boot' }).click()

    await act(page, 'Disk', 'Edit')
    const panel = page.getByRole('dialog', { name: 'Edit disk' })
    await panel.getByLabel('Name').fill('spare')
    await panel.getByRole('button', { name: 'Update disk' }).click()
    await expect(panel.getByLabel('Name')).toHaveAccessibleDescription(/Disk name already exists/)
    await panel.getByLabel('Name').fill('root')
    await panel.getByRole('button', { name: 'Update disk' }).click()
    await expect(notifications(page)).toContainText('Disk root updated')
    await expect(page).toHaveURL(new RegExp(`/projects/${project}/disks/root$`))
    await expect(heading(page, 'root')).toBeVisible()
    await page.getByRole('tab', { name: 'Activity' }).click()
    await expect(page.getByRole('listitem').filter({ hasText: 'Renamed disk root' })).toContainText(
      'box-boot',
    )

    await page.getByRole('link', { name: 'box', exact: true }).first().click()
    await expect(heading(page, 'box')).toBeVisible()
    await act(page, 'Instance', 'Edit')
    const edit = page.getByRole('dialog', { name: 'Edit instance' })
    await edit.getByLabel('Name').fill('crate')
    await edit.getByLabel('Description').fill('holds it all')
    await edit.getByRole('button', { name: 'Update instance' }).click()
    await expect(page).toHaveURL(new RegExp(`/projects/${project}/instances/crate/storage$`))
    await expect(heading(page, 'crate')).toBeVisible()
    await expect(page.getByRole('main')).toContainText('holds it all')
    await expect(page.getByRole('main')).toContainText(/HostnameboxCopy|Hostnamebox/)
    await expect(row(page, 'root').getByRole('link', { name: 'root' })).toBeVisible()
  },
)

test(
  'a detached disk grows, and says what is left to do in the guest',
  story,
  async ({ open, api, project }) => {
    await scenesIn(api, project).disk('data')
    const page = await open('member', `/projects/${project}/disks`)
    await rowAction(page, 'data', 'Grow')
    const dialog = page.getByRole('dialog', { name: 'Grow disk', exact: true })
    await expect(dialog).toContainText('It cannot be made smaller again')
    const size = dialog.getByLabel('New size')
    await size.fill('1')
    await dialog.getByRole('button', { name: 'Grow disk' }).click()
    await expect(size).toHaveAccessibleDescription(/Must be at least 2 GiB/)
    await size.fill('7')
    await dialog.getByRole('button', { name: 'Review' }).click()
    await expect(page.getByRole('dialog', { name: /^Review: / })).toContainText('7 GiB')
    await page.getByRole('button', { name: 'Commit 1 change' }).click()
    await expect(dialog).toBeHidden()
    await expect(row(page, 'data')).toContainText('7 GiB')
  },
)
