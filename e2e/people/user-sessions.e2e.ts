import {
  menuItem,
  notifications,
  openRowMenu,
  row,
  rowAction,
  signIn,
  visit,
  withoutFirstAnswers,
} from '../support/steps.ts'
import { withFleetRole } from '../support/fleet-steps.ts'
import { createSilo, deleteSilo } from '../support/silo-scenes.ts'
import { notOn, password } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const localUsers = '/v1/system/identity-providers/local/users'

test(
  "an administrator ends all sessions of one of the silo's users",
  notOn({ preview: 'needs two browsers' }),
  async ({ open, api, project }) => {
    const name = `user-${project}`
    const { id } = (await api('admin', 'POST', `${localUsers}?silo=demo`, {
      external_id: name,
      password: { mode: 'password', value: password },
    })) as { id: string }
    try {
      const page = await open('admin', `/users/${id}`)
      const panel = page.getByRole('dialog', { name })
      const end = panel.getByRole('button', { name: 'End all sessions' })
      await expect(panel).toContainText('No open sessions')
      await expect(panel).toContainText('No access tokens')
      await expect(end).toHaveAccessibleDescription(`${name} has none`)

      const other = await open('nobody', '/login/demo/local')
      await signIn(other, name)
      await expect(other.getByRole('heading', { name: 'Projects', exact: true })).toBeVisible()
      await visit(page, `/users/${id}`)
      await expect(panel.getByRole('table', { name: 'Sessions' }).getByRole('row')).toHaveCount(2)
      await end.click()
      const dialog = page.getByRole('dialog', { name: 'Confirm end all sessions' })
      await expect(dialog).toContainText('This ends 1 session.')
      await dialog.getByRole('button', { name: 'End all sessions' }).click()
      await expect(notifications(page)).toContainText(`Sessions of ${name} ended`)
      await expect(panel).toContainText('No open sessions')
      await visit(other, '/projects')
      // The console itself goes to the sign-in page.
      await expect(other).toHaveURL(/\/login/)
      await expect(other.getByRole('button', { name: /Sign in|Continue/ }).first()).toBeVisible()
      await visit(other, '/login/demo/local')

      // Ending the sessions of a user who was deleted meanwhile is refused.
      await signIn(other, name)
      await expect(other.getByRole('heading', { name: 'Projects', exact: true })).toBeVisible()
      await visit(page, `/users/${id}`)
      await expect(end).toBeEnabled()
      await end.click()
      await api('admin', 'DELETE', `${localUsers}/${id}?silo=demo`)
      await dialog.getByRole('button', { name: 'End all sessions' }).click()
      await expect(notifications(page)).toContainText('Could not end sessions')
    } finally {
      await api('admin', 'DELETE', `${localUsers}/${id}?silo=demo`).catch(() => undefined)
    }
  },
)

test('administrators cannot end their own sessions there, and others see no sessions', async ({ open }) => {
  const page = await open('admin', '/users?name=admin')
  await page.getByRole('link', { name: 'admin', exact: true }).click()
  await expect(page.getByRole('button', { name: 'End all sessions' })).toHaveAccessibleDescription(
    'End your own sessions in your settings',
  )
  const viewer = await open('viewer', '/users?name=omar')
  await viewer.getByRole('link', { name: 'omar', exact: true }).click()
  await expect(viewer.getByRole('dialog', { name: 'omar' })).toContainText('Roles')
  await expect(viewer.getByText('Sessions and access tokens')).toBeHidden()
})

test('a fleet collaborator without a role on the silo sees neither sessions of its users nor its certificates', async ({
  open,
  api,
}) => {
  await withFleetRole(api, 'petra', 'collaborator', async () => {
    const page = await open('petra', '/users?name=omar')
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    await page.getByRole('link', { name: 'omar', exact: true }).click()
    const panel = page.getByRole('dialog', { name: 'omar' })
    await expect(panel).toContainText('Roles')
    await panel.getByRole('button', { name: 'Close' }).click()
    const rail = page.getByRole('navigation', { name: 'Sidebar' })
    await expect(rail.getByRole('link', { name: 'Silo Access' })).toBeVisible()
    await expect(rail.getByRole('link', { name: 'Certificates' })).toBeHidden()
    await rail.getByRole('link', { name: 'Silo Access' }).click()
    await expect(page).toHaveTitle(/^Silo Access/)
    expect(refused).toEqual([])
  })
})

test('operators see the built-in users', async ({ open }) => {
  const page = await open('admin', '/system/access')
  await page.getByRole('link', { name: 'Built-in users' }).click()
  await expect(page).toHaveTitle(/^Built-in users \/ Fleet Access \//)
  const first = page.getByRole('table', { name: 'Built-in users' }).getByRole('link').first()
  const name = await first.innerText()
  await first.click()
  const panel = page.getByRole('dialog', { name: 'Built-in user' })
  await expect(panel).toContainText(name)
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(/\/system\/built-in-users$/)
  await visit(page, '/system/built-in-users/nobody-such')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test(
  'on a server without our extensions, an operator still creates and deletes users of a silo',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, api, project }) => {
    const silo = `plain-${project}`
    await createSilo(api, silo)
    try {
      const page = await open('admin', '/projects')
      await withoutFirstAnswers(page)
      await page.route('**/ext/**', (route) => route.fulfill({ status: 404, body: 'not here' }))
      await visit(page, `/system/silos/${silo}/users`)
      await page.getByRole('link', { name: 'New user' }).first().click()
      const form = page.getByRole('dialog', { name: 'Create user' })
      await form.getByLabel('Username').fill('nora')
      await form.getByLabel('Password', { exact: true }).fill('short')
      await form.getByRole('button', { name: 'Create user' }).click()
      await expect(form.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
      await form.getByLabel('Password', { exact: true }).fill('a heron in the reeds')
      await form.getByRole('button', { name: 'Create user' }).click()
      await expect(notifications(page)).toContainText('User nora created')
      await expect(row(page, 'nora')).toBeVisible()
      await openRowMenu(page, 'nora')
      await expect(menuItem(page, 'Reset password')).toHaveAccessibleDescription(/no one-time passwords/)
      await expect(menuItem(page, 'End sessions')).toHaveAccessibleDescription(/your own silo only/)
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'nora', exact: true }).click()
      await page.getByRole('dialog', { name: 'nora' }).getByRole('button', { name: 'Close' }).click()
      await rowAction(page, 'nora', 'Delete')
      await page.getByRole('button', { name: 'Confirm' }).click()
      await expect(notifications(page)).toContainText('User nora deleted')
    } finally {
      await deleteSilo(api, silo)
    }
  },
)

test(
  'sessions that could not be read are read again, and the focus stays in the panel',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open }) => {
    const page = await open('admin', '/users')
    let fails = true
    await page.route('**/v1/users/*/sessions*', (route) =>
      fails ? route.fulfill({ status: 403, json: { message: 'refused for a test' } }) : route.fallback(),
    )
    await page.getByRole('link', { name: 'omar', exact: true }).click()
    const panel = page.getByRole('dialog', { name: 'omar' })
    const retry = panel.getByRole('button', { name: 'Retry' })
    await expect(retry).toBeVisible()
    fails = false
    await retry.press('Enter')
    await expect(retry).toBeHidden()
    await expect(panel).toBeFocused()
  },
)
