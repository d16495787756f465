import { writeFile } from 'node:fs/promises'
import { identityProvider } from '../../packages/server/src/testing/identity-provider.ts'
import { withSamlSilo } from '../support/saml.ts'
import { choose, notifications } from '../support/steps.ts'
import { notOn } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const asksAgain = 'The file was changed since it was chosen. Choose it again.'

test('user data that change after they were chosen are asked for again', async ({
  open,
  project,
  api,
}, info) => {
  const page = await open('member', `/projects/${project}/instances-new`)
  await page.getByLabel('Name', { exact: true }).fill('seeded')
  await choose(page, 'Image', /alpine-3-22/)
  await page.getByText('Configuration', { exact: true }).click()
  await page.getByRole('radiogroup', { name: 'User Data' }).getByRole('radio', { name: 'File' }).check()
  const field = page.locator('input[type=file]')
  const file = info.outputPath('user-data.yaml')
  await writeFile(file, '#cloud-config\n')
  await field.setInputFiles(file)
  await writeFile(file, '#cloud-config\nruncmd: [reboot]\n')
  const create = page.getByRole('button', { name: 'Create instance' })
  await create.click()
  await expect(page.getByRole('alert').filter({ hasText: asksAgain })).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('seeded')
  const { items } = (await api('member', 'GET', `/v1/instances?project=${project}`)) as { items: unknown[] }
  expect(items).toEqual([])

  await field.setInputFiles(file)
  await create.click()
  await expect(notifications(page)).toContainText('Instance seeded created')
})

test(
  'metadata of an identity provider that change after they were chosen are asked for again',
  notOn({ preview: 'has no SAML' }),
  async ({ open, api, gantry, project }, info) => {
    await withSamlSilo({ gantry, api, name: `chosen-${project}` }, async ({ name: silo }) => {
      const { metadata, entityId } = identityProvider({
        audience: 'gantry',
        recipient: 'https://unused.example',
      })
      const page = await open('admin', `/system/silos/${silo}/idps-new`)
      const form = page.getByRole('dialog', { name: 'Create identity provider' })
      await form.getByLabel('Name', { exact: true }).fill('chosen')
      await form.getByLabel('Service provider client ID', { exact: true }).fill('gantry')
      await form.getByLabel('Entity ID', { exact: true }).fill(entityId)
      await form.getByRole('radio', { name: 'XML' }).check()
      const file = info.outputPath('metadata.xml')
      await writeFile(file, metadata)
      const source = form.getByLabel('Metadata source XML', { exact: true })
      await source.setInputFiles(file)
      await writeFile(file, `${metadata}\n`)
      const alert = form.getByRole('alert').filter({ hasText: asksAgain }).first()
      await form.getByRole('button', { name: 'Check metadata' }).click()
      await expect(alert).toBeVisible()
      await form.getByRole('button', { name: 'Create provider' }).click()
      await expect(alert).toBeVisible()

      await source.setInputFiles(file)
      await form.getByRole('button', { name: 'Create provider' }).click()
      await expect(notifications(page)).toContainText('IdP chosen created')
    })
  },
)
