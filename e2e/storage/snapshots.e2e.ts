import {
  choose,
  confirm,
  menuItem,
  notifications,
  openRowMenu,
  row,
  rowAction,
  visit,
  withoutFirstAnswers,
} from '../support/steps.ts'
import { scenesIn } from '../support/scenes.ts'
import { expect, test } from '../support/test.ts'
import { notOn, story } from '../support/target.ts'

test(
  'a user snapshots a disk, creates an image from the snapshot, and deletes it',
  story,
  async ({ open, project, api }) => {
    await scenesIn(api, project).disk('data')
    const page = await open('member', `/projects/${project}/snapshots`)
    await expect(page.getByRole('heading', { name: 'No snapshots' })).toBeVisible()
    await page.getByRole('link', { name: 'New snapshot' }).first().click()
    const panel = page.getByRole('dialog', { name: 'Create snapshot' })
    await panel.getByRole('button', { name: 'Create snapshot' }).click()
    await expect(panel.getByRole('combobox', { name: 'Disk', exact: true })).toHaveAccessibleDescription(
      'Disk is required',
    )
    await panel.getByLabel('Name', { exact: true }).fill('monday')
    await choose(page, 'Disk', /^data/)
    await panel.getByRole('button', { name: 'Create snapshot' }).click()
    await expect(notifications(page)).toContainText('Snapshot monday created')
    await expect(row(page, 'monday')).toContainText(/data.*Ready.*1 GiB/)

    await rowAction(page, 'monday', 'Create image')
    const create = page.getByRole('dialog', { name: 'Create image from snapshot' })
    await expect(page).toHaveTitle(/^Create image from snapshot \/ Snapshots \/ /)
    const name = create.getByLabel('Name', { exact: true })
    await expect(name).toHaveValue('monday')
    await create.getByRole('button', { name: 'Create image' }).click()
    await expect(create.getByLabel('OS', { exact: true })).toHaveAccessibleDescription('OS is required')
    await create.getByLabel('OS', { exact: true }).fill('Plan 9')
    await create.getByLabel('Version').fill('4')
    await create.getByRole('button', { name: 'Create image' }).click()
    await expect(notifications(page)).toContainText('Image monday created')
    await expect(page).toHaveURL(new RegExp(`/projects/${project}/snapshots$`))

    await rowAction(page, 'monday', 'Create image')
    await create.getByLabel('OS', { exact: true }).fill('Plan 9')
    await create.getByLabel('Version').fill('5')
    await create.getByRole('button', { name: 'Create image' }).click()
    await expect(name).toHaveAccessibleDescription('Project image name already exists')
    await expect(create.getByRole('alert').first()).toContainText(/Request/)
    await create.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Leave form' }).click()

    await rowAction(page, 'monday', 'Delete')
    await confirm(page)
    await expect(notifications(page)).toContainText('Snapshot monday deleted')
    await expect(page.getByRole('heading', { name: 'No snapshots' })).toBeVisible()
  },
)

test(
  'actions that a snapshot in creation does not support are disabled',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project, api }) => {
    const scenes = scenesIn(api, project)
    await scenes.disk('data')
    await scenes.snapshot('slow', 'data')
    const page = await open('member', '/favicon.ico')
    await withoutFirstAnswers(page)
    await page.route('**/v1/snapshots?*', async (route) => {
      const response = await route.fetch()
      const list = (await response.json()) as { items: object[] }
      await route.fulfill({
        response,
        json: { ...list, items: list.items.map((snapshot) => ({ ...snapshot, state: 'creating' })) },
      })
    })
    await visit(page, `/projects/${project}/snapshots`)
    await openRowMenu(page, 'slow')
    await expect(menuItem(page, 'Create image')).toHaveAccessibleDescription('Only available when ready')
    await expect(menuItem(page, 'Delete')).toHaveAccessibleDescription('Only available when ready or faulted')
  },
)

test('a long list of snapshots is paged, and Next stays enabled while rows change', async ({
  open,
  project,
  api,
}) => {
  const scenes = scenesIn(api, project)
  await scenes.disk('data')
  for (let number = 1; number <= 53; number++)
    await scenes.snapshot(`snap-${String(number).padStart(2, '0')}`, 'data')
  const page = await open('viewer', `/projects/${project}/snapshots`)
  const next = page.getByRole('button', { name: 'Next' })
  await expect(row(page, 'snap-50')).toBeVisible()
  await expect(row(page, 'snap-51')).toBeHidden()
  await page.locator('#content').evaluate((pane) => pane.scrollTo({ top: 500 }))
  await next.click()
  await expect(row(page, 'snap-53')).toBeVisible()
  await expect(page.locator('tbody tr')).toHaveCount(3)
  await expect(next).toBeDisabled()
  expect(await page.locator('#content').evaluate(({ scrollTop }) => scrollTop)).toBe(0)
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(row(page, 'snap-01')).toBeVisible()

  // If the last row changes, Next stays enabled, also while its page is fetched.
  await expect(next).toBeEnabled()
  await page.route(
    ({ searchParams }) => searchParams.get('limit') === '1' && searchParams.has('page_token'),
    () => undefined,
  )
  await api('member', 'DELETE', `/v1/snapshots/snap-10?project=${project}`)
  await expect(row(page, 'snap-51')).toBeVisible()
  await expect(next).toBeEnabled()
})
