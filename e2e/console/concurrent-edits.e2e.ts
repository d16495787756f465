import { confirm, rowAction, visit } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

test('a refused form shows what another user changed, and does not undo it when it is sent again', async ({
  open,
  api,
  project,
}) => {
  const subnet = `/v1/vpc-subnets/default?project=${project}&vpc=default`
  const page = await open('admin', `/projects/${project}/vpcs/default/subnets/default/edit`)
  const form = page.getByRole('dialog', { name: 'Edit subnet' })
  const description = form.getByRole('textbox', { name: /Description/ })
  const save = form.getByRole('button', { name: 'Update subnet' })
  await form.getByRole('textbox', { name: /Name/ }).fill('mine')
  await api('admin', 'PUT', subnet, { description: 'theirs' })
  await save.click()
  await expect(form).toContainText('changed since')
  await expect(description).toHaveValue('theirs')
  await expect(form.getByRole('textbox', { name: /Name/ })).toHaveValue('mine')
  await save.click()
  await expect(form).toHaveCount(0)
  const saved = await api('admin', 'GET', subnet.replace('default', 'mine'))
  expect(saved).toMatchObject({ name: 'mine', description: 'theirs' })
})

test('a confirmation closes with the page that it is about', async ({ open, api, project }) => {
  const disk = {
    name: 'kept',
    description: '',
    size: 1024 ** 3,
    disk_source: { type: 'blank', block_size: 512 },
  }
  await api('admin', 'POST', `/v1/disks?project=${project}`, disk)
  const page = await open('admin', `/projects/${project}/snapshots`)
  await visit(page, `/projects/${project}/disks`)
  await rowAction(page, 'kept', 'Delete')
  const question = page.getByRole('dialog', { name: 'Confirm delete disk' })
  await expect(question).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/snapshots$/)
  await expect(question).toHaveCount(0)
  await visit(page, `/projects/${project}/disks`)
  await rowAction(page, 'kept', 'Delete')
  await confirm(page)
  await expect(page.getByRole('row', { name: /kept/ })).toHaveCount(0)
})
