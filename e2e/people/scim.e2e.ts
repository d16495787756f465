import type { Page } from '@playwright/test'
import { deleteSilo } from '../support/silo-scenes.ts'
import { confirm, row } from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

/** Sends a request as an identity provider does. */
const provision = (page: Page, token: string, method: string, path: string, body?: object) =>
  page.evaluate(
    async ([bearer, verb, at, sent]) => {
      const response = await fetch(`/scim/v2${at}`, {
        method: verb,
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/scim+json' },
        ...(sent && { body: sent }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
    },
    [token, method, path, body ? JSON.stringify(body) : ''] as const,
  )

test(
  'an operator lets an identity provider manage the users of a silo, and ends that',
  story,
  async ({ open, api, project }) => {
    const silo = `managed-${project}`
    const page = await open('admin', '/system/silos-new')
    await page.getByLabel('Name', { exact: true }).fill(silo)
    await page.getByRole('radio', { name: 'SAML + SCIM' }).check()
    await page.getByLabel('Admin group name').fill('admins')
    await page.getByRole('button', { name: 'Create silo' }).click()
    await page.getByRole('link', { name: silo, exact: true }).first().click()
    await page.getByRole('tab', { name: 'SCIM' }).click()
    await expect(page.getByText('Create a token for your identity provider.')).toBeVisible()

    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    const made = page.getByRole('dialog', { name: 'SCIM token created' })
    const token = await made.getByTestId('secret').first().innerText()
    expect(token).toMatch(/^oxide-scim-[0-9a-f]{40}$/)
    await expect(made).toContainText('/scim/v2')
    await made.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    const listed = page.getByRole('row').filter({ hasText: 'Never' })
    await expect(listed).toHaveCount(1)
    await expect(page.getByRole('main')).not.toContainText(token)

    const { status, body: user } = await provision(page, token, 'POST', '/Users', { userName: 'ada' })
    expect(status).toBe(201)
    await provision(page, token, 'POST', '/Groups', {
      displayName: 'Admins',
      members: [{ value: user.id }],
    })
    await provision(page, token, 'PATCH', `/Users/${user.id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
    })
    await page.getByRole('tab', { name: 'Users' }).click()
    await expect(row(page, 'ada')).toContainText('Inactive')
    await page.getByRole('tab', { name: 'Activity' }).click()
    await expect(page.getByText(/^SCIM, with token/).first()).toBeVisible()

    await page.getByRole('tab', { name: 'SCIM' }).click()
    await listed.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await confirm(page)
    await expect(page.getByText('No SCIM tokens')).toBeVisible()
    expect((await provision(page, token, 'GET', '/Users')).status).toBe(401)
    await deleteSilo(api, silo)
  },
)

test('a silo with users of its own has no SCIM tokens, and the page says why', async ({ open }) => {
  const page = await open('admin', '/system/silos/demo/scim')
  await expect(page.getByRole('button', { name: 'Create token' })).toBeDisabled()
  await expect(page.getByRole('heading', { name: 'No SCIM tokens' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Only silos with the identity mode SAML + SCIM')
})
