import type { Page } from '@playwright/test'
import { findings } from '../support/checks.ts'
import { confirm, refresh, row } from '../support/steps.ts'
import { notOn, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const GiB = 1024 ** 3
const panel = (page: Page) => page.getByRole('complementary', { name: 'Tasks' })
const tray = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Tasks/ })
const needsYou = (page: Page) => panel(page).getByRole('region', { name: 'Needs you' })
const card = (page: Page, text: string | RegExp) =>
  panel(page).getByRole('listitem').filter({ hasText: text }).first()

test(
  'a user starts many instances, and after a reload still reads which failed, and tries those again',
  story,
  async ({ open, project, machine }) => {
    await machine('a-small')
    await machine('b-giant', { memory: 1536 * GiB })
    const page = await open('member', `/projects/${project}/instances`)
    await page.getByRole('columnheader').getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page
      .getByRole('toolbar', { name: 'Selected instances' })
      .getByRole('button', { name: 'Start', exact: true })
      .click()
    await confirm(page)
    await tray(page).click()
    // It failed in part, so it is among what needs the user.
    const failed = needsYou(page).getByRole('listitem').filter({ hasText: 'Started 1 of 2 instances' })
    await expect(failed).toBeVisible()
    await expect(tray(page)).toHaveAccessibleName(/need/)
    expect(await findings(page)).toEqual([])
    // It stays open, and knows what failed.
    await refresh(page)
    await failed.getByRole('button', { name: 'Show the 1' }).click()
    await expect(failed.getByRole('list', { name: 'Failed' })).toContainText(
      /b-giant .*Could not find any valid sled/,
    )
    await expect(row(page, 'a-small')).toContainText('Running')
    await failed.getByRole('button', { name: 'Retry 1' }).click()
    const again = needsYou(page).getByRole('listitem').filter({ hasText: 'Could not start instance b-giant' })
    await expect(again).toContainText('Could not find any valid sled')
    // What is dismissed is gone for good, and its task is among the finished ones.
    await again.getByRole('button', { name: 'Dismiss' }).click()
    await expect(again).toBeHidden()
    await expect(card(page, 'Could not start instance b-giant')).toBeVisible()
    await panel(page).getByRole('button', { name: 'Close tasks' }).click()
    await expect(panel(page)).toBeHidden()
    await refresh(page)
    await expect(tray(page)).toHaveAttribute('aria-expanded', 'false')
  },
)

test('a viewer sees what others do, and finds the object', async ({ open, project, machine }) => {
  await machine('web', { start: true })
  const page = await open('viewer', `/projects/${project}/disks`)
  await tray(page).click()
  await expect(panel(page)).toContainText('Nothing is running')
  await panel(page).getByRole('radio', { name: 'Everybody’s' }).click()
  await panel(page).getByRole('combobox', { name: 'Where' }).selectOption(project)
  await expect(card(page, /Creat(ing|ed) instance web/)).toContainText('by member')
  await expect(card(page, 'Created instance web')).toBeVisible()
  await panel(page).getByRole('link', { name: 'web' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'web' })).toBeVisible()
  await expect(panel(page)).toBeVisible()
})

test('an instance shows what is done to it on its own page', async ({ open, project, machine }) => {
  await machine('web', { start: true })
  const page = await open('member', `/projects/${project}/instances/web/storage`)
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeEnabled({ timeout: 20_000 })
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await confirm(page)
  await expect(page.getByRole('list', { name: 'In progress' })).toContainText('Stopping instance web')
  await expect(page.getByRole('list', { name: 'In progress' })).toBeHidden()
})

test('on a phone it takes the place of the page, and a link leads back to it', async ({
  open,
  project,
  machine,
}) => {
  await machine('web', { start: true })
  const page = await open('member', `/projects/${project}/instances`)
  await page.setViewportSize({ width: 360, height: 740 })
  await tray(page).click()
  await expect(page.getByRole('heading', { name: 'Instances' })).toBeHidden()
  await panel(page).getByRole('link', { name: 'web' }).first().click()
  await expect(panel(page)).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'web' })).toBeVisible()
})

test(
  'a server without tasks has no button, and no error',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project }) => {
    const page = await open('member', '/projects')
    await page.route('**/ext/v1/tasks*', (route) => route.fulfill({ status: 404, body: 'none' }))
    const asked = page.waitForResponse(/ext\/v1\/tasks/)
    await page.goto(`/projects/${project}/instances`)
    await asked
    await expect(page.getByRole('button', { name: 'User menu' })).toBeVisible()
    await expect(tray(page)).toBeHidden()
  },
)

test('a user is told of a role, and chooses what to be told of', async ({ open, project, api }) => {
  const viewer = (await api('viewer', 'GET', '/v1/me')) as { id: string }
  const path = `/v1/projects/${project}/policy`
  const policy = (await api('member', 'GET', path)) as { role_assignments: object[] }
  const given = { identity_type: 'silo_user', identity_id: viewer.id, role_name: 'collaborator' }
  await api('member', 'PUT', path, { role_assignments: [...policy.role_assignments, given] })
  const page = await open('viewer', '/settings/notifications')
  await tray(page).click()
  const told = needsYou(page).getByRole('listitem').filter({ hasText: project })
  await expect(told).toContainText('You have the role collaborator on project')
  await expect(told).toContainText('member gave it to you')
  await told.getByRole('link', { name: 'Open' }).click()
  await expect(page).toHaveURL(new RegExp(`/projects/${project}`))
  await panel(page).getByRole('link', { name: 'Choose notifications' }).click()
  const choice = page.getByRole('checkbox', { name: /^I was given a role/ })
  await choice.uncheck()
  await expect(choice).toBeEnabled()
  await refresh(page)
  await expect(choice).not.toBeChecked()
  await choice.check()
  expect(await findings(page)).toEqual([])
})

test(
  'a hidden page shows by the browser what its user is to know of, once, and only if chosen',
  notOn({ preview: 'a page that is loaded again begins with other data' }),
  async ({ open, project, machine, api }) => {
    const page = await open('member', '/settings/notifications')
    await page.context().grantPermissions(['notifications'])
    // What the browser would show is recorded, and the page is hidden as far as it knows.
    await page.addInitScript(() => {
      const shown: string[] = []
      class Recorded {
        static permission = 'granted'
        static requestPermission = () => Promise.resolve('granted')
        constructor(title: string, { tag }: { tag: string }) {
          shown.push(`${tag} ${title}`)
        }
      }
      Object.assign(globalThis, { shown, Notification: Recorded })
    })
    // What is unread already is no news.
    const read = page.waitForResponse('**/ext/v1/me/notifications?*')
    await refresh(page)
    await read
    await page.getByRole('checkbox', { name: /browser/i }).check()
    const hide = () =>
      page.evaluate(() => {
        Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
      })
    const shown = () => page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown)
    await hide()
    await machine('a-giant', { memory: 1536 * GiB })
    await api('member', 'POST', `/ext/v1/instance-actions?project=${project}`, {
      action: 'start',
      instances: ['a-giant'],
    })
    await expect.poll(async () => (await shown()).length, { timeout: 20_000 }).toBe(1)
    expect((await shown())[0]).toContain('Could not start instance a-giant')
    await page.getByRole('checkbox', { name: /browser/i }).uncheck()
    await api('member', 'POST', `/ext/v1/instance-actions?project=${project}`, {
      action: 'start',
      instances: ['a-giant'],
    })
    const failures = async () =>
      (
        (await api('member', 'GET', '/ext/v1/me/notifications')) as { items: { project: { name: string } }[] }
      ).items.filter((one) => one.project?.name === project).length
    await expect.poll(failures, { timeout: 20_000 }).toBe(2)
    expect(await shown()).toHaveLength(1)
  },
)

test('all tasks are on a page, whose filters are in its address', async ({ open, project, machine }) => {
  await machine('web', { start: true })
  const page = await open('member', `/projects/${project}/instances`)
  await tray(page).click()
  await panel(page).getByRole('link', { name: 'All tasks' }).click()
  const list = page.getByRole('main').getByRole('list', { name: 'Tasks' })
  await expect(list).toContainText(/instance web/)
  await page.getByRole('main').getByRole('combobox', { name: 'Kind' }).selectOption('Restores')
  await page.getByRole('main').getByRole('combobox', { name: 'State' }).selectOption('Running')
  await expect(page).toHaveURL(/kind=restoration/)
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await page.getByRole('main').getByRole('radio', { name: 'Everybody’s' }).click()
  await expect(page).toHaveURL(/whose=all/)
  await expect(list.getByRole('listitem').first()).toContainText('by ')
  expect(await findings(page)).toEqual([])
})

test('an operator sees the fleet’s tasks, and cancels an upload there', async ({ open, api }) => {
  const file_name = `gantry-${Date.now()}.zip`
  await api('admin', 'POST', '/ext/v1/system/update/uploads', { file_name, size: 9 })
  const page = await open('admin', '/tasks')
  await page.getByRole('radio', { name: 'The fleet’s' }).click()
  await page.getByLabel('Kind').selectOption('Repository uploads')
  const task = page.getByRole('list', { name: 'Tasks' }).getByRole('listitem').filter({ hasText: file_name })
  await expect(task).toContainText(`Uploading repository ${file_name}`)
  await expect(page).toHaveURL(/whose=fleet/)
  await task.getByRole('button', { name: 'Cancel' }).click()
  await expect(task).toContainText('Cancelled: upload repository')
  const member = await open('member', '/tasks')
  await expect(member.getByRole('radio', { name: 'The fleet’s' })).toBeHidden()
})

test(
  'the page of an object shows its own task that its state does not tell of',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project, machine, api }) => {
    await machine('web')
    await machine('other')
    const { id } = (await api('member', 'GET', `/v1/projects/${project}`)) as { id: string }
    const page = await open('viewer', `/projects/${project}/instances`)
    // A restore takes a moment only, so the answer tells of one.
    await page.route('**/ext/v1/tasks?**', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { items: object[] }
      const isAsked = new URL(route.request().url()).searchParams.get('object') === 'web'
      if (!isAsked) return route.fulfill({ response: answer })
      const running = {
        id: crypto.randomUUID(),
        kind: 'instance-restore',
        verb: 'restore',
        object: { kind: 'instance', id: crypto.randomUUID(), name: 'web' },
        count: 1,
        project: { id, name: project },
        silo: null,
        state: 'running',
        time_began: new Date().toISOString(),
        time_ended: null,
        by: { kind: 'user', id: null, name: 'mara' },
        is_mine: false,
        progress: { unit: 'objects', done: 1, running: 1, failed: 0, total: 2 },
        step: null,
        failure: null,
        actions: [],
      }
      await route.fulfill({ response: answer, json: { ...body, items: [running, ...body.items] } })
    })
    const own = page.getByRole('list', { name: 'In progress' })
    await page.goto(`/projects/${project}/instances/web/storage`)
    await expect(own).toContainText('web')
    await expect(own).toContainText('by mara')
    expect(await findings(page)).toEqual([])
    // It stays on all tabs of the page, and is not on that of another object.
    await page.getByRole('tab', { name: 'Snapshots' }).click()
    await expect(own).toBeVisible()
    const asked = page.waitForResponse(/\/ext\/v1\/tasks\?.*project=/)
    await page.goto(`/projects/${project}/instances/other/storage`)
    await asked
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('other')
    await expect(own).toBeHidden()
  },
)
