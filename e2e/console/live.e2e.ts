import type { Page } from '@playwright/test'
import {
  retriesModules,
  choose,
  confirm,
  menuItem,
  notifications,
  row,
  rowAction,
  visit,
} from '../support/steps.ts'
import { expect, test } from '../support/test.ts'
import { notOn, story } from '../support/target.ts'

/** Set once; a reload would remove it. */
const mark = (page: Page) =>
  page.evaluate(() => void ((globalThis as { isSamePage?: true }).isSamePage = true))
const isSamePage = (page: Page) =>
  page.evaluate(() => (globalThis as { isSamePage?: true }).isSamePage === true)
const note = (page: Page) => page.getByText('Reconnecting', { exact: true })

/** Milliseconds between the response to a change and its link's appearance on this page, or disappearance. */
async function delay(
  page: Page,
  name: string,
  isThere: boolean,
  change: () => Promise<unknown>,
): Promise<number> {
  const seen = page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = (): void => {
          const isReferenced = [...document.querySelectorAll('tbody a')].some(
            ({ textContent }) => textContent === wanted.name,
          )
          if (isReferenced === wanted.isThere) resolve(Date.now())
        }
        new MutationObserver(look).observe(document, { childList: true, subtree: true })
        look()
      }),
    { name, isThere },
  )
  await change()
  const answered = Date.now()
  return (await seen) - answered
}

test('changes by other users appear without a reload', story, async ({ open, project, machine, api }) => {
  const page = await open('viewer', `/projects/${project}/instances`)
  await expect(page.getByText('No instances')).toBeVisible()
  await mark(page)
  const times = [
    await delay(page, 'one', true, () => machine('one')),
    await delay(page, 'two', true, () => machine('two')),
    await delay(page, 'three', true, () => machine('three')),
    await delay(page, 'two', false, () => api('member', 'DELETE', `/v1/instances/two?project=${project}`)),
  ]
  console.log('ms from the response to one client until another browser shows the change:', times)
  await api('member', 'POST', `/v1/instances/one/start?project=${project}`)
  await expect(row(page, 'one')).toContainText('Starting')
  await expect(row(page, 'one')).toContainText('Running')
  expect(await isSamePage(page)).toBe(true)
})

test(
  'a console that loses the stream says so, polls, and catches up once reconnected',
  notOn({ preview: 'cuts the connection to the control plane, which runs in the page' }),
  async ({ open, project, machine }) => {
    await machine('before', { start: true })
    const page = await open('member', '/favicon.ico')
    await page.route('**/ext/v1/changes*', (route) => route.abort())
    await visit(page, `/projects/${project}/instances`)
    await mark(page)
    await expect(note(page)).toBeVisible()
    await note(page).hover()
    await expect(page.getByRole('tooltip')).toContainText('may be out of date until it reconnects')
    await expect(row(page, 'before')).toContainText('Running', { timeout: 20_000 })

    await machine('missed')
    await expect(row(page, 'missed')).toBeHidden()
    await page.unroute('**/ext/v1/changes*')
    await expect(row(page, 'missed')).toBeVisible({ timeout: 20_000 })
    await expect(note(page)).toBeHidden()
    await machine('after')
    await expect(row(page, 'after')).toBeVisible()
    expect(await isSamePage(page)).toBe(true)
  },
)

test(
  'a console whose server is killed says so, and resumes once it is back',
  { ...story, ...notOn({ preview: 'kills the server' }) },
  async ({ open, project, machine, gantry }) => {
    const page = await open('member', `/projects/${project}/instances`)
    await expect(page.getByText('No instances')).toBeVisible()
    await machine('sooner')
    await expect(row(page, 'sooner')).toBeVisible()
    await mark(page)
    await gantry.kill()
    await expect(note(page)).toBeVisible()
    await gantry.start()
    await machine('later')
    await expect(row(page, 'later')).toBeVisible({ timeout: 20_000 })
    await expect(note(page)).toBeHidden()
    expect(await isSamePage(page)).toBe(true)
  },
)

test(
  'without our extensions, the console polls and shows no errors',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project }) => {
    const page = await open('member', '/favicon.ico')
    await page.route('**/ext/**', (route) =>
      route.fulfill({
        status: 404,
        json: { request_id: 'd0b1a9a7-0000-4000-8000-000000000000', message: 'Not Found' },
      }),
    )
    await visit(page, `/projects/${project}/instances`)
    await page.getByRole('link', { name: 'New instance', exact: true }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('plain')
    await choose(page, 'Image', /alpine-3-22/)
    await page.getByRole('button', { name: 'Create instance' }).click()
    await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 20_000 })
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await confirm(page)
    await expect(page.getByText('Stopped', { exact: true }).first()).toBeVisible({ timeout: 20_000 })
    await page
      .getByRole('navigation', { name: 'Sidebar navigation' })
      .getByRole('link', { name: 'Instances' })
      .click()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).fill('plain')
    await expect(page.getByRole('option', { name: /plain/ })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'plain' })).toBeVisible()
    await expect(note(page)).toBeHidden()
  },
)

test('a form opens with what another user saved since it was last open', async ({ open, project, api }) => {
  const path = `/v1/floating-ips?project=${project}`
  await api('member', 'POST', path, { name: 'door', description: 'mine' })
  const page = await open('member', `/projects/${project}/floating-ips`)
  const edit = page.getByRole('dialog', { name: 'Edit floating IP' })
  const opens = async (description: string): Promise<void> => {
    await rowAction(page, 'door', 'Edit')
    await expect(edit.getByLabel('Description')).toHaveValue(description)
    await page.keyboard.press('Escape')
    await expect(edit).toHaveCount(0)
  }
  await opens('mine')
  await api('member', 'PUT', path.replace('?', '/door?'), { description: 'theirs' })
  await expect(row(page, 'door')).toContainText('theirs')
  await opens('theirs')
})

test('a form over the page of its object opens with what another user saved since', async ({
  open,
  project,
  api,
}) => {
  const path = `/v1/vpcs?project=${project}`
  await api('member', 'POST', path, { name: 'home', description: 'mine', dns_name: 'home' })
  const page = await open('member', `/projects/${project}/vpcs`)
  await row(page, 'home').getByRole('link').first().click()
  await expect(page.getByRole('heading', { name: 'home' })).toBeVisible()
  await page.goBack()
  await api('member', 'PUT', path.replace('?', '/home?'), { description: 'theirs' })
  await expect(row(page, 'home')).toContainText('theirs')
  await rowAction(page, 'home', 'Edit')
  await expect(page.getByRole('dialog').getByLabel('Description')).toHaveValue('theirs')
})

test('a new instance gets the SSH key that was added since its form was last open', async ({
  open,
  project,
  api,
}) => {
  const page = await open('member', `/projects/${project}/instances-new`)
  const name = `late-${project}`
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2B1x0d5c5vJ1o0m1b2c3d4e5f6g7h8i9j0k1l2m3n4 late@desk'
  await expect(page.getByRole('heading', { name: 'Create instance' })).toBeVisible()
  await page.getByRole('button', { name: 'User menu' }).click()
  await menuItem(page, 'Settings').click()
  await page.getByRole('link', { name: 'SSH Keys' }).click()
  await expect(page.getByRole('heading', { name: 'SSH Keys', exact: true })).toBeVisible()
  await api('member', 'POST', '/v1/me/ssh-keys', { name, description: '', public_key: key })
  await expect(row(page, name)).toBeVisible()
  await page.goBack()
  await page.goBack()
  await expect(page.getByRole('checkbox', { name: new RegExp(name) })).toBeChecked()
  await api('member', 'DELETE', `/v1/me/ssh-keys/${name}`)
})

test('a page that was missing opens once its object is there again', async ({
  open,
  project,
  machine,
  api,
}) => {
  await machine('phoenix', { boot_disk: null })
  const page = await open('member', `/projects/${project}/instances`)
  const missing = page.getByRole('heading', { name: 'Page not found' })
  await row(page, 'phoenix').getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'phoenix' })).toBeVisible()
  await api('member', 'DELETE', `/v1/instances/phoenix?project=${project}`)
  await expect(missing).toBeVisible()
  await machine('phoenix', { boot_disk: null })
  await page.goBack()
  await row(page, 'phoenix').getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'phoenix' })).toBeVisible()
  await expect(missing).toHaveCount(0)
})

test('a form section that fails to load keeps the input, and loads on a retry', async ({ open, project }) => {
  const page = await open('member', `/projects/${project}/instances-new`)
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('typed')
  const part = '**/assets/settings-forms-*'
  await page.route(part, (route) => route.fulfill({ status: 404, body: 'no such file' }))
  await page.getByRole('button', { name: 'Add SSH key' }).click()
  await expect(notifications(page)).toContainText('Reload the page to continue', { timeout: 15_000 })
  await expect(name).toHaveValue('typed')
  await page.unroute(part)
  if (!(await retriesModules(page))) return
  await expect(page.getByRole('dialog', { name: 'Add SSH key' })).toBeVisible()
  await expect(name.first()).toHaveValue('typed')
})
