import { ask, confirm, notifications, openRowMenu, menuItem, row, signIn, visit } from '../support/steps.ts'
import {
  addPasskey,
  keepCodes,
  newcomer,
  readCodes,
  readKey,
  secret,
  security,
  sendSetUpCode,
  signInAgain,
  signOut,
  test,
  toSecurity,
  virtualAuthenticator,
} from '../support/second-factor-steps.ts'
import { notOn, password, story } from '../support/target.ts'
import { expect } from '../support/test.ts'
import { previousCodeOf, totpOf } from '../support/totp.ts'

const noDomain = notOn({ preview: 'has no passkeys, and cannot sign in as new users' })

test(
  'a user adds a passkey, signs in with it alone, and deletes it',
  { ...story, ...noDomain },
  async ({ openNamed, api }) => {
    const { name } = await newcomer(api)
    const page = await openNamed()
    const authenticator = await virtualAuthenticator(page)
    await toSecurity(page, name)
    const sidebar = page.getByRole('navigation', { name: 'Sidebar navigation' })
    await expect(sidebar.getByRole('link', { name: 'Security' })).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('heading', { name: 'No passkeys' })).toBeVisible()
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const add = page.getByRole('dialog', { name: 'Add passkey' })
    await expect(add.getByLabel('Name')).toHaveValue(/^Chrome on /)
    await add.getByLabel('Name').fill('')
    await add.getByRole('button', { name: 'Add passkey' }).click()
    await expect(add.getByLabel('Name')).toHaveAccessibleDescription(/Name is required/)
    await add.getByLabel('Name').fill('laptop')
    // Without unlocking, no passkey is created and the input stays.
    await authenticator.unlocks(false)
    await add.getByRole('button', { name: 'Add passkey' }).click()
    await expect(add.getByRole('alert')).toContainText('No passkey was used.')
    await authenticator.unlocks(true)
    await add.getByRole('button', { name: 'Add passkey' }).click()
    const codes = page.getByRole('dialog', { name: 'Recovery codes' })
    await expect(codes.getByRole('listitem')).toHaveCount(10)
    const shown = await readCodes(page)
    await codes.getByRole('button', { name: 'Copy all' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown.join('\n'))
    await codes.getByRole('button', { name: 'I have saved them' }).click()
    await expect(notifications(page)).toContainText('Passkey added')
    await expect(row(page, 'laptop')).toContainText('Never')
    // The same device cannot add a second passkey.
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await add.getByRole('button', { name: 'Add passkey' }).click()
    await expect(add.getByRole('alert')).toContainText('This authenticator already has a passkey for you.')
    await add.getByRole('button', { name: 'Cancel' }).click()

    await openRowMenu(page, 'laptop')
    await menuItem(page, 'Rename').click()
    await page.getByLabel('Name', { exact: true }).fill('desk')
    await page.getByRole('button', { name: 'Rename' }).click()
    await expect(row(page, 'desk')).toBeVisible()

    await signOut(page)
    await visit(page, security)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(page.getByRole('heading', { name: 'Security', exact: true })).toBeVisible()
    await expect(row(page, 'desk')).toContainText('ago')

    await openRowMenu(page, 'desk')
    await menuItem(page, 'Delete').click()
    await expect(page.getByRole('dialog', { name: 'Confirm delete passkey' })).toContainText('desk')
    await confirm(page)
    await expect(page.getByRole('heading', { name: 'No passkeys' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'New codes' })).toHaveAttribute('aria-disabled', 'true')
  },
)

test(
  'the password is followed by a passkey, or a recovery code instead',
  { ...story, ...noDomain },
  async ({ openNamed, api }) => {
    const { name } = await newcomer(api)
    const page = await openNamed()
    const authenticator = await virtualAuthenticator(page)
    await toSecurity(page, name)
    const [code = ''] = await addPasskey(page)
    await signInAgain(page, security, name)
    // The button for passwordless sign-in has the same name.
    await expect(page.getByText('Your password is correct.')).toBeFocused()
    await authenticator.unlocks(false)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'No passkey was used' })).toBeVisible()
    await authenticator.unlocks(true)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(page.getByRole('heading', { name: 'Security', exact: true })).toBeVisible()
    await signInAgain(page, security, name)
    await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
    await page.getByLabel('Recovery code').fill('AAAA-AAAA-AAAA-AAAA')
    await page.keyboard.press('Enter')
    await expect(
      page.getByRole('alert').filter({ hasText: 'The code is wrong or was used before' }),
    ).toBeVisible()
    await expect(page.getByLabel('Recovery code')).toBeFocused()
    await page.keyboard.type(code.toLowerCase())
    await page.keyboard.press('Enter')
    await expect(page.getByText('9 codes left')).toBeVisible()
  },
)

test(
  'a user sets up an authenticator app, and each code works once',
  { ...story, ...noDomain },
  async ({ openNamed, api }) => {
    const { name } = await newcomer(api)
    const page = await openNamed()
    await toSecurity(page, name)
    await page.getByRole('button', { name: 'Set up app' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set up authenticator app' })
    const key = await readKey(page)
    await sendSetUpCode(page, '000000')
    await expect(dialog.getByRole('alert')).toContainText('The code is wrong or was used before')
    const used = await previousCodeOf(key)
    await sendSetUpCode(page, used)
    await keepCodes(page)
    await expect(page.getByRole('button', { name: 'Replace app' })).toBeVisible()
    await expect(page.getByText('10 codes left')).toBeVisible()

    await page.getByRole('button', { name: 'New codes' }).click()
    await page.getByRole('button', { name: 'Generate codes' }).click()
    await keepCodes(page)

    await signInAgain(page, security, name)
    const field = page.getByLabel('Code from your authenticator app')
    await expect(field).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(field).toHaveAccessibleDescription('Code from your authenticator app is required')
    for (const wrong of ['12', used]) {
      await field.fill(wrong)
      await page.keyboard.press('Enter')
      await expect(
        page.getByRole('alert').filter({ hasText: 'The code is wrong or was used before' }),
      ).toBeVisible()
      await expect(page.getByRole('button', { name: 'Sign in', exact: true })).not.toHaveAttribute(
        'aria-busy',
      )
    }
    await field.fill(totpOf(key, 1))
    await page.keyboard.press('Enter')
    await expect(page.getByText('last used')).toBeVisible()
    await page.getByRole('button', { name: 'Remove app' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(page.getByText('Not set up')).toBeVisible()
  },
)

test('an expired sign-in starts over', noDomain, async ({ openNamed, api }) => {
  const { name } = await newcomer(api)
  const page = await openNamed()
  await toSecurity(page, name)
  await page.getByRole('button', { name: 'Set up app' }).click()
  const key = await readKey(page)
  await sendSetUpCode(page, await previousCodeOf(key))
  await keepCodes(page)
  await signInAgain(page, security, name)
  await page.getByLabel('Code from your authenticator app').fill(totpOf(key))
  await page.context().clearCookies({ name: 'sign_in' })
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your sign-in timed out. Sign in again.')).toBeVisible()
  await signIn(page, name, secret)
  await expect(page.getByText('Your sign-in timed out.')).toBeHidden()
  await page.getByRole('button', { name: 'Sign in as someone else' }).click()
  await expect(page.getByLabel('Username')).toBeFocused()
})

test(
  "a long-open session confirms the user's identity before changing second factors",
  noDomain,
  async ({ openNamed, api }) => {
    const { name } = await newcomer(api)
    const page = await openNamed()
    await virtualAuthenticator(page)
    await toSecurity(page, name)
    await addPasskey(page)
    // Mocks a session that is ten minutes old.
    let asks = true
    await page.route('**/ext/v1/me/second-factors', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), needs_confirmation: asks } })
    })
    await page.getByRole('button', { name: 'Set up app' }).click()
    const asked = page.getByRole('dialog', { name: 'Confirm your identity' })
    await asked.getByRole('button', { name: 'Confirm' }).click()
    await expect(asked.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
      'Password is required',
    )
    await asked.getByLabel('Password', { exact: true }).fill('something else')
    await asked.getByRole('button', { name: 'Confirm' }).click()
    await expect(asked.getByRole('alert')).toContainText('The password is wrong')
    await asked.getByLabel('Password', { exact: true }).fill(secret)
    await asked.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByRole('dialog', { name: 'Set up authenticator app' })).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('button', { name: 'New codes' }).click()
    await asked.getByRole('button', { name: 'Use a passkey instead' }).click()
    await expect(page.getByRole('dialog', { name: 'Confirm new recovery codes' })).toBeVisible()
    asks = false
  },
)

test('a required second factor is set up during sign-in', noDomain, async ({ openNamed, api }) => {
  await api('admin', 'POST', '/v1/system/silos', {
    name: 'strict',
    description: '',
    discoverable: false,
    identity_mode: 'local_only',
    quotas: { cpus: 8, memory: 0, storage: 0 },
    tls_certificates: [],
  })
  const boss = await newcomer(api, 'strict')
  await api('admin', 'PUT', '/v1/system/silos/strict/policy', {
    role_assignments: [{ identity_type: 'silo_user', identity_id: boss.id, role_name: 'admin' }],
  })
  const strict = '/login/strict/local?redirect_uri=/settings/security'
  const page = await openNamed(strict)
  await virtualAuthenticator(page)
  await toSecurity(page, boss.name)
  await expect(page.getByRole('heading', { name: 'Second factor in this silo' })).toBeVisible()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('radio', { name: /^Required/ }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Required', { exact: true })).toBeVisible()
  await signInAgain(page, strict, boss.name)
  await expect(page.getByText('requires a second factor')).toBeFocused()
  // The password alone opens no session.
  expect(await ask(page, 'GET', '/v1/me')).toBe(401)
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await expect(page.getByRole('list', { name: 'Recovery codes' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Recovery codes' })).toBeFocused()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Security', exact: true })).toBeVisible()
  const passkey = page.getByRole('row').filter({ hasText: 'Chrome' })
  await passkey.getByRole('button', { name: /^Actions for / }).click()
  await expect(menuItem(page, 'Delete')).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByText('Your silo requires a second factor. Set up another one first.')).toBeVisible()
  await page.keyboard.press('Escape')

  // Another user, with an app.
  const member = await newcomer(api, 'strict')
  const other = await openNamed(strict)
  await signIn(other, member.name, secret)
  await other.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const key = await readKey(other)
  await other.getByLabel('Code from your authenticator app').fill(totpOf(key))
  await other.getByRole('button', { name: 'Set up and sign in' }).click()
  await other.getByRole('button', { name: 'Continue' }).click()
  await expect(other.getByRole('button', { name: 'Remove app' })).toHaveAttribute('aria-disabled', 'true')
  await expect(other.getByRole('heading', { name: 'Second factor in this silo' })).toBeHidden()

  // The user has lost the app.
  await visit(page, `/users/${member.id}`)
  const panel = page.getByRole('dialog', { name: member.name })
  await expect(panel.getByText('authenticator app, 10 recovery codes')).toBeVisible()
  await panel.getByRole('button', { name: 'Reset' }).click()
  await page
    .getByRole('dialog', { name: 'Confirm reset second factors' })
    .getByRole('button', { name: 'Reset' })
    .click()
  await expect(notifications(page)).toContainText(`Second factors of ${member.name} reset`)
  await expect(panel.getByText('None', { exact: true })).toBeVisible()
  expect(await ask(other, 'GET', '/v1/me')).toBe(401)
})

test('at an IP address the page says why passkeys are unavailable', noDomain, async ({ open }) => {
  const page = await open('nobody', security)
  const button = page.getByRole('button', { name: 'Use a passkey' })
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await button.focus()
  await expect(page.getByRole('tooltip')).toContainText('Passkeys need a host name.')
  await signIn(page, 'viewer', password)
  const add = page.getByRole('button', { name: 'Add passkey' })
  await expect(add).toHaveAttribute('aria-disabled', 'true')
  await expect(add).toHaveAccessibleDescription(/Passkeys need a host name\./)
  await expect(page.getByRole('button', { name: 'Set up app' })).toBeEnabled()
  // The user may not see the silo's rule.
  await expect(page.getByRole('heading', { name: 'Second factor in this silo' })).toBeHidden()
})

test('servers without second factors show nothing about them', noDomain, async ({ open }) => {
  const page = await open('member', '/favicon.ico')
  const missing = (pattern: string) =>
    page.route(pattern, (route) => route.fulfill({ status: 404, body: 'Not found' }))
  await missing('**/ext/v1/me/second-factors')
  await missing('**/ext/v1/login/**')
  await visit(page, '/settings/profile')
  await expect(page.getByRole('link', { name: 'Sessions' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Security' })).toBeHidden()
  await visit(page, '/login/demo/local')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeHidden()
})
