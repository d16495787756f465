import { readFile } from 'node:fs/promises'
import type { Page, WebSocketRoute } from '@playwright/test'
import { retriesModules, menuItem, openRowMenu, refresh, visit } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'
import { notOn, story } from '../support/target.ts'

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

test(
  'two users see the same console, including output from before one of them connected',
  { ...story, ...notOn({ preview: 'needs two users at once' }) },
  async ({ open, project, machine, api }) => {
    await machine('shared')
    const path = `/projects/${project}/instances/shared/serial-console`
    const one = await open('member', `/projects/${project}/instances`)
    await openRowMenu(one, 'shared')
    await menuItem(one, 'View serial console').click()
    await expect(one.getByText('The instance is Stopped')).toBeVisible()
    await api('member', 'POST', `/v1/instances/shared/start?project=${project}`)
    await expect(one.getByText('Waiting for the instance to start before connecting.')).toBeVisible()
    await isConnected(one)
    const other = await open('admin', path)
    await isConnected(other)
    await logIn(one, 'shared')
    await one.keyboard.type('echo from-one\n')
    await expect(terminal(other)).toContainText(/echo from-one\s*from-one/)
    await other.keyboard.type('echo from-other\n')
    await expect(terminal(one)).toContainText(/echo from-other\s*from-other/)

    // A later viewer sees earlier output.
    const late = await open('member', path)
    await expect(terminal(late)).toContainText(/from-one/)
    await expect(terminal(late)).toContainText(/echo from-other\s*from-other/)
  },
)

test(
  'a console reconnects after a server restart and keeps its output',
  notOn({ preview: 'kills the server' }),
  async ({ open, project, machine, gantry }) => {
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
  },
)

test('a console reports that its instance was powered off from inside', async ({
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
  // Its output stays readable.
  await refresh(page)
  await expect(terminal(page)).toContainText('inner login:', { timeout: 20_000 })
  await expect(page.getByText(/^The instance is stopped\. Its output ended/)).toBeVisible()
  // When another user starts it, the console reconnects automatically.
  await api('admin', 'POST', `/v1/instances/inner/start?project=${project}`)
  await isConnected(page)
  await expect(terminal(page)).toContainText('inner login:', { timeout: 20_000 })
})

test('a viewer cannot open the console, and a stopped instance has none', async ({
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

test("the console's output can be searched, copied and downloaded", async ({ open, project, machine }) => {
  await machine('searched', { start: true })
  const page = await open('member', `/projects/${project}/instances/searched/serial-console`)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await logIn(page, 'searched')
  await page.keyboard.type('echo needle-1 needle-2\n')
  await expect(terminal(page)).toContainText(/echo needle-1 needle-2\s*needle-1 needle-2/)

  await page.keyboard.press('Control+f')
  const words = page.getByRole('textbox', { name: 'Find in the console' })
  const found = page.getByRole('search').getByRole('status')
  await expect(words).toBeFocused()
  await words.fill('NEEDLE')
  await expect(found).toHaveText('4 of 4')
  await page.keyboard.press('Enter')
  await expect(found).toHaveText('1 of 4')
  await page.keyboard.press('Shift+Enter')
  await expect(found).toHaveText('4 of 4')
  await page.getByRole('button', { name: 'Previous match' }).click()
  await expect(found).toHaveText('3 of 4')
  await words.fill('nowhere')
  await expect(found).toHaveText('No matches')
  await expect(page.getByRole('button', { name: 'Copy selection' })).toBeDisabled()

  // The match is selected, so that it can be copied.
  await words.fill('needle-2')
  await page.getByRole('button', { name: 'Copy selection' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('needle-2')
  await words.focus()
  await page.keyboard.press('Escape')
  await expect(words).toBeHidden()

  // Escape returns the focus to the terminal, and pasted text arrives unchanged, also non-ASCII.
  await page.keyboard.type('echo ')
  await page.evaluate(() => navigator.clipboard.writeText('grüße-日本'))
  await page.getByRole('button', { name: 'Paste' }).click()
  await expect(page.getByRole('textbox', { name: 'Terminal input' })).toBeFocused()
  await expect(terminal(page)).toContainText('echo grüße-日本')
  await page.keyboard.press('Enter')
  await expect(terminal(page)).toContainText(/echo grüße-日本\s*grüße-日本/)

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download output' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('searched-console.txt')
  const text = await readFile(await download.path(), 'utf8')
  expect(text).toContain('searched login: ada')
  expect(text).toContain('grüße-日本\n')
})

test('many pasted lines arrive whole and in order, also while the window changes its size', async ({
  open,
  project,
  machine,
}) => {
  await machine('pasted', { start: true })
  const page = await open('member', `/projects/${project}/instances/pasted/serial-console`)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await logIn(page, 'pasted')
  const lines = Array.from({ length: 260 }, (_, index) => `line-${index + 1}`)
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    lines.map((line) => `echo ${line}\n`).join(''),
  )
  await page.getByRole('button', { name: 'Paste' }).click()
  const { width = 1280, height = 720 } = page.viewportSize() ?? {}
  await page.setViewportSize({ width: 640, height })
  await expect(terminal(page)).toContainText(/echo line-260\s*line-260/)
  await page.setViewportSize({ width, height })
  await page.keyboard.type('echo still here\n')
  await expect(terminal(page)).toContainText(/echo still here\s*still here/)

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download output' }).click()
  const text = await readFile(await (await downloading).path(), 'utf8')
  expect(text.split(/\r?\n/).filter((line) => /^line-\d+$/.test(line))).toEqual(lines)
})

test('a search selects matches correctly, whatever the width of their characters', async ({
  open,
  project,
  machine,
}) => {
  await machine('searched', { start: true })
  const page = await open('member', `/projects/${project}/instances/searched/serial-console`)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await logIn(page, 'searched')
  // Wider than the screen, so that the terminal wraps it.
  const long = Array.from({ length: 100 }, (_, index) => index + 100).join('')
  await page.evaluate((text) => navigator.clipboard.writeText(text), `${long} axb a.b 漢字-ok 🚀-go`)
  await page.keyboard.type('echo ')
  await page.getByRole('button', { name: 'Paste' }).click()
  await expect(terminal(page)).toContainText('-go')
  await page.keyboard.press('Enter')
  await expect(terminal(page)).toContainText(/-go[\s\S]*-go\s*ada@searched:~\$/)

  await page.keyboard.press('Control+f')
  const words = page.getByRole('textbox', { name: 'Find in the console' })
  const found = page.getByRole('search').getByRole('status')
  for (const [sought, selected = sought] of [
    ['a.b'],
    ['漢字'],
    ['字-OK', '字-ok'],
    ['🚀-go'],
    [long.slice(0, 250)],
    [long.slice(200)],
  ] as const) {
    await words.fill(sought)
    await expect(found, sought).toHaveText('2 of 2')
    await page.getByRole('button', { name: 'Copy selection' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(selected)
  }

  // The same match can be copied after the search was closed and repeated.
  await words.press('Escape')
  await page.keyboard.press('Control+f')
  await words.fill(long.slice(200))
  await expect(found).toHaveText('2 of 2')
  await expect(page.getByRole('button', { name: 'Copy selection' })).toBeEnabled()
})

test(
  'output that arrives during a search keeps a selection made by hand',
  notOn({ preview: 'needs two users at once' }),
  async ({ open, project, machine }) => {
    await machine('searched', { start: true })
    const path = `/projects/${project}/instances/searched/serial-console`
    const page = await open('member', path)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await logIn(page, 'searched')
    await page.keyboard.type('echo needle by-hand\n')
    await expect(terminal(page)).toContainText(/echo needle by-hand\s*needle by-hand/)
    const other = await open('admin', path)
    await isConnected(other)

    await page.keyboard.press('Control+f')
    await page.getByRole('textbox', { name: 'Find in the console' }).fill('needle')
    const found = page.getByRole('search').getByRole('status')
    await expect(found).toHaveText('2 of 2')
    // The match count is updated with the output.
    await other.keyboard.type('echo needle\n')
    await expect(found).toHaveText('2 of 4')

    // The terminal's screen covers its text, and receives the mouse.
    const word = (await page.locator('.xterm-rows').getByText('by-hand').last().boundingBox())!
    await page.mouse.dblclick(word.x + word.width - 8, word.y + word.height / 2)
    await expect(found).toHaveText('– of 4')
    await other.keyboard.type('echo needle-last\n')
    await expect(terminal(page)).toContainText(/needle-last\s*needle-last/)
    // Longer than the delay of the search after output.
    await page.waitForTimeout(1000)
    await page.getByRole('button', { name: 'Copy selection' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('by-hand')
    await page.getByRole('button', { name: 'Next match' }).click()
    await expect(found).toHaveText(/of 6$/)
  },
)

test(
  'a search continues across a lost connection',
  notOn({ preview: 'cuts the connection to the control plane, which runs in the page' }),
  async ({ open, project, machine }) => {
    await machine('searched', { start: true })
    const page = await open('member', '/favicon.ico')
    const sockets: WebSocketRoute[] = []
    await page.routeWebSocket(/serial-console\/stream/, (socket) => {
      socket.connectToServer()
      sockets.push(socket)
    })
    await visit(page, `/projects/${project}/instances/searched/serial-console`)
    await isConnected(page)
    await page.getByRole('button', { name: 'Find' }).click()
    const words = page.getByRole('textbox', { name: 'Find in the console' })
    await page.keyboard.type('need')
    await sockets[0]?.close()
    await expect(page.getByText('Disconnected', { exact: true })).toBeVisible()
    await isConnected(page)
    await page.keyboard.type('le')
    await expect(words).toHaveValue('needle')

    // The terminal has its focus back.
    await page.keyboard.press('Escape')
    await sockets[1]?.close()
    await expect(page.getByText('Disconnected', { exact: true })).toBeVisible()
    await isConnected(page)
    await expect(page.getByRole('textbox', { name: 'Terminal input' })).toBeFocused()
  },
)

test('a terminal that is slow or fails to load still opens in the end', async ({
  open,
  project,
  machine,
}) => {
  await machine('stubborn', { start: true })
  const page = await open('member', `/projects/${project}/instances`)
  const part = '**/assets/terminal-*'
  if (await retriesModules(page))
    await page.route(part, (route) => route.fulfill({ status: 404, body: 'no such file' }))
  // Makes the terminal's renderer fail once.
  await page.evaluate(() => {
    const Real = CSSStyleSheet
    globalThis.CSSStyleSheet = new Proxy(Real, {
      construct() {
        globalThis.CSSStyleSheet = Real
        throw new Error('no more style sheets')
      },
    })
  })
  const refused = page.waitForResponse(part)
  await openRowMenu(page, 'stubborn')
  await menuItem(page, 'View serial console').click()
  await refused
  await page.unroute(part)
  await expect(page.getByText('Connection failed')).toBeVisible()
  await page.getByRole('button', { name: 'Try again now' }).click()
  await isConnected(page)
  await expect(terminal(page)).toContainText('stubborn login:', { timeout: 20_000 })
})

test("the console's text size is kept, and its full-screen mode is not", async ({
  open,
  project,
  machine,
}) => {
  await machine('roomy', { start: true })
  const path = `/projects/${project}/instances/roomy/serial-console`
  const page = await open('member', path)
  await isConnected(page)
  const size = page.getByText(/^\d+ × \d+$/)
  const rows = async () => Number.parseInt((await size.textContent()) ?? '', 10)
  const usual = await rows()
  await expect(page.getByRole('button', { name: 'Reset text size' })).toBeDisabled()
  for (let step = 0; step < 5; step++) await page.getByRole('button', { name: 'Larger text' }).click()
  await expect.poll(rows).toBeLessThan(usual)
  const larger = await rows()
  await refresh(page)
  await isConnected(page)
  await expect.poll(rows).toBe(larger)
  await page.getByRole('button', { name: 'Reset text size' }).click()
  await expect.poll(rows).toBe(usual)

  await page.getByRole('button', { name: 'Full screen' }).click()
  await expect(page.getByText(/full screen$/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back to roomy' })).toBeHidden()
  await page.getByRole('button', { name: 'Exit full screen' }).click()
  await expect(page.getByRole('link', { name: 'Back to roomy' })).toBeVisible()

  // A hanging connection is replaced.
  await page.getByRole('button', { name: 'Reconnect' }).click()
  await isConnected(page)
  await expect(terminal(page)).toContainText('roomy login:', { timeout: 20_000 })
})
