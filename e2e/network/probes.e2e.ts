import { asFleetViewer } from '../support/fleet-steps.ts'
import { probeIn } from '../support/probe-steps.ts'
import { confirm, menuItem, visit } from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

test(
  'an operator runs a probe on a sled, sees its addresses and state, and deletes it',
  story,
  async ({ open, project }) => {
    const name = `echo-${project}`
    const page = await open('admin', `/projects/${project}/instances`)
    await page.getByRole('navigation', { name: 'Sidebar' }).getByRole('link', { name: 'Probes' }).click()
    await page.getByRole('link', { name: 'New probe' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create probe' })
    const submit = form.getByRole('button', { name: 'Create probe' })
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    await submit.click()
    await expect(form.getByText('Sled is required')).toBeVisible()
    await form.getByRole('combobox', { name: 'Sled' }).click()
    await page.getByRole('option', { name: 'GS-001' }).click()
    await submit.click()
    await expect(form).toHaveCount(0)

    const row = page.getByRole('row', { name: new RegExp(name) })
    await expect(row).toContainText('Running')
    await expect(row).toContainText(/172\.30\.\d+\.\d+/)
    await expect(row.getByRole('link', { name: 'GS-001' })).toBeVisible()
    await row.getByRole('button', { name: /^Actions for / }).click()
    await menuItem(page, 'Delete').click()
    await confirm(page)
    await expect(row).toHaveCount(0)
  },
)

test('a fleet viewer sees probes of a project without changing them, and other users do not see them', async ({
  open,
  api,
  project,
}) => {
  const name = `echo-${project}`
  await probeIn(api, project, name)
  const sidebarLink = { name: 'Probes' }
  await asFleetViewer(api, 'member', async () => {
    const page = await open('member', `/projects/${project}/probes`)
    const row = page.getByRole('row', { name: new RegExp(name) })
    await expect(row).toContainText('Running')
    await expect(page.getByRole('button', { name: 'New probe' })).toBeDisabled()
    await row.getByRole('button', { name: /^Actions for / }).click()
    await expect(menuItem(page, 'Delete')).toBeDisabled()
  })
  const page = await open('member', `/projects/${project}/instances`)
  const sidebar = page.getByRole('navigation', { name: 'Sidebar' })
  await expect(sidebar.getByRole('link', { name: 'Disks' })).toBeVisible()
  await expect(sidebar.getByRole('link', sidebarLink)).toHaveCount(0)
  await visit(page, `/projects/${project}/probes`)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await api('admin', 'DELETE', `/experimental/v1/probes/${name}?project=${project}`)
})
