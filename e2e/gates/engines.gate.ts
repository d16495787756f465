import { expect, test as base } from '@playwright/test'
import { Key } from 'selenium-webdriver'
import { Gantry } from '../support/gantry.ts'
import { makeFile, MiB } from '../support/image-file.ts'
import type { User } from '../support/stage.ts'
import { apiOf, sessionOf } from '../support/stage-server.ts'
import { password } from '../support/target.ts'
import { startWebKit, type WebKit, whyNoWebKit } from '../webkit/browser.ts'
import { Window } from '../webkit/window.ts'
import type { Api } from '../support/scenes.ts'

/*
 * The main tests of the console in WebKit as Debian packages it. Playwright drives only its own build of WebKit, so
 * these speak WebDriver. `npm run gates -- engines` also runs the tests themselves in Firefox.
 */

const GiB = 1024 ** 3

interface Helpers {
  api: Api
  project: string
  open: (who: User | 'nobody', path: string) => Promise<Window>
  /** Creates an instance in the test's project. */
  machine: (name: string, more?: object) => Promise<unknown>
}

const test = base.extend<Helpers, { gantry: Gantry; webkit: WebKit }>({
  gantry: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape
    async ({}, use) => {
      const gantry = await new Gantry().start()
      await use(gantry)
      await gantry.remove()
    },
    { scope: 'worker' },
  ],
  webkit: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape
    async ({}, use) => {
      const webkit = await startWebKit()
      await use(webkit)
      webkit.close()
    },
    { scope: 'worker' },
  ],
  api: async ({ gantry }, use) => use(apiOf(gantry)),
  project: async ({ api }, use, { testId }) => {
    const name = `q-${testId.slice(-12)}`.toLowerCase()
    await api('admin', 'POST', '/v1/projects', { name, description: 'made for one test' })
    await use(name)
  },
  open: async ({ gantry, webkit }, use, testInfo) => {
    const windows: Window[] = []
    await use(async (who, path) => {
      const window = new Window(await webkit.open(), gantry.url)
      windows.push(window)
      if (who !== 'nobody') await window.signInBy(await sessionOf(gantry, who))
      await window.visit(path)
      return window
    })
    for (const window of windows) {
      if (testInfo.status !== testInfo.expectedStatus)
        await testInfo.attach('window', { body: await window.screenshot(), contentType: 'image/png' })
      await window.close()
    }
  },
  machine: async ({ api, project }, use) => {
    await use((name, more = {}) =>
      api('member', 'POST', `/v1/instances?project=${project}`, {
        name,
        description: '',
        hostname: name,
        ncpus: 2,
        memory: 2 * GiB,
        boot_disk: {
          type: 'create',
          name: `${name}-boot`,
          description: '',
          size: GiB,
          disk_source: { type: 'blank', block_size: 512 },
        },
        start: false,
        ...more,
      }),
    )
  },
})

const missing = whyNoWebKit()
test.skip(missing !== undefined, missing)
test.describe.configure({ timeout: 240_000 })

/** Testing Library omits the blank where an element begins within the label. */
const newInstance = /^New ?Instance$/i
const state = (page: Window, word: string) => page.text(word).first()
const terminal = (page: Window) => page.role('application')
const notifications = (page: Window) => page.role('region', 'Notifications')
const row = (page: Window, name: string) => page.role('row', new RegExp(`^(Select ${name} )?${name}\\b`))

async function logIn(page: Window, host: string): Promise<void> {
  await state(page, 'Connected').shows()
  await terminal(page).contains(`${host} login:`)
  await page.type('ada\n')
  await terminal(page).contains('Password:')
  await page.type('secret\n')
  await terminal(page).contains(`ada@${host}`)
}

test('a user creates an instance, types on its console, stops and deletes it, through a crash of the server', async ({
  gantry,
  open,
  project,
}) => {
  const page = await open('nobody', '/')
  await page.role('button', /^demo\b/).click()
  await page.labelled('Username').fill('member')
  await page.labelled('Password').fill(password)
  await page.role('button', 'Sign in').click()

  await page.role('link', project).click()
  await page.role('heading', 'Instances').shows()
  await page.role('link', newInstance).first().click()
  await page.labelled('Name').fill('web-1')
  await page.role('combobox', 'Image').click()
  await page.role('option', /alpine-3-22/).click()
  await page.role('button', 'Create instance').click()
  await page.role('heading', 'web-1').shows()
  await state(page, 'Running').shows()

  await gantry.kill('SIGKILL')
  await gantry.start()
  await page.reload()
  await state(page, 'Running').shows()

  await page.role('button', 'Instance actions').click()
  await page.role('menuitem', 'View serial console').click()
  await logIn(page, 'web-1')
  await page.type('nproc\n')
  await terminal(page).contains(/nproc\s*2/)

  await page.role('link', /^Back to/).click()
  await page.role('button', 'Stop').click()
  await page.role('button', 'Confirm').click()
  await state(page, 'Stopped').shows()
  await page.role('button', 'Instance actions').click()
  await page.role('menuitem', 'Delete').click()
  await page.role('button', 'Confirm').click()
  await page.isAt(/\/instances$/)
  await page.text('No instances').shows()
})

test('a serial console keeps its output through a reload and a restart of the server', async ({
  gantry,
  open,
  project,
  machine,
}) => {
  await machine('lasting', { start: true })
  const page = await open('member', `/projects/${project}/instances/lasting/serial-console`)
  await logIn(page, 'lasting')
  await page.type('echo kept\n')
  await terminal(page).contains(/echo kept\s*kept/)
  await page.reload()
  await state(page, 'Connected').shows()
  await terminal(page).contains(/echo kept\s*kept/)

  await gantry.kill()
  await page.role('button', 'Try again now').shows()
  await gantry.start()
  await state(page, 'Connected').shows()
  await terminal(page).contains(/echo kept\s*kept/)
  await terminal(page).click()
  await page.type('echo again\n')
  await terminal(page).contains(/echo again\s*again/)
})

test('a user adds, edits and deletes a firewall rule', async ({ open, project, api, machine }) => {
  await machine('web')
  const page = await open('member', `/projects/${project}/vpcs/default`)
  await page.role('link', 'New rule').click()
  const form = page.role('dialog', 'Add firewall rule')
  await form.labelled('Name').fill('web-in')
  await form.labelled('Priority').fill('100')
  const targets = form.role('region', 'Targets')
  await targets.labelled('Target type').select('Instance')
  await targets.role('combobox', 'Instance name').click()
  await page.role('option', 'web').click()
  await targets.role('button', 'Add target').click()
  await targets.role('table', 'Targets').contains('Instanceweb')
  const filters = form.role('region', 'Filters')
  await filters.role('textbox', 'Port filters').fill('443')
  await filters.role('button', 'Add port filter').click()
  await form.role('button', 'Add rule').click()
  await notifications(page).contains('Firewall rule web-in created')
  await form.isGone()
  await row(page, 'web-in').contains(/100 ?Allow ?Inbound/)

  await row(page, 'web-in')
    .role('button', /^Actions for /)
    .click()
  await page.role('menuitem', 'Edit').click()
  const edit = page.role('dialog', 'Edit rule')
  await edit.labelled('Priority').fill('70')
  await edit.role('button', 'Update rule').click()
  await edit.isGone()
  await row(page, 'web-in').contains(/70 ?Allow/)
  const rules = `/v1/vpc-firewall-rules?project=${project}&vpc=default`
  expect(await api('member', 'GET', rules)).toMatchObject({
    rules: expect.arrayContaining([
      expect.objectContaining({
        name: 'web-in',
        priority: 70,
        targets: expect.arrayContaining([{ type: 'instance', value: 'web' }]),
        filters: expect.objectContaining({ ports: ['443'] }),
      }),
    ]),
  })

  await row(page, 'web-in')
    .role('button', /^Actions for /)
    .click()
  await page.role('menuitem', 'Delete').click()
  await page.role('button', 'Confirm').click()
  await row(page, 'web-in').isGone()
})

test('a user uploads an image', async ({ open, project, api }) => {
  const file = makeFile(9 * MiB)
  const page = await open('member', `/projects/${project}/images`)
  await page.role('link', 'Upload image').first().click()
  const form = page.role('dialog', 'Upload image')
  await form.role('button', 'Upload image').click()
  await form.text('Image file is required').shows()
  await form.labelled('Name').fill('disc')
  await form.labelled('OS').fill('Plan 9')
  await form.labelled('Version').fill('4')
  await form.css('input[type=file]').choose(file.path)
  await form.role('button', 'Upload image').click()
  const progress = page.role('dialog', 'Image upload progress')
  await progress.css('li[data-status=complete]').shows(4)
  await progress.role('button', 'Done').click()
  await row(page, 'disc').contains('9 MiB')
  expect(await api('member', 'GET', `/v1/images/disc?project=${project}`)).toMatchObject({
    size: file.size,
    digest: { value: file.sha256 },
  })
  file.remove()
})

/** A chart of a new instance: the last hour has too few samples, five minutes have one each five seconds. */
async function openChart(page: Window, project: string, name: string): Promise<void> {
  const start = Math.floor(Date.now() / 60_000) * 60_000 - 60_000
  const range = new URLSearchParams({
    from: new Date(start).toISOString(),
    to: new Date(start + 300_000).toISOString(),
  })
  await page.visit(`/projects/${project}/instances/${name}/metrics/cpu?${range.toString()}`)
  const chart = page.role('region', 'CPU Utilization: Running chart')
  await expect(async () => {
    await page.role('button', 'Refresh charts').click()
    expect(await page.paintedPixels(chart.css('canvas'))).toBeGreaterThan(0)
  }).toPass({ timeout: 90_000, intervals: [3000] })
}

test('charts are drawn', async ({ open, project, machine }) => {
  await machine('busy', { start: true })
  await openChart(await open('member', '/projects'), project, 'busy')
})

test('a dialog keeps the focus, and asks before input is lost', async ({ open, project, machine }) => {
  await machine('asked', { start: true })
  const page = await open('member', `/projects/${project}/instances/asked`)
  await state(page, 'Running').shows()
  const stop = page.role('button', 'Stop')
  await stop.click()
  await page.role('button', 'Cancel').isFocused()
  // Tab stays in the dialog.
  for (let step = 0; step < 4; step++) {
    await page.press(Key.TAB)
    expect(await page.isFocusIn('dialog, [role=dialog], [role=alertdialog]')).toBe(true)
  }
  await page.press(Key.ESCAPE)
  await page.role('button', 'Cancel').isGone()
  await stop.isFocused()

  await page.visit(`/projects/${project}/disks`)
  await page.role('link', /^New ?Disk$/i).click()
  const form = page.role('dialog', 'Create disk')
  await form.labelled('Name').fill('scratch')
  await page.press(Key.ESCAPE)
  const question = page.role('dialog', 'Confirm navigation')
  await question.role('button', 'Keep editing').click()
  await question.isGone()
  expect(await form.labelled('Name').property('value')).toBe('scratch')
  await page.press(Key.ESCAPE)
  await question.role('button', 'Leave form').click()
  await form.isGone()
  await page.isAt(/\/disks$/)
})

test('an instance is created, found in the palette and stopped by keyboard alone', async ({
  open,
  project,
}) => {
  const page = await open('nobody', '/')
  await page.enter(page.role('button', /^demo\b/))
  await page.tabTo(page.labelled('Username'))
  await page.type('member')
  await page.tabTo(page.labelled('Password'))
  await page.type(`${password}\n`)

  await page.enter(page.role('link', project))
  await page.text('No instances').shows()
  await page.enter(page.role('link', newInstance).first())
  await page.tabTo(page.labelled('Name'))
  await page.type('by-hand')
  await page.tabTo(page.role('radio', /^2 CPU/))
  await page.press(Key.ARROW_RIGHT)
  await page.tabTo(page.role('combobox', 'Image'))
  await page.type('alp')
  await page.role('option').shows()
  await page.press(Key.ENTER)
  await page.enter(page.role('button', 'Create instance'))
  await page.role('heading', 'by-hand').shows()
  await state(page, 'Running').shows()

  await page.visit('/projects')
  await page.role('heading', 'Projects').shows()
  await page.press('k', Key.CONTROL)
  await page.role('combobox', 'Search').isFocused()
  await page.type('by-hand\n')
  await page.role('heading', 'by-hand').shows()

  const actions = page.role('button', 'Instance actions')
  await page.enter(actions)
  await page.type('view')
  await page.role('menuitem', 'View serial console').isFocused()
  await page.press(Key.ESCAPE)
  await actions.isFocused()
  await page.enter(page.role('button', 'Stop'))
  await page.role('button', 'Cancel').isFocused()
  await page.enter(page.role('button', 'Confirm'))
  await state(page, 'Stopped').shows()
})

test('charts are drawn in a browser whose language is unknown', async ({
  gantry,
  webkit,
  project,
  machine,
}) => {
  await machine('busy', { start: true })
  const driver = await webkit.open('C.UTF-8')
  const page = new Window(driver, gantry.url)
  await page.signInBy(await sessionOf(gantry, 'member'))
  await page.visit('/projects')
  expect(await page.language()).toBe('C')
  await openChart(page, project, 'busy')
  await page.close()
})
