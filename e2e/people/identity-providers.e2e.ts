import type { Page } from '@playwright/test'
import { identityProvider } from '../../packages/server/src/testing/identity-provider.ts'
import { signInAtProvider, withSamlSilo } from '../support/saml.ts'
import { notifications } from '../support/steps.ts'
import { notOn, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const noSaml = notOn({ preview: 'has no SAML' })
const xml = (text: string) => ({ name: 'idp.xml', mimeType: 'text/xml', buffer: Buffer.from(text) })
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

test(
  'an operator adds an identity provider, and unusable metadata is refused',
  { ...story, ...noSaml },
  async ({ open, api, gantry, project }) => {
    await withSamlSilo({ gantry, api, name: `idp-${project}` }, async ({ name: silo }) => {
      const idp = identityProvider({ audience: 'gantry', recipient: 'https://unused.example' })
      const page = await open('admin', `/system/silos/${silo}/idps`)
      await page.getByRole('link', { name: 'New provider' }).click()
      const form = page.getByRole('dialog', { name: 'Create identity provider' })
      await field(page, 'Name').fill('second')
      await expect(form).toContainText(`/login/${silo}/saml/second`)
      const standard = `${new URL(page.url()).origin}/login/${silo}/saml/second`
      await expect(field(page, 'ACS URL')).toHaveValue(standard)
      await form.getByRole('checkbox', { name: 'Use standard ACS URL' }).uncheck()
      await field(page, 'ACS URL').fill('https://elsewhere.example/acs')
      await form.getByRole('checkbox', { name: 'Use standard ACS URL' }).check()
      await expect(field(page, 'ACS URL')).toHaveValue(standard)
      await field(page, 'Service provider client ID').fill('gantry')
      await field(page, 'Entity ID').fill('https://wrong.example')
      await form.getByRole('radio', { name: 'XML' }).check()

      await field(page, 'Metadata source XML').setInputFiles(xml('<html>not metadata</html>'))
      await form.getByRole('button', { name: 'Check metadata' }).click()
      await expect(form.getByRole('alert').first()).toBeVisible()
      await field(page, 'Metadata source XML').setInputFiles(
        xml('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'),
      )
      await form.getByRole('button', { name: 'Create provider' }).click()
      await expect(form.getByRole('alert').first()).toBeVisible()
      await expect(form).not.toContainText('root:')
      // Each entity expands to ten of the previous one: a billion in total.
      const entities = Array.from({ length: 9 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`)
      await field(page, 'Metadata source XML').setInputFiles(
        xml(`<!DOCTYPE a [<!ENTITY e0 "lol">${entities.join('')}]><a>&e9;</a>`),
      )
      await form.getByRole('button', { name: 'Check metadata' }).click()
      await expect(form.getByRole('alert').first()).toBeVisible()
      await expect(field(page, 'Name')).toHaveValue('second')

      await field(page, 'Metadata source XML').setInputFiles(xml(idp.metadata))
      await form.getByRole('button', { name: 'Check metadata' }).click()
      await expect(form).toContainText(idp.entityId)
      await expect(form).toContainText('Single sign-on')
      await form.getByRole('button', { name: 'Create provider' }).click()
      await expect(field(page, 'Entity ID')).toHaveAccessibleDescription(/describes the entity/)
      await form.getByRole('button', { name: 'Use this entity ID' }).click()
      await expect(field(page, 'Entity ID')).toHaveValue(idp.entityId)
      await form.getByRole('button', { name: 'Create provider' }).click()
      await expect(notifications(page)).toContainText('IdP second created')
      await page.getByRole('link', { name: 'second', exact: true }).click()
      const panel = page.getByRole('dialog', { name: 'Identity provider' })
      await expect(panel).toContainText(idp.entityId)
    })
  },
)

test(
  'an operator adds one on a server that reads no metadata beforehand',
  noSaml,
  async ({ open, api, gantry, project }) => {
    await withSamlSilo({ gantry, api, name: `plain-${project}` }, async ({ name: silo }) => {
      const idp = identityProvider({ audience: 'gantry', recipient: 'https://unused.example' })
      const page = await open('admin', '/projects')
      await page.route('**/ext/v1/**', (route) => route.fulfill({ status: 404, body: '' }))
      await page.goto(`/system/silos/${silo}/idps-new?plain`)
      const form = page.getByRole('dialog', { name: 'Create identity provider' })
      await field(page, 'Name').fill('second')
      await field(page, 'Service provider client ID').fill('gantry')
      await field(page, 'Entity ID').fill(idp.entityId)
      await form.getByRole('radio', { name: 'XML' }).check()
      await field(page, 'Metadata source XML').setInputFiles(xml(idp.metadata))
      await expect(form.getByRole('button', { name: 'Check metadata' })).toHaveCount(0)
      await form.getByRole('button', { name: 'Create provider' }).click()
      await page.getByRole('link', { name: 'second', exact: true }).click()
      const panel = page.getByRole('dialog', { name: 'Identity provider' })
      await expect(panel).toContainText(idp.entityId)
      await expect(panel.getByRole('button', { name: 'Test sign-in' })).toHaveCount(0)
    })
  },
)

test(
  'a test sign-in shows the operator the user and their groups',
  noSaml,
  async ({ open, api, gantry, project }) => {
    await withSamlSilo({ gantry, api, name: `try-${project}` }, async ({ name: silo, provider }) => {
      const page = await open('admin', `/system/silos/${silo}/idps/saml/${provider}`)
      const card = page.getByRole('region', { name: 'Test sign-in' })
      await card.getByRole('button', { name: 'Test sign-in' }).click()
      const opened = page.context().waitForEvent('page')
      await card.getByRole('link', { name: 'Open the sign-in page' }).click()
      const window = await opened
      await signInAtProvider(window, 'alice')
      await expect(window.getByRole('heading', { name: 'Test sign-in complete' })).toBeVisible()
      await expect(card).toContainText('The sign-in would be accepted.')
      await expect(card).toContainText('alice')
      await expect(card).toContainText('operators')
      await expect(card).toContainText('Silo admin')

      await card.getByRole('button', { name: 'Test again' }).click()
      const again = page.context().waitForEvent('page')
      await card.getByRole('link', { name: 'Open the sign-in page' }).click()
      await signInAtProvider(await again, 'mallory')
      await expect(card).toContainText('The sign-in would be refused')
    })
  },
)

test(
  'an operator corrects a provider, and deletes it knowing what goes',
  noSaml,
  async ({ open, api, gantry, project }) => {
    await withSamlSilo({ gantry, api, name: `mend-${project}` }, async ({ name: silo, provider }) => {
      const page = await open('admin', `/system/silos/${silo}/idps`)
      const menu = page.getByRole('row', { name: new RegExp(provider) }).getByRole('button')
      await menu.last().click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      const form = page.getByRole('dialog', { name: 'Edit identity provider' })
      await field(page, 'Service provider client ID').fill('another-client')
      await form.getByRole('button', { name: 'Update identity provider' }).click()
      await expect(form).toHaveCount(0)
      await page.getByRole('link', { name: provider, exact: true }).click()
      const panel = page.getByRole('dialog', { name: 'Identity provider' })
      await expect(panel).toContainText('another-client')
      await page.keyboard.press('Escape')
      await expect(panel).toHaveCount(0)
      await menu.last().click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      const question = page.getByRole('dialog', { name: 'Confirm delete identity provider' })
      await expect(question).toContainText(/access tokens? of its users end/)
      await expect(question).toContainText('cannot sign in until the silo has a provider again')
      await question.getByRole('button', { name: 'Confirm' }).click()
      await expect(page.getByRole('heading', { name: 'No identity providers' })).toBeVisible()
    })
  },
)
