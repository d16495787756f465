import type { Page } from '@playwright/test'
import { notOn, password, story } from '../support/target.ts'
import { press } from '../support/keys.ts'
import { signInAtProvider, withSamlSilo } from '../support/saml.ts'
import { ask, chooseSilo, notifications, signIn, visit, withoutFirstAnswers } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

test('a wrong password is reported, and the username stays', story, async ({ open }) => {
  const page = await open('nobody', '/login/demo/local')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByLabel('Username')).toHaveAccessibleDescription('Username is required')

  await signIn(page, 'member', 'not it')
  await expect(page.getByText('Incorrect username or password')).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveValue('member')
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('not it')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()

  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/projects')
  await expect(page.getByRole('link', { name: 'playground' })).toBeVisible()
  await expect(page.getByText(/(signed|logged) in/i)).toHaveCount(0)
})

test(
  'the sign-in card has the same padding on every page, and a failure moves nothing',
  notOn({ preview: 'opens the sign-in page, which reloads the preview' }),
  async ({ open }) => {
    const page = await open('nobody', '/login/demo/local')
    for (const path of ['/login/demo/local', '/login?silo=demo']) {
      await visit(page, path)
      const submit = page.getByRole('button', { name: 'Sign in' })
      await expect(submit).toBeVisible()
      const card = page.getByRole('main').locator('> div')
      const last = card.getByRole('button').last()
      const places = async () => [
        await card.boundingBox(),
        await submit.boundingBox(),
        await last.boundingBox(),
      ]
      const before = await places()
      const [around, , lowest] = before
      const below = (around?.y ?? 0) + (around?.height ?? 0) - (lowest?.y ?? 0) - (lowest?.height ?? 0)
      expect(below, path).toBe((lowest?.x ?? 0) - (around?.x ?? 0))

      await signIn(page, 'member', 'not it')
      const failure = page.getByText('Incorrect username or password')
      await expect(failure).toBeVisible()
      expect(await places(), path).toEqual(before)
    }
  },
)

test(
  'a link opened while signed out opens its page after signing in, including the query',
  { ...story, ...notOn({ preview: 'opens the sign-in page, which reloads the preview' }) },
  async ({ api, open }) => {
    await api('admin', 'POST', '/v1/projects', { name: 'a-first-one', description: '' })
    const first = (await api('member', 'GET', '/v1/projects?limit=1')) as { next_page: string }
    const wanted = `/projects?page=${first.next_page}`
    const page = await open('nobody', wanted)
    await expect(page).toHaveURL(/\/login\?redirect_uri=/)
    await chooseSilo(page)
    await expect(page.getByText('Silo demo')).toBeVisible()
    await expect(page.getByText('You will return to /projects after signing in.')).toBeVisible()
    await signIn(page, 'viewer')
    await expect(page).toHaveURL(
      (url) => decodeURIComponent(url.pathname + url.search) === decodeURIComponent(wanted),
    )
    await expect(page.getByRole('link', { name: /playground/ })).toBeVisible()
  },
)

for (const foreign of [
  'https://example.com/steal',
  '//example.com/steal',
  '/\\example.com/steal',
  '/login/demo/local',
]) {
  test(`a sign-in link that redirects to ${foreign} opens the projects instead`, story, async ({ open }) => {
    const page = await open('nobody', `/login/demo/local?redirect_uri=${encodeURIComponent(foreign)}`)
    await signIn(page, 'member')
    await expect(page.getByRole('heading', { name: 'Projects', exact: true })).toBeVisible()
    await expect(page).toHaveURL('/projects')
  })
}

test('an unknown silo looks like a wrong password', async ({ open }) => {
  const page = await open('nobody', '/login?redirect_uri=/images')
  await page.getByLabel('Another silo').fill('Not a name')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByLabel('Another silo')).toHaveAccessibleDescription(
    /Can only contain lower-case letters/,
  )
  await page.getByLabel('Another silo').fill('nowhere')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Silo nowhere')).toBeVisible()
  await signIn(page, 'member')
  await expect(page.getByText('Incorrect username or password')).toBeVisible()
  // A failed silo is not remembered, and Back returns to the list.
  await page.goBack()
  await chooseSilo(page)
  await signIn(page, 'member')
  await expect(page).toHaveURL('/images')
})

test(
  'the last used silo is suggested, even if it is hidden',
  notOn({ preview: 'opens the sign-in page, which reloads the preview' }),
  async ({ api, open }) => {
    await api('admin', 'POST', '/v1/system/silos', {
      name: 'hidden',
      description: '',
      discoverable: false,
      identity_mode: 'local_only',
      quotas: { cpus: 8, memory: 0, storage: 0 },
      tls_certificates: [],
    })
    await api('admin', 'POST', '/v1/system/identity-providers/local/users?silo=hidden', {
      external_id: 'eve',
      password: { mode: 'password', value: password },
    })
    const page = await open('nobody', '/login/hidden/local?redirect_uri=/settings/profile')
    await signIn(page, 'eve')
    await expect(page).toHaveURL('/settings/profile')
    // Until a page has loaded that can ask in place, an ended session redirects to sign-in.
    await expect(page.getByRole('definition').filter({ hasText: 'eve' })).toBeVisible()
    await ask(page, 'POST', '/v1/logout')
    await visit(page, '/login')
    await expect(page.getByText('Silo hidden')).toBeVisible()
    await expect(page.getByLabel('Username')).toBeVisible()
    await page.getByRole('link', { name: 'use another silo' }).press('Enter')
    await expect(page.getByRole('button', { name: /^demo/ })).toBeVisible()
    await expect(page.getByRole('button', { name: /^hidden/ })).toBeHidden()
    await expect(page.getByRole('heading', { name: 'Sign in to Gantry' })).toBeFocused()
  },
)

test(
  'without a list of silos, the page asks for a silo name',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open }) => {
    const page = await open('nobody', '/favicon.ico')
    await page.route('**/ext/v1/login/**', (route) => route.fulfill({ status: 404, body: 'Not found' }))
    await visit(page, '/login')
    await expect(page.getByText('Which silo do you belong to?')).toBeVisible()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByLabel('Silo')).toHaveAccessibleDescription(/Silo is required/)
    await page.getByLabel('Silo').fill('demo')
    await page.keyboard.press('Enter')
    await signIn(page, 'member')
    await expect(page).toHaveURL('/projects')
  },
)

test('signing in works by keyboard alone, and can show the password and Caps Lock', async ({ open }) => {
  const page = await open('nobody', '/login')
  await press(page, page.getByRole('button', { name: /^demo/ }))
  await expect(page.getByLabel('Username')).toBeFocused()
  await page.keyboard.type('member')
  await page.keyboard.press('Tab')
  const field = page.getByLabel('Password', { exact: true })
  await expect(field).toBeFocused()
  await field.dispatchEvent('keydown', { key: 'A', modifierCapsLock: true, bubbles: true })
  await expect(page.getByRole('status').filter({ hasText: 'Caps Lock is on' })).toBeVisible()
  await page.keyboard.type(password)
  await expect(page.getByText('Caps Lock is on')).toBeHidden()
  await expect(field).toHaveAttribute('type', 'password')
  await press(page, page.getByRole('button', { name: 'Show password' }))
  await expect(field).toHaveAttribute('type', 'text')
  await press(page, page.getByRole('button', { name: 'Sign in' }))
  await expect(page).toHaveURL('/projects')
})

test(
  'repeated wrong passwords are rate limited, for that user alone',
  { ...story, ...notOn({ preview: 'stops the clock that the control plane in the page uses' }) },
  async ({ open }) => {
    const page = await open('nobody', '/login/demo/local')
    await page.clock.install()
    for (let tries = 0; tries < 10; tries++)
      await ask(page, 'POST', '/v1/login/demo/local', { username: 'guessed', password: 'wrong' })
    await signIn(page, 'guessed')
    const button = page.getByRole('button', { name: 'Sign in' })
    await expect(page.getByRole('alert').filter({ hasText: 'Too many attempts.' })).toBeVisible()
    await expect(page.getByRole('timer')).toHaveText(
      /^You can try again in [12]?\d s\.$|^You can try again in 30 s\.$/,
    )
    await expect(button).toBeDisabled()
    await page.clock.fastForward(31_000)
    await expect(page.getByRole('timer')).toHaveText('You can try again now.')
    await expect(button).toBeEnabled()
    await signIn(page, 'guessed')
    await expect(button).toBeDisabled()
    await signIn(page, 'member')
    await expect(page.getByRole('heading', { name: 'Projects', exact: true })).toBeVisible()
  },
)

test(
  'signing in through an identity provider opens the requested page',
  {
    ...story,
    ...notOn({ preview: 'an identity provider redirects the browser, which reloads the preview' }),
  },
  async ({ gantry, api, open }) => {
    await withSamlSilo({ gantry, api, name: 'federated' }, async () => {
      const page = await open('nobody', '/images?page=x')
      await expect(page).toHaveURL(/\/login\?redirect_uri=/)
      await expect(page.getByText('Which silo do you belong to?')).toBeVisible()
      await page.getByRole('button', { name: /^federated Users of an identity provider/ }).click()
      await expect(page.getByLabel('Username')).toBeHidden()
      await page.getByRole('link', { name: 'Sign in with corporate' }).click()
      await signInAtProvider(page, 'alice')
      await expect(page).toHaveURL('/images?page=x')
      await visit(page, '/settings/profile')
      await expect(page.getByRole('definition').filter({ hasText: 'alice' })).toBeVisible()
      await expect(page.getByRole('row', { name: /operators/ })).toBeVisible()
    })
  },
)

test(
  'an identity provider can only redirect within this origin',
  notOn({ preview: 'an identity provider redirects the browser, which reloads the preview' }),
  async ({ gantry, api, open }) => {
    await withSamlSilo({ gantry, api, name: 'narrow' }, async () => {
      const at = '/login/narrow/saml/corporate'
      const page = await open('nobody', `${at}?redirect_uri=${encodeURIComponent('//example.com/steal')}`)
      await expect(page.getByRole('link', { name: 'Sign in with corporate' })).toHaveAttribute(
        'href',
        '/login/narrow/saml/corporate/redirect?redirect_uri=/projects',
      )
      const foreign = await page.request.get(`${at}/redirect?redirect_uri=https://example.com`, {
        maxRedirects: 0,
      })
      expect(foreign.status()).toBe(400)
      await page.getByRole('link', { name: 'Sign in with corporate' }).click()
      await signInAtProvider(page, 'alice')
      await expect(page).toHaveURL('/projects')
    })
  },
)

test(
  'a refused identity provider sign-in is reported, and can be retried',
  notOn({ preview: 'an identity provider redirects the browser, which reloads the preview' }),
  async ({ gantry, api, open }) => {
    await withSamlSilo({ gantry, api, name: 'wary' }, async () => {
      const page = await open('nobody', '/login/wary/saml/unheard-of')
      await page.getByRole('link', { name: 'Sign in with unheard-of' }).click()
      await expect(page.getByRole('alert').filter({ hasText: 'Could not sign in' })).toBeVisible()
      await visit(page, '/login/wary/saml/corporate')
      await expect(page.getByRole('alert').filter({ hasText: 'Could not sign in' })).toBeHidden()
      await page.getByRole('link', { name: 'Sign in with corporate' }).click()
      await signInAtProvider(page, 'mallory')
      await expect(page.getByRole('alert').filter({ hasText: 'Could not sign in' })).toBeVisible()
      expect(await ask(page, 'GET', '/v1/me')).toBe(401)
      await page.getByRole('link', { name: 'Sign in with corporate' }).click()
      await signInAtProvider(page, 'alice')
      await expect(page).toHaveURL('/projects')
    })
  },
)

test(
  'a user without groups or roles learns why they can do nothing',
  notOn({ preview: 'an identity provider redirects the browser, which reloads the preview' }),
  async ({ gantry, api, open }) => {
    await withSamlSilo({ gantry, api, name: 'empty-handed' }, async () => {
      const page = await open('nobody', '/login/empty-handed/saml/corporate')
      await page.getByRole('link', { name: 'Sign in with corporate' }).click()
      await signInAtProvider(page, 'bob')
      await expect(page.getByRole('heading', { name: 'Projects', exact: true })).toBeVisible()
      await expect(page.getByText('Ask an administrator of the silo for a role')).toBeVisible()
      await expect(page.getByRole('button', { name: 'New project' })).toBeDisabled()
      await expect(page.getByText('You are not in any groups and have no role on the silo.')).toBeVisible()
      const opened = page.waitForEvent('popup')
      await page.getByRole('link', { name: 'Identity providers' }).click()
      const guide = (await opened).getByRole('heading', { name: 'Identity providers', level: 1 })
      await expect(guide).toBeVisible()
    })
  },
)

test(
  'an expired identity provider session is renewed in another tab, and the form stays',
  notOn({ preview: 'an identity provider redirects the browser, which reloads the preview' }),
  async ({ gantry, api, open }) => {
    await withSamlSilo({ gantry, api, name: 'patient' }, async () => {
      const page = await open('nobody', '/login/patient/saml/corporate')
      await page.getByRole('link', { name: 'Sign in with corporate' }).click()
      await signInAtProvider(page, 'alice')
      await page.getByRole('link', { name: 'Images', exact: true }).click()
      await visit(page, '/projects-new')
      await page.getByLabel('Name', { exact: true }).fill('kept')
      await ask(page, 'POST', '/v1/logout')
      await page.getByRole('button', { name: 'Create project' }).click()
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
      await expect(dialog.getByLabel('Username')).toBeHidden()
      const opened = page.context().waitForEvent('page')
      await dialog.getByRole('link', { name: 'Sign in with corporate' }).click()
      const other = await opened
      await signInAtProvider(other, 'alice')
      await expect(other.getByRole('heading', { name: 'Signed in' })).toBeVisible()
      await other.close()
      await expect(dialog).toBeHidden()
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('kept')
    })
  },
)

test(
  'signing out hides everything, also from Back',
  { ...story, ...notOn({ preview: 'opens the sign-in page, which reloads the preview' }) },
  async ({ open }) => {
    const page = await open('member', '/projects')
    // A page that is left before it has loaded is no step of the browser's history.
    await page.waitForLoadState('load')
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/\/login/)
    await page.goBack()
    await expect(page).toHaveURL(/\/login/)
    await expect(page.getByRole('link', { name: 'playground' })).toBeHidden()
    await visit(page, '/projects/playground/instances')
    await expect(page).toHaveURL(/\/login\?redirect_uri=/)
    expect(await ask(page, 'GET', '/v1/me')).toBe(401)
  },
)

const betweenPageAndServer = notOn({ preview: 'the control plane runs in the page, without a network' })

test('a failed sign-out is reported, and can be retried', betweenPageAndServer, async ({ open }) => {
  const page = await open('member', '/projects')
  const json = { request_id: 'r1', error_code: 'Internal', message: 'Internal Server Error' }
  await page.route('**/v1/logout', (route) => route.fulfill({ status: 500, json }), { times: 1 })
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(notifications(page)).toContainText('You are still signed in')
  await expect(page).toHaveURL('/projects')
  expect(await ask(page, 'GET', '/v1/me')).toBe(200)

  await notifications(page).getByRole('button', { name: 'Sign out again' }).click()
  await expect(page).toHaveURL(/\/login/)
  expect(await ask(page, 'GET', '/v1/me')).toBe(401)
})

/** Mocks a starting server for a number of responses. */
const mockStarting = (page: Page, path: string, times: number) =>
  page.route(
    `**${path}`,
    (route) =>
      route.fulfill({
        status: 503,
        headers: { 'x-gantry-starting': '1', 'retry-after': '1' },
        json: { request_id: 'r1', error_code: 'ServiceNotAvailable', message: 'Gantry is starting.' },
      }),
    { times },
  )

test(
  'requests sent while the server starts are retried automatically',
  betweenPageAndServer,
  async ({ open, project }) => {
    const page = await open('nobody', '/login/demo/local')
    await mockStarting(page, '/v1/login/demo/local', 2)
    await signIn(page, 'member')
    await expect(notifications(page)).toContainText('Gantry is starting')
    await expect(page).toHaveURL('/projects')

    await visit(page, `/projects/${project}/disks-new`)
    await page.getByLabel('Name', { exact: true }).fill('patient')
    await mockStarting(page, '/v1/disks?*', 2)
    await page.getByRole('button', { name: 'Create disk' }).click()
    await expect(notifications(page)).toContainText('Gantry is starting')
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('patient')
    await expect(notifications(page)).toContainText('Disk patient created')
    await expect(notifications(page)).not.toContainText('Gantry is starting')
  },
)

test('an expired session is renewed over a form, which keeps its input', story, async ({ open, project }) => {
  const page = await open('member', `/projects/${project}/instances`)
  await page.getByRole('link', { name: 'New instance', exact: true }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('patience')
  await page.getByLabel(/^Description/).fill('typed before the session ended')
  await page.getByRole('combobox', { name: 'Image' }).click()
  await page.getByRole('option', { name: /alpine/ }).click()
  await page.getByLabel('Start instance').uncheck()

  const ended = await ask(page, 'POST', '/v1/logout')
  expect(ended).toBe(204)
  await page.getByRole('button', { name: 'Create instance' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await expect(dialog).toBeVisible()

  // A failed attempt first: the dialog and the input stay.
  await signIn(page, 'member', 'not it')
  await expect(dialog.getByRole('alert').filter({ hasText: 'Incorrect username or password' })).toBeVisible()
  await expect(dialog.getByLabel('Username')).toHaveValue('member')
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused()
  await expect(page).toHaveURL(/\/instances-new$/)
  await signIn(page, 'member')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Your session has ended')).toHaveCount(0)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('patience')
  await expect(page.getByLabel(/^Description/)).toHaveValue('typed before the session ended')

  await page.getByRole('button', { name: 'Create instance' }).click()
  await expect(page.getByRole('heading', { name: 'patience' })).toBeVisible()
  await expect(page.getByText('Stopped', { exact: true }).first()).toBeVisible()
})

test(
  'a session that ends while the first page loads redirects to sign-in, and back',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project }) => {
    const page = await open('member', '/favicon.ico')
    let hasEnded = true
    await withoutFirstAnswers(page)
    await page.route(/\/v1\/instances\?/, (route) =>
      hasEnded
        ? route.fulfill({ status: 401, json: { request_id: 'r', message: 'ended' } })
        : route.continue(),
    )
    await visit(page, `/projects/${project}/instances`)
    await expect(page).toHaveURL(/\/login\?redirect_uri=/)
    hasEnded = false
    await signIn(page, 'member')
    await expect(page.getByText('No instances')).toBeVisible()
  },
)
