import { ask, chooseSilo, notifications, signIn } from '../support/steps.ts'
import { notOn, password, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const fresh = 'a heron in the reeds'

test(
  'a user changes their password, and signs in with the new one',
  { ...story, ...notOn({ preview: 'loads a page of its own to sign in' }) },
  async ({ open, api, project }) => {
    const name = `changer-${project.slice(2)}`
    await api('admin', 'POST', '/v1/system/identity-providers/local/users?silo=demo', {
      external_id: name,
      password: { mode: 'password', value: password },
    })
    const page = await open('nobody', '/settings/profile')
    await chooseSilo(page)
    await signIn(page, name)
    const card = page.getByRole('region', { name: 'Password', exact: true })
    await card.getByRole('button', { name: 'Change password' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change password' })
    const field = (label: string) => dialog.getByLabel(label, { exact: true })
    const submit = () => dialog.getByRole('button', { name: 'Change password' }).click()

    await submit()
    await expect(field('Current password')).toHaveAccessibleDescription(/Current password is required/)
    await field('Current password').fill('not the old one')
    await field('New password').fill('password1234')
    await field('Confirm new password').fill(fresh)
    await submit()
    await expect(field('New password')).toHaveAccessibleDescription(/easy to guess/)
    await field('New password').fill(`${name}-${name}`)
    await expect(field('New password')).toHaveAccessibleDescription(/easy to guess/)
    await field('New password').fill(`${fresh}!`)
    await submit()
    await expect(field('Confirm new password')).toHaveAccessibleDescription(/The passwords do not match/)
    await field('Confirm new password').fill(`${fresh}!`)
    await submit()
    await expect(field('Current password')).toHaveAccessibleDescription(/it is not your password/)
    await field('Current password').fill(password)
    await submit()
    await expect(notifications(page)).toContainText('Password changed.')
    await expect(dialog).toBeHidden()

    const login = (secret: string) =>
      ask(page, 'POST', '/v1/login/demo/local', { username: name, password: secret })
    expect([await login(password), await login(`${fresh}!`)]).toEqual([401, 204])
  },
)

test(
  'a user whose password is managed elsewhere cannot change it here',
  notOn({ preview: 'responses of the control plane in the page cannot be mocked' }),
  async ({ open }) => {
    const page = await open('member', '/projects')
    await page.route('**/ext/v1/me/password', (route) => route.fulfill({ json: { is_set: false } }))
    const asked = page.waitForResponse('**/ext/v1/me/password')
    await page.goto('/settings/profile')
    await asked
    await expect(page.getByRole('heading', { name: 'Groups', exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Change password' })).toBeHidden()
  },
)
