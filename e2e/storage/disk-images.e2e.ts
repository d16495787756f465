import { row, rowAction, visit } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

test('a user creates an image of a disk, and finds no snapshot afterwards', async ({
  open,
  project,
  api,
}) => {
  await api('member', 'POST', `/v1/disks?project=${project}`, {
    name: 'master',
    description: '',
    size: 1024 ** 3,
    disk_source: { type: 'blank', block_size: 512 },
  })
  const page = await open('member', `/projects/${project}/disks`)
  await rowAction(page, 'master', 'Create image')
  const form = page.getByRole('dialog', { name: 'Create image' })
  await expect(form).toContainText('Until it is copied, the disk cannot be attached.')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('golden')
  await form.getByRole('textbox', { name: 'OS', exact: true }).fill('Linux')
  await form.getByRole('button', { name: 'Create image' }).click()
  await expect(form).toContainText('Version is required')
  await form.getByRole('textbox', { name: 'Version', exact: true }).fill('1')
  await form.getByRole('button', { name: 'Create image' }).click()
  await expect(form).toBeHidden()
  await visit(page, `/projects/${project}/images`)
  await expect(row(page, 'golden')).toContainText('1 GiB', { timeout: 30_000 })
  await visit(page, `/projects/${project}/snapshots`)
  await expect(page.getByText('No snapshots')).toBeVisible()
})
