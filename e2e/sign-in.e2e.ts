import { notifications, signIn } from './steps.ts'
import { expect, test } from './test.ts'

test('somebody who mistypes the password is told so and need not type the rest again', async ({
  page,
  gantry,
}) => {
  await page.goto(`${gantry.url}/login/demo/local`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByLabel('Username')).toHaveAccessibleDescription('Username is required')

  await signIn(page, 'member', 'not it')
  await expect(page.getByText('Could not sign in. Try again.')).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveValue('member')
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('not it')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()

  await page.keyboard.type('demo-demo')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${gantry.url}/projects`)
  await expect(notifications(page)).toContainText('Signed in')
})

test('a link followed while signed out leads to its page after signing in, query and all', async ({
  page,
  gantry,
  api,
}) => {
  await api('admin', 'POST', '/v1/projects', { name: 'a-first-one', description: '' })
  const first = (await api('member', 'GET', '/v1/projects?limit=1')) as { next_page: string }
  const wanted = `${gantry.url}/projects?page=${first.next_page}`
  await page.goto(wanted)
  await expect(page).toHaveURL(/\/login\?redirect_uri=/)
  await page.getByLabel('Silo').fill('demo')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('You return to /projects after signing in.')).toBeVisible()
  await signIn(page, 'viewer')
  await expect(page).toHaveURL((url) => decodeURIComponent(url.href) === decodeURIComponent(wanted))
  await expect(page.getByRole('link', { name: /playground/ })).toBeVisible()
})

for (const foreign of [
  'https://example.com/steal',
  '//example.com/steal',
  '/\\example.com/steal',
  '/login/demo/local',
]) {
  test(`a sign-in link that wants to end at ${foreign} ends at the projects`, async ({ page, gantry }) => {
    await page.goto(`${gantry.url}/login/demo/local?redirect_uri=${encodeURIComponent(foreign)}`)
    await signIn(page, 'member')
    await expect(page.getByRole('heading', { name: 'Projects' })).toBeVisible()
    await expect(page).toHaveURL(`${gantry.url}/projects`)
  })
}

test('somebody who names a silo that is not there cannot tell that from a wrong password', async ({
  page,
  gantry,
}) => {
  await page.goto(`${gantry.url}/login`)
  await page.getByLabel('Silo').fill('Not a name')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByLabel('Silo')).toHaveAccessibleDescription(/Can only contain lower-case letters/)
  await page.getByLabel('Silo').fill('nowhere')
  await page.getByRole('button', { name: 'Continue' }).click()
  await signIn(page, 'member')
  await expect(page.getByText('Could not sign in. Try again.')).toBeVisible()
  await page.getByRole('link', { name: 'use another silo' }).click()
  await expect(page.getByLabel('Silo')).toBeVisible()
})

test('somebody signs out, and nobody after them sees anything', async ({ open, gantry }) => {
  const page = await open('member', '/projects')
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
  await page.goBack()
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByRole('link', { name: 'playground' })).toBeHidden()
  await page.goto(`${gantry.url}/projects/playground/instances`)
  await expect(page).toHaveURL(/\/login\?redirect_uri=/)
  expect((await page.request.get(`${gantry.url}/v1/me`)).status()).toBe(401)
})

test('a session that ends while a form is filled in is renewed over it, and nothing typed is lost', async ({
  open,
  gantry,
  project,
}) => {
  const page = await open('member', `/projects/${project}/instances`)
  await page.getByRole('link', { name: 'New Instance', exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill('patience')
  await page.getByLabel(/^Description/).fill('typed before the session ended')
  await page.getByRole('combobox', { name: 'Image' }).click()
  await page.getByRole('option', { name: /alpine/ }).click()
  await page.getByLabel('Start Instance').uncheck()

  const ended = await page.request.post(`${gantry.url}/v1/logout`)
  expect(ended.status()).toBe(204)
  await page.getByRole('button', { name: 'Create instance' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await expect(dialog).toBeVisible()

  // The wrong way first: it stays, and so does what was typed.
  await signIn(page, 'member', 'not it')
  await expect(dialog).toContainText('Could not sign in')
  await signIn(page, 'member')
  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('patience')
  await expect(page.getByLabel(/^Description/)).toHaveValue('typed before the session ended')

  await page.getByRole('button', { name: 'Create instance' }).click()
  await expect(page.getByRole('heading', { name: 'patience' })).toBeVisible()
  await expect(page.getByText('Stopped', { exact: true }).first()).toBeVisible()
})
