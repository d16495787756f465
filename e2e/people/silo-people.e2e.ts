import { createSilo, deleteSilo } from '../support/silo-scenes.ts'
import { confirm, menuItem, notifications, openRowMenu, row, rowAction, signIn } from '../support/steps.ts'
import { notOn, password, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const own = 'a heron in the reeds'

const tell = notOn({ preview: 'intercepts requests, which the preview does not send' })

test(
  'a one-time password is shown to an operator who left the form before it came',
  tell,
  async ({ open, api, project }) => {
    const silo = `left-${project}`
    await createSilo(api, silo)
    try {
      const page = await open('admin', `/system/silos/${silo}/users-new`)
      let answer = () => {}
      await page.route('**/ext/v1/system/silos/*/people', async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        await new Promise<void>((resolve) => (answer = resolve))
        await route.continue()
      })
      const form = page.getByRole('dialog', { name: 'Create user' })
      await form.getByLabel('Username').fill('olga')
      await form.getByRole('button', { name: 'Create user' }).click()
      await form.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Leave form' }).click()
      await expect(form).toBeHidden()
      answer()
      const issued = page.getByRole('dialog', { name: 'One-time password' })
      await expect(issued).toContainText('olga')
      await expect(issued.getByTestId('secret')).toHaveText(/\S{8}/)
      await issued.getByRole('button', { name: 'Done' }).click()
      await expect(row(page, 'olga')).toContainText('One-time')
    } finally {
      await deleteSilo(api, silo)
    }
  },
)

test(
  'an operator invites a user, who sets a password at the first sign-in',
  { ...story, ...notOn({ preview: 'needs two browsers' }) },
  async ({ open, api, project }) => {
    const silo = `people-${project}`
    await createSilo(api, silo)
    try {
      const page = await open('admin', `/system/silos/${silo}/users`)
      await page.getByRole('link', { name: 'New user' }).first().click()
      const form = page.getByRole('dialog', { name: 'Create user' })
      await form.getByLabel('Username').fill('Nora')
      await form.getByRole('button', { name: 'Create user' }).click()
      await expect(form.getByLabel('Username')).toHaveAccessibleDescription(/lower-case/i)
      await form.getByLabel('Username').fill('nora')
      await form.getByRole('button', { name: 'Create user' }).click()
      const issued = page.getByRole('dialog', { name: 'One-time password' })
      const secret = await issued.getByTestId('secret').innerText()
      await issued.getByRole('button', { name: 'Done' }).click()
      await expect(page.getByText(secret)).toBeHidden()
      await expect(row(page, 'nora')).toContainText('One-time')

      await rowAction(page, 'nora', 'Change silo role')
      const role = page.getByRole('dialog', { name: 'Change silo role' })
      await expect(role.getByRole('radio', { name: 'No role of their own' })).toBeChecked()
      await role.getByRole('radio', { name: /^Viewer/ }).check()
      await role.getByRole('button', { name: 'Change role' }).click()
      await expect(notifications(page)).toContainText('Role of nora changed')

      const nora = await open('nobody', `/login/${silo}/local`)
      await signIn(nora, 'nora', secret)
      await nora.getByLabel('New password', { exact: true }).fill('password1234')
      await nora.getByRole('button', { name: 'Set password and sign in' }).click()
      await expect(nora.getByLabel('New password', { exact: true })).toHaveAccessibleDescription(
        /easy to guess/,
      )
      await nora.getByLabel('New password', { exact: true }).fill(own)
      await nora.getByLabel('Confirm new password').fill('something else')
      await nora.getByRole('button', { name: 'Set password and sign in' }).click()
      await expect(nora.getByLabel('Confirm new password')).toHaveAccessibleDescription(/do not match/)
      await nora.getByLabel('Confirm new password').fill(own)
      await nora.getByRole('button', { name: 'Set password and sign in' }).click()
      await expect(nora.getByRole('heading', { name: 'Projects', exact: true })).toBeVisible()
      await expect(row(page, 'nora')).toContainText('Set')

      await rowAction(page, 'nora', 'End sessions')
      await confirm(page)
      await expect(notifications(page)).toContainText('Sessions of nora ended')
      await rowAction(page, 'nora', 'Reset password')
      await page.getByRole('button', { name: 'Reset', exact: true }).click()
      await expect(issued).toContainText('nora')
      await issued.getByRole('button', { name: 'Done' }).click()
      await expect(row(page, 'nora')).toContainText('One-time')

      await rowAction(page, 'nora', 'Set password')
      const setting = page.getByRole('dialog', { name: 'Set password' })
      await setting.getByLabel('New password').fill('nora-nora-nora')
      await setting.getByRole('button', { name: 'Set password' }).click()
      await expect(setting.getByLabel('New password')).toHaveAccessibleDescription(/easy to guess/)
      await setting.getByLabel('New password').fill(password)
      await setting.getByRole('button', { name: 'Set password' }).click()
      await expect(row(page, 'nora')).toContainText('Set')

      await page.getByRole('link', { name: 'nora', exact: true }).click()
      const panel = page.getByRole('dialog', { name: 'nora' })
      await expect(panel).toContainText(`Silo ${silo}`)
      await panel.getByRole('button', { name: 'Close' }).click()
      await rowAction(page, 'nora', 'Delete')
      await confirm(page)
      await expect(notifications(page)).toContainText('User nora deleted')
      await expect(page.getByRole('heading', { name: 'No users' })).toBeVisible()
    } finally {
      await deleteSilo(api, silo)
    }
  },
)

test('an operator cannot remove their own access', async ({ open }) => {
  const page = await open('admin', '/system/silos/demo/users?name=admin')
  await openRowMenu(page, 'admin')
  await expect(menuItem(page, 'Delete')).toHaveAttribute('aria-disabled', 'true')
  await expect(menuItem(page, 'Reset password')).toHaveAttribute('aria-disabled', 'true')
})
