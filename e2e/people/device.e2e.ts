import type { Page } from '@playwright/test'
import { device, userOf } from '../support/device-steps.ts'
import { press } from '../support/keys.ts'
import { ask, chooseSilo, signIn, visit } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'
import { notOn, story } from '../support/target.ts'

const boxes = (page: Page) => page.getByRole('textbox', { name: /^Character \d\.$/ })
const shown = (page: Page) =>
  boxes(page).evaluateAll((inputs) =>
    inputs.map((input) => (input as HTMLInputElement).value || '.').join(''),
  )
const submit = (page: Page) => page.getByRole('button', { name: 'Log in on device' })

test(
  "entering a device's code lets the device act as the user",
  { ...story, ...notOn({ preview: 'the device cannot reach the control plane in the page' }) },
  async ({ open, gantry }) => {
    const { code, token, verificationUri } = await device(gantry)
    expect(verificationUri).toBe(`${gantry.url}/device/verify`)
    const page = await open('member', '/device/verify')
    await expect(page.getByRole('heading', { name: 'Device Authentication' })).toBeVisible()
    await expect(page.getByText('Enter the code shown on your device')).toBeVisible()
    await expect(boxes(page)).toHaveCount(8)
    await expect(boxes(page).first()).toBeFocused()
    await expect(submit(page)).toBeDisabled()

    // The dash is displayed here, and no character of the code.
    const [before = '', after = ''] = code.split('-')
    await page.keyboard.type(before.toLowerCase())
    await expect(boxes(page).nth(before.length)).toBeFocused()
    await page.keyboard.type('7!')
    await expect(boxes(page).nth(before.length)).toBeFocused()
    await page.keyboard.type(`-${after}`)
    expect(await shown(page)).toBe(before + after)
    expect((await token()).error).toBe('authorization_pending')

    await submit(page).click()
    await expect(page.getByRole('heading', { name: 'Device logged in' })).toBeVisible()
    await expect(page).toHaveURL('/device/success')
    expect(await userOf(gantry, (await token()).access_token)).toBe('member')
  },
)

test(
  'a device that a user denies gets no access and is told so',
  notOn({ preview: 'the device cannot reach the control plane in the page' }),
  async ({ open, gantry }) => {
    const { code, token } = await device(gantry)
    const page = await open('member', `/device/verify?user_code=${code}`)
    await press(page, page.getByRole('button', { name: 'Deny device' }))
    await expect(page.getByRole('status')).toHaveText(
      'The device was denied: it gets no access. You can close this window.',
    )
    expect((await token()).error).toBe('access_denied')
    await visit(page, `/device/verify?user_code=${code}`)
    await submit(page).click()
    await expect(page.getByRole('alert')).toHaveText('Code is invalid')
    expect((await token()).error).toBe('access_denied')
  },
)

test(
  'the code can be corrected, navigated with arrow keys and submitted by keyboard alone',
  notOn({ preview: 'the device cannot reach the control plane in the page' }),
  async ({ open, gantry }) => {
    const { code, token } = await device(gantry)
    const letters = code.replace('-', '')
    const page = await open('member', '/device/verify')
    await expect(boxes(page).first()).toBeFocused()
    await page.keyboard.type('AE')
    // Backspace deletes the previous character in an empty box, and its own in a filled one.
    await page.keyboard.press('Backspace')
    expect(await shown(page)).toBe('A.......')
    await expect(boxes(page).nth(1)).toBeFocused()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Backspace')
    expect(await shown(page)).toBe('........')
    await expect(boxes(page).first()).toBeFocused()
    await page.keyboard.type(`E${letters.slice(1)}`)
    await boxes(page).first().focus()
    await page.keyboard.type(letters[0] ?? '')
    expect(await shown(page)).toBe(letters)
    await press(page, submit(page))
    await expect(page.getByRole('heading', { name: 'Device logged in' })).toBeVisible()
    expect((await token()).access_token).toBeTruthy()
  },
)

test('a pasted code fills all boxes, whichever has the focus', async ({ open }) => {
  const page = await open('member', '/device/verify')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copy = (text: string) => page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await copy(' bcd-')
  await boxes(page).nth(4).focus()
  await page.keyboard.press('Control+v')
  expect(await shown(page)).toBe('BCD.....')
  await expect(boxes(page).nth(3)).toBeFocused()
  await copy('ZZZZ-ZZZZ')
  await page.keyboard.press('Control+v')
  expect(await shown(page)).toBe('ZZZZZZZZ')
})

test(
  'a signed-out user signs in first and keeps the code',
  notOn({ preview: 'the device cannot reach the control plane in the page' }),
  async ({ gantry, open }) => {
    const { code, token } = await device(gantry)
    const page = await open('nobody', '/device/verify')
    await boxes(page).first().focus()
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/login\?redirect_uri=/)
    await chooseSilo(page)
    await signIn(page, 'viewer')
    await expect(page).toHaveURL(`/device/verify?user_code=${code}`)
    expect(await shown(page)).toBe(code.replace('-', ''))
    // A link alone never confirms.
    expect((await token()).error).toBe('authorization_pending')
    await submit(page).click()
    await expect(page.getByRole('heading', { name: 'Device logged in' })).toBeVisible()
    expect(await userOf(gantry, (await token()).access_token)).toBe('viewer')
  },
)

test(
  'a code that was used or requests too long a lifetime is refused, and can be corrected',
  { ...story, ...notOn({ preview: 'the device cannot reach the control plane in the page' }) },
  async ({ open, gantry, api }) => {
    const used = await device(gantry)
    await api('member', 'POST', '/device/confirm', { user_code: used.code })
    const page = await open('member', `/device/verify?user_code=${used.code}`)
    await submit(page).click()
    await expect(page.getByRole('alert')).toHaveText('Code is invalid')
    expect(await shown(page)).toBe(used.code.replace('-', ''))
    await boxes(page).last().focus()
    await page.keyboard.press('Backspace')
    await expect(page.getByText('Code is invalid')).toBeHidden()
    await expect(submit(page)).toBeDisabled()

    await api('admin', 'PUT', '/v1/auth-settings', { device_token_max_ttl_seconds: 60 })
    try {
      const greedy = await device(gantry, 3600)
      await visit(page, `/device/verify?user_code=${greedy.code}`)
      await submit(page).click()
      await expect(page.getByRole('alert')).toHaveText('Code is invalid')
      // No user can approve so long a lifetime, so the device need not wait for it.
      expect((await greedy.token()).error).toBe('access_denied')
    } finally {
      await api('admin', 'PUT', '/v1/auth-settings', { device_token_max_ttl_seconds: null })
    }
  },
)

test('repeated wrong codes are rate limited', async ({ open }) => {
  const page = await open('admin', '/device/verify?user_code=AAAAAAAA')
  for (let tries = 0; tries < 10; tries++)
    await ask(page, 'POST', '/device/confirm', { user_code: 'AAAAAAAA' })
  await submit(page).click()
  await expect(page.getByRole('alert')).toHaveText('Too many attempts.')
  await expect(page.getByRole('timer')).toHaveText(/^You can try again in \d+ s\.$/)
  await expect(submit(page)).toBeDisabled()
})
