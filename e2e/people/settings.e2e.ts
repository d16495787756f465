import { device, userOf } from '../support/device-steps.ts'
import {
  confirm,
  menuItem,
  notifications,
  openRowMenu,
  refresh,
  row,
  rowAction,
  signIn,
  visit,
  withoutFirstAnswers,
} from '../support/steps.ts'
import { expect, test } from '../support/test.ts'
import { notOn, story } from '../support/target.ts'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2B1x0d5c5vJ1o0m1b2c3d4e5f6g7h8i9j0k1l2m3n4 ada@desk'

test('a user sees their identity and copies their id', async ({ open }) => {
  const page = await open('member', '/projects')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'User menu' }).click()
  await menuItem(page, 'Settings').click()
  await expect(page.getByRole('heading', { name: 'Profile', exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/settings\/profile$/)
  await expect(page).toHaveTitle(/^Profile \/ Settings \/ /)
  await expect(page.getByRole('definition').filter({ hasText: 'member' })).toBeVisible()

  await page.getByRole('button', { name: 'Click to copy' }).first().click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  const me = await page.evaluate(async () => (await fetch('/v1/me')).json())
  expect(copied).toBe(me.id)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('ssh')
  await expect(page.getByRole('option', { name: 'SSH Keys' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'SSH Keys', exact: true })).toBeVisible()
})

test('copying works without TLS, is reported only on success, and keeps the focus', async ({ open }) => {
  const page = await open('member', '/settings/profile')
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  const button = page.getByRole('button', { name: /^(Click to copy|Copied)$/ }).first()
  const answer = (isWell: boolean) => page.evaluate((is) => void (document.execCommand = () => is), isWell)
  await answer(false)
  await button.press('Enter')
  await expect(button).toBeFocused()
  await expect(button).toHaveAccessibleName('Click to copy')
  await answer(true)
  await button.press('Enter')
  await expect(button).toHaveAccessibleName('Copied')
  await expect(button).toBeFocused()
})

test('a user adds, views, copies and deletes an SSH key', story, async ({ open, project }) => {
  const name = `key-${project.slice(2)}`
  const page = await open('viewer', '/settings/ssh-keys')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('link', { name: 'Add SSH key' }).first().click()
  const panel = page.getByRole('dialog', { name: 'Add SSH key' })
  await panel.getByRole('button', { name: 'Add SSH key' }).click()
  await expect(panel.getByLabel('Name', { exact: true })).toHaveAccessibleDescription('Name is required')
  await expect(panel.getByLabel('Public key')).toHaveAccessibleDescription('Public key is required')
  await panel.getByLabel('Public key').fill('-----BEGIN OPENSSH PRIVATE KEY-----\nbm90LWEta2V5')
  await expect(panel.getByLabel('Public key')).toHaveAccessibleDescription(/This is an OpenSSH private key/)
  await panel.getByLabel('Public key').fill('not a key')
  await expect(panel.getByLabel('Public key')).toHaveAccessibleDescription(/doesn’t look like/)
  await panel.getByLabel('Add it anyway').check()
  await expect(panel.getByLabel('Public key')).toHaveAccessibleDescription('')
  await panel.getByLabel('Name', { exact: true }).fill(name)
  await panel.getByLabel('Description').fill('at the desk')
  await panel.getByLabel('Public key').fill(key)
  await panel.getByRole('button', { name: 'Add SSH key' }).click()
  await expect(notifications(page)).toContainText(`SSH key ${name} created`)
  await expect(row(page, name)).toContainText('at the desk')

  await rowAction(page, name, 'Copy public key')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)

  await page.getByRole('link', { name, exact: true }).click()
  const view = page.getByRole('dialog', { name: 'View SSH key' })
  await expect(view.getByLabel('Public key')).toHaveValue(key)
  await expect(view.getByLabel('Public key')).toBeDisabled()
  await expect(page).toHaveTitle(/^View SSH key \/ SSH Keys \/ Settings \/ /)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/settings\/ssh-keys$/)

  await page.getByRole('link', { name: 'Add SSH key' }).first().click()
  await panel.getByLabel('Name', { exact: true }).fill(name)
  await panel.getByLabel('Public key').fill(key)
  await panel.getByRole('button', { name: 'Add SSH key' }).click()
  await expect(panel.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(/already exists/)
  await panel.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Leave form' }).click()

  await openRowMenu(page, name)
  await menuItem(page, 'Delete').click()
  await expect(page.getByRole('dialog', { name: 'Confirm delete SSH key' })).toContainText(name)
  await confirm(page)
  await expect(notifications(page)).toContainText(`SSH key ${name} deleted`)
  await expect(row(page, name)).toBeHidden()
})

test('a missing SSH key shows Page not found', async ({ open }) => {
  const page = await open('member', '/settings/ssh-keys/nobody-has-this/edit')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test(
  'a user sees their device tokens and when they expire, and deletes one',
  notOn({ preview: 'the device cannot reach the control plane in the page' }),
  async ({ open, gantry, api }) => {
    const lasting = await device(gantry)
    const brief = await device(gantry, 90)
    for (const { code } of [lasting, brief])
      await api('viewer', 'POST', '/device/confirm', { user_code: code })
    const { token_id = '', access_token } = await lasting.token()
    const { token_id: briefId = '' } = await brief.token()

    const page = await open('viewer', '/settings/profile')
    await page.clock.install()
    await page.getByRole('link', { name: 'Access Tokens' }).click()
    await expect(page.getByRole('heading', { name: 'Access Tokens', exact: true })).toBeVisible()
    await expect(page).toHaveTitle(/^Access Tokens \/ Settings \/ /)
    await expect(row(page, token_id)).toContainText(/in (29|30)d/)
    await expect(row(page, briefId)).toContainText(/in (1m|\d+s)/)
    await expect(page.getByRole('heading', { name: 'Access tokens in this silo' })).toBeHidden()
    await page.clock.fastForward(120_000)
    await expect(row(page, briefId)).toContainText('Expired')

    expect(await userOf(gantry, access_token)).toBe('viewer')
    await rowAction(page, token_id, 'Delete')
    const dialog = page.getByRole('dialog', { name: 'Confirm delete access token' })
    await expect(dialog).toContainText(token_id)
    await expect(dialog).toContainText('This cannot be undone.')
    await confirm(page)
    await expect(notifications(page)).toContainText(`Access token ${token_id} deleted`)
    await expect(row(page, token_id)).toBeHidden()
    expect(await userOf(gantry, access_token)).toBeUndefined()
  },
)

test(
  'a silo administrator limits the lifetime of tokens',
  notOn({ preview: 'the device cannot reach the control plane in the page' }),
  async ({ open, gantry, api }) => {
    const page = await open('admin', '/settings/access-tokens')
    const card = page.getByRole('region', { name: 'Access tokens in this silo' })
    await expect(card).toContainText('Not set')
    try {
      await card.getByRole('button', { name: 'Edit' }).click()
      const dialog = page.getByRole('dialog', { name: 'Edit maximum lifetime' })
      await dialog.getByLabel('Limit access token lifetime').check()
      await dialog.getByLabel('Maximum lifetime').fill('99999')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(dialog.getByLabel('Maximum lifetime')).toHaveAccessibleDescription(
        'Must be 49,710 days or less',
      )
      await dialog.getByLabel('Maximum lifetime').fill('12')
      await dialog.getByLabel('Unit').selectOption('Hours')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(notifications(page)).toContainText('Maximum token lifetime updated')
      await expect(card).toContainText('12 hours')
      const greedy = await device(gantry, 12 * 3600 + 1)
      await expect(api('admin', 'POST', '/device/confirm', { user_code: greedy.code })).rejects.toThrow(
        /exceeds/,
      )

      // A concurrent change is not overwritten silently.
      await card.getByRole('button', { name: 'Edit' }).click()
      await api('admin', 'PUT', '/v1/auth-settings', { device_token_max_ttl_seconds: 60 })
      await dialog.getByLabel('Limit access token lifetime').uncheck()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(dialog.getByRole('alert')).toBeVisible()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(card).toContainText('Not set')
    } finally {
      await api('admin', 'PUT', '/v1/auth-settings', { device_token_max_ttl_seconds: null })
    }
  },
)

test(
  'ending a session elsewhere makes that browser sign in again',
  { ...story, ...notOn({ preview: 'needs two browsers of one user' }) },
  async ({ open }) => {
    const left = await open('viewer', '/projects')
    await expect(left.getByRole('link', { name: 'playground' })).toBeVisible()
    const page = await open('viewer', '/settings/sessions')
    await expect(page.getByRole('heading', { name: 'Sessions', exact: true })).toBeVisible()
    const own = page.getByRole('row').filter({ hasText: 'This session' })
    const others = page.getByRole('row').filter({ hasText: /ago/ }).filter({ hasNotText: 'This session' })
    await expect(own).toContainText('127.0.0.1')
    await own.getByRole('button', { name: /^Actions for / }).click()
    await expect(menuItem(page, 'End session')).toBeDisabled()
    await expect(menuItem(page, 'End session')).toHaveAccessibleDescription(/Sign out to end it/)
    await page.keyboard.press('Escape')

    const before = await others.count()
    expect(before).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'End all others' }).click()
    await page.getByRole('button', { name: 'End sessions' }).click()
    await expect(notifications(page)).toContainText('All other sessions ended')
    await expect(others).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'End all others' })).toBeDisabled()

    // Dispatched, because the page may have noticed already, and its dialog then covers the link.
    await left.getByRole('link', { name: 'Images', exact: true }).dispatchEvent('click')
    const dialog = left.getByRole('dialog', { name: 'Your session has ended' })
    await expect(dialog).toBeVisible()
    await signIn(left, 'viewer')
    await expect(dialog).toBeHidden()
    await expect(left.getByRole('heading', { name: 'Silo Images', exact: true })).toBeVisible()

    // The session exists again; this time it is ended alone.
    await refresh(page)
    await expect(others).toHaveCount(1)
    await others.getByRole('button', { name: /^Actions for / }).click()
    await menuItem(page, 'End session').click()
    await page.getByRole('button', { name: 'End session' }).click()
    await expect(notifications(page)).toContainText('Session ended')
    await expect(others).toHaveCount(0)
    await expect(own).toBeVisible()
  },
)

test(
  'without sessions on the server, nothing links to them',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open }) => {
    const page = await open('member', '/projects')
    await withoutFirstAnswers(page)
    await page.route('**/ext/v1/me/sessions*', (route) => route.fulfill({ status: 404, body: 'Not found' }))
    await visit(page, '/settings/profile')
    await expect(page.getByRole('link', { name: 'Access Tokens' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Sessions' })).toBeHidden()
    await visit(page, '/settings/sessions')
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  },
)
