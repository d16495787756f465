import { scenesIn } from '../support/scenes.ts'
import { menuItem, openRowMenu, row, rowAction, visit } from '../support/steps.ts'
import { notOn, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

test(
  'an instance is protected with a reason, which stands wherever it would be deleted or stopped',
  { ...story, ...notOn({ preview: 'needs two browsers' }) },
  async ({ open, machine, project }) => {
    await machine('db-1', { start: true })
    const page = await open('member', `/projects/${project}/instances/db-1`)
    const other = await open('admin', `/projects/${project}/instances`)
    const menu = page.getByRole('button', { name: 'Instance actions' })
    await menu.click()
    await menuItem(page, 'Protect').click()
    const dialog = page.getByRole('dialog', { name: 'Protect instance' })
    await dialog.getByRole('checkbox', { name: 'Stop or force off' }).check()
    await dialog.getByRole('button', { name: 'Protect' }).click()
    await expect(dialog).toContainText('Reason is required')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Holds the payroll')
    await dialog.getByRole('button', { name: 'Protect' }).click()
    await expect(dialog).toBeHidden()

    const reason = 'Protected by member: Holds the payroll'
    await expect(page.getByText('Protected', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveAccessibleDescription(reason)
    // Other users see it without a reload.
    await openRowMenu(other, 'db-1')
    await expect(menuItem(other, 'Delete')).toHaveAccessibleDescription(reason)
    await expect(menuItem(other, 'Stop')).toHaveAccessibleDescription(reason)
    await other.keyboard.press('Escape')
    await other.getByRole('checkbox', { name: 'Select db-1' }).check()
    await expect(other.getByRole('button', { name: 'Stop', exact: true })).toHaveAccessibleDescription(reason)

    await menu.click()
    await menuItem(page, 'Take protection off').click()
    const confirm = page.getByRole('dialog', { name: 'Take protection off' })
    await expect(confirm).toContainText(reason)
    await confirm.getByRole('button', { name: 'Take off' }).click()
    await expect(confirm).toBeHidden()
    await expect(page.getByText('Protected', { exact: true })).toBeHidden()
    await visit(page, `/projects/${project}/activity`)
    const entries = page.getByRole('main').getByRole('listitem')
    await expect(entries.filter({ hasText: 'Took the protection off instance db-1' })).toBeVisible()
    await expect(entries.filter({ hasText: 'Protected instance db-1' })).toContainText(
      'Cannot be deleted or stopped: Holds the payroll',
    )
  },
)

test('a disk, a VPC, an address and a project are protected from their lists', async ({
  open,
  api,
  project,
}) => {
  await scenesIn(api, project).disk('data')
  await api('member', 'POST', `/v1/floating-ips?project=${project}`, { name: 'entry', description: '' })
  const page = await open('member', `/projects/${project}/disks`)
  const lists = [
    [`/projects/${project}/disks`, 'data', 'Protect disk'],
    [`/projects/${project}/vpcs`, 'default', 'Protect VPC'],
    [`/projects/${project}/floating-ips`, 'entry', 'Protect floating IP'],
    ['/projects', project, 'Protect project'],
  ] as const
  for (const [path, name, title] of lists) {
    await visit(page, path)
    await rowAction(page, name, 'Protect')
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('In use')
    await dialog.getByRole('button', { name: 'Protect' }).click()
    await expect(dialog).toBeHidden()
    await row(page, name).getByText('Protected', { exact: true }).hover()
    await expect(page.getByRole('tooltip')).toContainText('Protected by member: In use')
    await openRowMenu(page, name)
    await expect(menuItem(page, 'Delete')).toHaveAccessibleDescription('Protected by member: In use')
    await page.keyboard.press('Escape')
    await rowAction(page, name, 'Take protection off')
    await page.getByRole('dialog').getByRole('button', { name: 'Take off' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
  }
})
