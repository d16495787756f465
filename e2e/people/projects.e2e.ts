import type { Page } from '@playwright/test'
import type { Stage } from '../support/stage.ts'
import { confirm, notifications, refresh, row, rowAction } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'
import { notOn, story } from '../support/target.ts'

test(
  'a user creates a project, sees errors in its name, and renames it',
  story,
  async ({ open, project }) => {
    const page = await open('member', '/projects')
    await page.getByRole('link', { name: 'New project' }).first().click()
    const name = page.getByLabel('Name', { exact: true })
    const submit = page.getByRole('button', { name: 'Create project' })
    const sent: string[] = []
    page.on(
      'request',
      (request) =>
        request.method() === 'POST' && request.url().endsWith('/v1/projects') && sent.push(request.url()),
    )

    await submit.click()
    await expect(name).toHaveAccessibleDescription('Name is required')
    for (const [typed, problem] of [
      ['Big', 'Can only contain lower-case letters, numbers, and dashes'],
      ['1st', 'Must start with a lower-case letter'],
      ['dash-', 'Must end with a letter or number'],
      ['x'.repeat(64), 'Must be 63 characters or fewer'],
    ] as const) {
      await name.fill(typed)
      await expect(name).toHaveAccessibleDescription(problem)
    }
    expect(sent).toEqual([])

    await name.fill(project)
    await submit.click()
    await expect(name).toHaveAccessibleDescription('Project name already exists')
    await expect(name).toBeFocused()

    const own = `${project}-own`
    await name.fill(own)
    await submit.click()
    await expect(page.getByText('No instances')).toBeVisible()
    await expect(notifications(page)).toContainText(`Project ${own} created`)
    await expect(notifications(page).getByRole('link', { name: 'View project' })).toHaveAttribute(
      'href',
      `/projects/${own}/instances`,
    )

    await page.getByRole('link', { name: 'Projects' }).first().click()
    await rowAction(page, own, 'Edit')
    await expect(name).toHaveValue(own)
    await name.fill(`${own}-2`)
    await page.getByLabel(/^Description/).fill('renamed')
    await page.getByRole('button', { name: 'Update project' }).click()
    await expect(notifications(page)).toContainText(`Project ${own}-2 updated`)
    await expect(row(page, `${own}-2`)).toContainText('renamed')
  },
)

test('on a server without plans, a project that cannot be deleted says why, and can be deleted once empty', async ({
  open,
  project,
  api,
}) => {
  const disk = { name: 'in-the-way', description: '', size: 1024 ** 3 }
  const source = { disk_source: { type: 'blank', block_size: 512 } }
  await api('admin', 'POST', `/v1/disks?project=${project}`, { ...disk, ...source })
  const group = { name: 'apart', description: '', policy: 'allow', failure_domain: 'sled' }
  await api('admin', 'POST', `/v1/anti-affinity-groups?project=${project}`, group)
  const page = await open('admin', '/projects')
  await page.route('**/ext/v1/deletion-plans/**', (route) => route.fulfill({ status: 404, body: 'none' }))
  await rowAction(page, project, 'Delete')
  await expect(page.getByRole('dialog', { name: 'Confirm delete project' })).toContainText(project)
  await confirm(page)
  await expect(notifications(page)).toContainText('Could not delete resource')
  await expect(notifications(page)).toContainText(/Project to be deleted contains a disk: in-the-way/i)
  await expect(notifications(page)).toContainText(
    'Delete these first: disks in-the-way; anti-affinity groups apart.',
  )
  await expect(row(page, project)).toBeVisible()

  await api('admin', 'DELETE', `/v1/disks/in-the-way?project=${project}`)
  await api('admin', 'DELETE', `/v1/anti-affinity-groups/apart?project=${project}`)
  await rowAction(page, project, 'Delete')
  await confirm(page)
  await expect(row(page, project)).toBeHidden()
})

test(
  'a concurrent edit of a project is reported to the second user instead of overwritten',
  { ...story, ...notOn({ preview: 'needs two users at once' }) },
  async ({ open, project, api }) => {
    const page = await open('member', `/projects/${project}/edit`)
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue(project)
    await api('admin', 'PUT', `/v1/projects/${project}`, { description: 'by somebody else' })
    await page.getByLabel(/^Description/).fill('mine')
    await page.getByRole('button', { name: 'Update project' }).click()
    const refused = page.getByRole('dialog').getByRole('alert')
    await expect(refused).toContainText(/changed/i)
    await expect(refused).toContainText(/Request/)
    await expect(page.getByLabel(/^Description/)).toHaveValue('mine')
  },
)

const exits: readonly [way: string, leave: (page: Page) => Promise<unknown>][] = [
  ['Cancel', (page) => page.getByRole('button', { name: 'Cancel' }).click()],
  ['the X', (page) => page.getByRole('button', { name: 'Close' }).click()],
  ['Escape', (page) => page.keyboard.press('Escape')],
  ['a click outside', (page) => page.mouse.click(300, 500)],
  ['Back', (page) => page.evaluate(() => history.back())],
]

test('leaving a panel in any way keeps unsaved input until confirmed', story, async ({ open }) => {
  const page = await open('member', '/projects')
  for (const [way, leave] of exits) {
    await test.step(way, async () => {
      await page.getByRole('link', { name: 'New project' }).first().click()
      const name = page.getByLabel('Name', { exact: true })
      await name.fill('half-typed')
      await leave(page)
      const question = page.getByRole('dialog', { name: 'Confirm navigation' })
      await expect(question).toBeVisible()
      await question.getByRole('button', { name: 'Keep editing' }).click()
      await expect(question).toBeHidden()
      await expect(name).toHaveValue('half-typed')
      await leave(page)
      await question.getByRole('button', { name: 'Leave form' }).click()
      await expect(page).toHaveURL(/\/projects$/)
      await expect(name).toBeHidden()
    })
  }
  // Without input there is no confirmation.
  await page.getByRole('link', { name: 'New project' }).first().click()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/projects$/)
})

test('leaving a page by a link, Cancel or Back keeps unsaved input until confirmed', async ({
  open,
  project,
}) => {
  const page = await open('member', `/projects/${project}/instances`)
  const rail = page.getByRole('navigation', { name: 'Sidebar navigation' })
  for (const leave of [
    () => rail.getByRole('link', { name: 'Instances' }).click(),
    () => page.getByRole('button', { name: 'Cancel' }).click(),
    () => page.evaluate(() => history.back()),
  ]) {
    await page.getByRole('link', { name: 'New instance', exact: true }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('half-typed')
    await leave()
    await page.getByRole('button', { name: 'Continue editing' }).click()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('half-typed')
    await leave()
    await page.getByRole('button', { name: 'Leave this page' }).click()
    await expect(page.getByText('No instances')).toBeVisible()
  }
})

/** Submits the form and holds the request until released. */
async function submitSlowly(page: Page): Promise<() => void> {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/v1/projects', async (route) => {
    if (route.request().method() === 'POST') await released
    await route.fallback()
  })
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.keyboard.press('Enter')
  await sent
  return release
}

test(
  'leaving a form while it is submitted keeps the new page and reports the result',
  notOn({ preview: 'delays requests to the control plane, which runs in the page' }),
  async ({ open, project }) => {
    const page = await open('member', '/projects')
    for (const [name, end] of [
      [`${project}-late`, `Project ${project}-late created`],
      [project, 'Could not create project'],
    ] as const) {
      await page.goto('/projects-new')
      await page.getByLabel('Name', { exact: true }).fill(name)
      const release = await submitSlowly(page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Leave form' }).click()
      await page.getByRole('link', { name: 'Images', exact: true }).first().click()
      await expect(page.getByRole('heading', { name: 'Silo Images', exact: true })).toBeVisible()
      release()
      await expect(notifications(page)).toContainText(end)
      await expect(page).toHaveURL(/\/images$/)
    }
    await expect(notifications(page)).toContainText('already exists')
  },
)

test(
  'fields are disabled during a submission, and a refusal returns the focus',
  notOn({ preview: 'delays requests to the control plane, which runs in the page' }),
  async ({ open, project }) => {
    const page = await open('member', '/projects-new')
    const panel = page.getByRole('dialog', { name: 'Create project' })
    const name = panel.getByLabel('Name', { exact: true })
    await name.fill(`${project}-sent`)
    const refusal = { request_id: project, error_code: 'InvalidRequest', message: 'Not at this time' }
    await page.route('**/v1/projects', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 400, json: refusal }) : route.fallback(),
    )
    const release = await submitSlowly(page)
    await expect(panel.getByLabel('Description')).toBeDisabled()
    await expect(panel.locator('button[type=submit]')).toBeFocused()
    release()
    await expect(panel.getByRole('alert')).toContainText('Not at this time')
    await expect(name).toBeFocused()
  },
)

test(
  'a spinner on a button stays for at least half a second',
  notOn({ preview: 'holds requests to the control plane, which runs in the page' }),
  async ({ open, project }) => {
    const page = await open('member', '/projects-new')
    const panel = page.getByRole('dialog', { name: 'Create project' })
    const spinner = panel.locator('button[type=submit] svg')
    await panel.getByLabel('Name', { exact: true }).fill(`${project}-spun`)
    const refusal = { request_id: project, error_code: 'InvalidRequest', message: 'Not at this time' }
    await page.route('**/v1/projects', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 400, json: refusal }) : route.fallback(),
    )
    await expect(spinner).toBeHidden()
    // From here on only the test moves the time of the page.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    const release = await submitSlowly(page)
    await expect(spinner).toBeVisible()
    release()
    await page.clock.runFor(50)
    await expect(panel.getByRole('alert')).toContainText('Not at this time')
    await page.clock.runFor(400)
    await expect(spinner).toBeVisible()
    await page.clock.runFor(100)
    await expect(spinner).toBeHidden()
  },
)

/** One more page than the first, of instances `many-01` to `many-53`; as their list's viewer. */
async function openMany({ open, api, project }: Pick<Stage, 'open' | 'api'> & { project: string }) {
  for (let number = 1; number <= 53; number++) {
    await api('member', 'POST', `/v1/instances?project=${project}`, {
      name: `many-${String(number).padStart(2, '0')}`,
      description: '',
      ncpus: 1,
      memory: 1024 ** 3,
      hostname: 'host',
      start: false,
      network_interfaces: { type: 'none' },
    })
  }
  const page = await open('viewer', `/projects/${project}/instances`)
  const next = page.getByRole('button', { name: 'Next' })
  await expect(row(page, 'many-50')).toBeVisible()
  return { page, next }
}

test(
  'the spinner of the next page stays for at least half a second',
  notOn({ preview: 'stops the clock that the control plane in the page uses' }),
  async ({ open, project, api }) => {
    const { page, next } = await openMany({ open, project, api })
    const spinner = page.getByRole('navigation', { name: 'Pagination' }).getByRole('img')
    // From here on only the test moves the time of the page.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await next.click()
    await expect(async () => {
      await page.clock.runFor(10)
      await expect(row(page, 'many-53')).toBeVisible({ timeout: 100 })
    }).toPass()
    await expect(row(page, 'many-50')).toBeHidden()
    await expect(spinner).toBeVisible()
    await page.clock.runFor(500)
    await expect(spinner).toBeHidden()
  },
)

test('a long list turns its pages, and Back and reload keep the page', async ({ open, project, api }) => {
  const { page, next } = await openMany({ open, project, api })
  const previous = page.getByRole('button', { name: 'Previous' })
  await expect(previous).toBeDisabled()
  await next.click()
  await expect(row(page, 'many-53')).toBeVisible()
  await expect(row(page, 'many-50')).toBeHidden()

  await expect(next).toBeDisabled()
  await expect(page).toHaveURL(/[?&]page=/)
  const secondPage = page.url()

  await refresh(page)
  await expect(row(page, 'many-53')).toBeVisible()
  await row(page, 'many-52').getByRole('link').first().click()
  await expect(page.getByRole('heading', { name: 'many-52' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(secondPage)
  await expect(row(page, 'many-53')).toBeVisible()
  await previous.click()
  await expect(row(page, 'many-01')).toBeVisible()
  await expect(next).toBeEnabled()
})

test('a viewer finds a project by what it holds, and what hides it', async ({ open, api, project }) => {
  const empty = `archived-${project}`
  await api('member', 'POST', '/v1/projects', { name: empty, description: 'of the archive' })
  await api('member', 'POST', `/v1/instances?project=${project}`, {
    name: 'one',
    description: '',
    hostname: 'one',
    ncpus: 1,
    memory: 2 ** 30,
    start: false,
  })
  const page = await open('viewer', '/projects')
  const filter = page.getByRole('combobox', { name: 'Filter projects' })
  await expect(filter).toBeVisible()
  await page.keyboard.press('/')
  await expect(filter).toBeFocused()
  await filter.fill(`name:*${project} instances:0`)
  await filter.press('Enter')
  await expect(row(page, empty)).toBeVisible()
  await expect(row(page, project)).toBeHidden()
  await expect(page.getByRole('main')).toContainText(/1 of \d+ match/)

  await filter.fill(`name:*${project}`)
  await filter.press('Enter')
  await expect(row(page, project)).toBeVisible()
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await expect(page.getByRole('row', { name: new RegExp(project) })).toHaveText([
    new RegExp(`^${project}`),
    /^archived/,
  ])

  await filter.fill(`name:${empty} instances>=1`)
  await filter.press('Enter')
  const hiding = page.getByRole('list', { name: 'What hides them' })
  await expect(hiding).toContainText('Without instances>=1, 1 matches')
  await hiding.getByRole('button', { name: 'Remove instances>=1' }).click()
  await expect(row(page, empty)).toBeVisible()
  await filter.fill('failed:many')
  await filter.press('Enter')
  await expect(filter).toHaveAccessibleDescription(/number/)

  await filter.fill(`name:${empty}`)
  await filter.press('Enter')
  await expect(row(page, project)).toBeHidden()
  await filter.blur()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('Filter the list')
  // No row of this list can be selected.
  await expect(page.getByRole('dialog')).not.toContainText('Select the row')
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/projects/${empty}/instances`))
})
