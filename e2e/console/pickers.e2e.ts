import type { Page } from '@playwright/test'
import { scenesIn } from '../support/scenes.ts'
import { visit } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

const options = (page: Page) => page.getByRole('listbox', { name: 'Options' }).getByRole('option')

test('pickers find each of eleven hundred disks on the server, by keyboard, and say that there are more', async ({
  open,
  project,
  api,
  machine,
}) => {
  // So many disks take up to a minute to create; a picker reads a thousand at once.
  test.setTimeout(420_000)
  const { disk } = scenesIn(api, project)
  const names = Array.from({ length: 1100 }, (_, index) => `disk-${String(index + 1).padStart(4, '0')}`)
  const make = async () => {
    for (let name = names.shift(); name; name = names.shift()) await disk(name)
  }
  await Promise.all(Array.from({ length: 6 }, make))
  await machine('holder')

  // Those in use are not among the first, and not counted as all there is.
  const page = await open('member', `/projects/${project}/snapshots-new`)
  const field = page.getByRole('combobox', { name: 'Disk', exact: true })
  await field.click()
  await expect(options(page)).toHaveCount(100)
  await expect(page.getByText('There are more. Type to find them.')).toBeVisible()
  await field.fill('disk-10')
  await expect(page.getByRole('option', { name: /^disk-1000/ })).toBeVisible()
  await expect(options(page)).toHaveCount(100)
  await field.fill('k-1087')
  await expect(options(page)).toHaveText([/^disk-1087/])
  await expect(page.getByText('There are more.')).toBeHidden()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('disk-1087')
  // A text that nothing matches changes nothing.
  await field.fill('no-such-disk')
  await expect(options(page)).toHaveText(['No items match'])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(field).toHaveValue('disk-1087')
  await page.getByLabel('Name', { exact: true }).fill('of-a-late-one')
  await page.getByRole('button', { name: 'Create snapshot' }).click()
  await expect(page.getByRole('link', { name: 'of-a-late-one' })).toBeVisible()

  // The server leaves out those that cannot be attached.
  await visit(page, `/projects/${project}/instances/holder/storage`)
  await page.getByRole('button', { name: 'Attach existing disk' }).click()
  const dialog = page.getByRole('dialog', { name: 'Attach disk' })
  const inDialog = dialog.getByRole('combobox')
  await inDialog.fill('holder-boot')
  await expect(options(page)).toHaveText(['No items match'])
  await inDialog.fill('disk-1100')
  await expect(options(page)).toHaveText([/^disk-1100/])
  await page.keyboard.press('Enter')
  await expect(inDialog).toHaveValue('disk-1100')
  await dialog.getByRole('button', { name: 'Attach disk' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('row', { name: /^disk-1100\b/ })).toBeVisible()
})
