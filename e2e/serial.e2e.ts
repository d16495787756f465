import type { Page } from '@playwright/test'
import { expect, test } from './test.ts'

const terminal = (page: Page) => page.getByRole('application', { name: /^Serial console of/ })
const isConnected = (page: Page) =>
  expect(page.getByText('Connected', { exact: true })).toBeVisible({ timeout: 20_000 })

async function logIn(page: Page, host: string): Promise<void> {
  await expect(terminal(page)).toContainText(`${host} login:`, { timeout: 20_000 })
  await page.keyboard.type('ada\n')
  await expect(terminal(page)).toContainText('Password:')
  await page.keyboard.type('secret\n')
  await expect(terminal(page)).toContainText(`ada@${host}`)
}

test('two people at one console see the same screen, one of them from before it was there', async ({
  open,
  project,
  machine,
}) => {
  await machine('shared', { start: true })
  const path = `/projects/${project}/instances/shared/serial-console`
  const one = await open('member', path)
  await expect(one.getByText('Waiting for the instance to start before connecting.')).toBeVisible()
  await isConnected(one)
  const other = await open('admin', path)
  await isConnected(other)
  await logIn(one, 'shared')
  await one.keyboard.type('echo from-one\n')
  await expect(terminal(other)).toContainText(/echo from-one\s*from-one/)
  await other.keyboard.type('echo from-other\n')
  await expect(terminal(one)).toContainText(/echo from-other\s*from-other/)

  // Whoever comes later reads what was there before.
  const late = await open('member', path)
  await expect(terminal(late)).toContainText(/from-one/)
  await expect(terminal(late)).toContainText(/echo from-other\s*from-other/)
})

test('a console finds its machine again after the server restarts, with everything on it', async ({
  open,
  project,
  machine,
  gantry,
}) => {
  await machine('lasting', { start: true })
  const page = await open('member', `/projects/${project}/instances/lasting/serial-console`)
  await logIn(page, 'lasting')
  await page.keyboard.type('echo kept\n')
  await expect(terminal(page)).toContainText(/echo kept\s*kept/)

  await gantry.kill()
  await expect(page.getByText(/^(Disconnected|Error)$/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again now' })).toBeVisible()
  await gantry.start()
  await isConnected(page)
  await expect(terminal(page)).toContainText(/echo kept\s*kept/)
  await terminal(page).click()
  await page.keyboard.type('echo again\n')
  await expect(terminal(page)).toContainText(/echo again\s*again/)
})

test('somebody powers the machine off from inside, and the console says that it stopped', async ({
  open,
  project,
  machine,
  api,
}) => {
  await machine('inner', { start: true })
  const page = await open('member', `/projects/${project}/instances/inner/serial-console`)
  await logIn(page, 'inner')
  await page.keyboard.type('poweroff\n')
  await expect(page.getByText('The instance is stopped')).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText('Disconnected', { exact: true })).toBeVisible()
  expect(await api('member', 'GET', `/v1/instances/inner?project=${project}`)).toMatchObject({
    run_state: 'stopped',
  })
  // Started again by somebody else, it connects by itself.
  await api('admin', 'POST', `/v1/instances/inner/start?project=${project}`)
  await isConnected(page)
  await expect(terminal(page)).toContainText('inner login:', { timeout: 20_000 })
})

test('a viewer learns that the console is not for them, and a stopped machine has none', async ({
  open,
  project,
  machine,
}) => {
  await machine('quiet')
  const path = `/projects/${project}/instances/quiet/serial-console`
  const member = await open('member', path)
  await expect(
    member.getByText('You can only connect to the serial console of a running instance.'),
  ).toBeVisible()
  const viewer = await open('viewer', path)
  await expect(viewer.getByText(/to use the serial console/)).toBeVisible()
  const nowhere = await open('member', path.replace('quiet', 'nobody'))
  await expect(nowhere.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})
