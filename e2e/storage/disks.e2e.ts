import type { Page } from '@playwright/test'
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
import { tabTo } from '../support/keys.ts'
import { scenesIn } from '../support/scenes.ts'
import type { Stage } from '../support/stage.ts'
import { expect, test } from '../support/test.ts'
import { notOn, story } from '../support/target.ts'

test(
  'a user creates blank and image disks, and sees which instances use them',
  story,
  async ({ open, project, machine }) => {
    await machine('box')
    const page = await open('member', `/projects/${project}/disks`)
    await expect(row(page, 'box-boot')).toContainText('Attached')
    await expect(row(page, 'box-boot').getByRole('link', { name: 'box', exact: true })).toHaveAttribute(
      'href',
      `/projects/${project}/instances/box/storage`,
    )
    await expect(page).toHaveTitle(/^Disks \/ /)

    await page.getByRole('link', { name: 'New disk', exact: true }).first().click()
    await expect(page).toHaveTitle(/^New disk \/ Disks \/ /)
    const panel = page.getByRole('dialog', { name: 'Create disk' })
    const name = panel.getByLabel('Name', { exact: true })
    const submit = panel.getByRole('button', { name: 'Create disk' })
    await submit.click()
    await expect(name).toHaveAccessibleDescription('Name is required')
    await name.fill('box-boot')
    await submit.click()
    await expect(name).toHaveAccessibleDescription('Disk name already exists')
    await name.fill('data')
    await panel.getByRole('radio', { name: '2048' }).check()
    const size = panel.getByRole('spinbutton', { name: 'Size' })
    await size.fill('')
    await submit.click()
    await expect(size).toHaveValue('')
    await expect(size).toHaveAccessibleDescription('Size is required')
    await size.fill('3')
    await submit.click()
    await expect(notifications(page)).toContainText('Disk data created')
    await expect(page).toHaveURL(new RegExp(`/projects/${project}/disks$`))
    await expect(row(page, 'data')).toContainText(/—.*3 GiB.*Detached/)

    await page.getByRole('link', { name: 'New disk', exact: true }).first().click()
    await name.fill('from-image')
    await panel.getByRole('radio', { name: 'Image' }).check()
    await submit.click()
    await expect(panel.getByRole('combobox', { name: 'Source image' })).toHaveAccessibleDescription(
      'Source image is required',
    )
    await choose(page, 'Source image', /alpine-3-22.*Silo image/)
    await submit.click()
    await expect(row(page, 'from-image')).toContainText('Detached')
  },
)

test('a user creates a local disk, which is not copied and does not grow', async ({ open, project }) => {
  const page = await open('member', `/projects/${project}/disks-new`)
  const panel = page.getByRole('dialog', { name: 'Create disk' })
  await panel.getByLabel('Name', { exact: true }).fill('scratch')
  await panel.getByRole('radio', { name: 'Local' }).check()
  await expect(panel.getByRole('radio', { name: 'Blank' })).toBeHidden()
  const size = panel.getByRole('spinbutton', { name: 'Size' })
  await size.fill('4000')
  await panel.getByRole('button', { name: 'Create disk' }).click()
  await expect(panel).toContainText('total size must fit on one physical disk')
  await size.fill('3')
  await panel.getByRole('button', { name: 'Create disk' }).click()
  await expect(row(page, 'scratch')).toContainText(/Detached\s*Local/)
  await openRowMenu(page, 'scratch')
  await expect(menuItem(page, 'Snapshot')).toHaveAccessibleDescription(/lives on one sled and is not copied/)
  await expect(menuItem(page, 'Grow')).toHaveAccessibleDescription(/fixed part of a physical disk/)
})

test('a user creates a read-only disk, which has the size of its image and is not copied', async ({
  open,
  project,
}) => {
  const page = await open('member', `/projects/${project}/disks-new`)
  const panel = page.getByRole('dialog', { name: 'Create disk' })
  await panel.getByLabel('Name', { exact: true }).fill('tools')
  await panel.getByRole('radio', { name: 'Image' }).check()
  await choose(page, 'Source image', /alpine-3-22.*Silo image/)
  const size = panel.getByRole('spinbutton', { name: 'Size' })
  await panel.getByRole('checkbox', { name: 'Read-only' }).check()
  const own = await size.inputValue()
  await size.fill('50')
  await panel.getByRole('button', { name: 'Create disk' }).click()
  await expect(size).toHaveAccessibleDescription(`A read-only disk has the size of its image (${own} GiB)`)
  await size.fill(own)
  await panel.getByRole('button', { name: 'Create disk' }).click()
  await expect(row(page, 'tools')).toContainText(/Detached\s*Read-only/)
  await openRowMenu(page, 'tools')
  for (const item of ['Snapshot', 'Create image'])
    await expect(menuItem(page, item)).toHaveAccessibleDescription(
      'A read-only disk holds what its source holds: use the source instead',
    )
  await expect(menuItem(page, 'Grow')).toHaveAccessibleDescription(
    'A read-only disk has the size of its source',
  )
})

test('a disk can be snapshotted with one click, and deleted once detached', async ({
  open,
  project,
  machine,
  api,
}) => {
  await machine('box')
  await scenesIn(api, project).disk('spare')
  const page = await open('member', `/projects/${project}/disks`)
  await rowAction(page, 'spare', 'Snapshot')
  await expect(notifications(page)).toContainText('Creating snapshot of disk spare')
  await expect(notifications(page)).toContainText(/Snapshot spare-[0-9a-f]{6} created/)
  await expect(notifications(page).getByRole('link', { name: 'View snapshots' })).toHaveAttribute(
    'href',
    `/projects/${project}/snapshots`,
  )

  await openRowMenu(page, 'box-boot')
  await expect(menuItem(page, 'Delete')).toHaveAccessibleDescription(
    'The disk must be detached before it can be deleted',
  )
  await page.keyboard.press('Escape')
  await rowAction(page, 'spare', 'Delete')
  await expect(page.getByRole('dialog', { name: 'Confirm delete disk' })).toContainText('spare')
  await confirm(page)
  await expect(notifications(page)).toContainText('Disk spare deleted')
  await expect(row(page, 'spare')).toBeHidden()

  await page.getByRole('link', { name: 'Snapshots', exact: true }).click()
  await expect(page.getByRole('row', { name: /\bspare-/ })).toContainText(/Deleted.*Ready/)
})

test('a snapshot or image that is deleted while the form is open is no longer selected', async ({
  open,
  project,
  api,
}) => {
  const scenes = scenesIn(api, project)
  await scenes.disk('data')
  for (const name of ['gone', 'stays']) {
    const { id } = await scenes.snapshot(name, 'data')
    await scenes.image(name, id)
  }
  const page = await open('member', `/projects/${project}/disks-new`)
  for (const [kind, field] of [
    ['snapshot', 'Source snapshot'],
    ['image', 'Source image'],
  ] as const) {
    await page.getByRole('radio', { name: kind }).check()
    await choose(page, field, /^gone/)
    await api('member', 'DELETE', `/v1/${kind}s/gone?project=${project}`)
    await expect(page.getByRole('combobox', { name: field })).toHaveValue('')
  }
})

test(
  'a faulted disk shows why, and can be deleted',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project, api }) => {
    await scenesIn(api, project).disk('broken')
    const page = await open('member', '/favicon.ico')
    // No simulated fault breaks a disk, so the response is mocked.
    await withoutFirstAnswers(page)
    await page.route('**/v1/disks?*', async (route) => {
      const response = await route.fetch()
      const list = (await response.json()) as { items: object[] }
      const failure = {
        code: 'storage',
        message: 'The bytes could not be made',
        next_step: 'Delete the disk and create it again.',
        time: '2026-11-21T12:00:00Z',
      }
      const items = list.items.map((disk) => ({ ...disk, state: { state: 'faulted' }, failure }))
      await route.fulfill({ response, json: { ...list, items } })
    })
    await visit(page, `/projects/${project}/disks`)
    const why = 'The bytes could not be made. Delete the disk and create it again.'
    const state = row(page, 'broken').getByRole('button', { name: 'Faulted' })
    await expect(state).toHaveAccessibleDescription(why)
    await tabTo(page, state)
    await expect(page.getByRole('tooltip')).toHaveText(why)
    await openRowMenu(page, 'broken')
    await expect(menuItem(page, 'Snapshot')).toHaveAccessibleDescription(
      'Only available when attached or detached',
    )
    await expect(menuItem(page, 'Delete')).toBeEnabled()
  },
)

const dismiss = (page: Page) => notifications(page).getByRole('button', { name: 'Dismiss notification' })

async function withTwoNotifications({
  open,
  project,
  api,
}: Pick<Stage, 'open' | 'api'> & { project: string }): Promise<Page> {
  await scenesIn(api, project).disk('data')
  const page = await open('member', `/projects/${project}/disks`)
  await rowAction(page, 'data', 'Snapshot')
  await expect(dismiss(page)).toHaveCount(2)
  return page
}

test('a notification that had the focus when a dialog closed still expires', async ({
  open,
  project,
  api,
}) => {
  const page = await withTwoNotifications({ open, project, api })
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('button', { name: 'Dismiss notification' }).first().focus()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(notifications(page)).toBeHidden({ timeout: 20_000 })
})

test('dismissing a notification moves the focus to the next one, and finally to the page', async ({
  open,
  project,
  api,
}) => {
  const page = await withTwoNotifications({ open, project, api })
  await dismiss(page).first().press('Enter')
  await expect(dismiss(page)).toHaveCount(1)
  await expect(dismiss(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(notifications(page)).toBeHidden()
  await expect(page.getByRole('main')).toBeFocused()
})

test('a viewer reads at every button why it is disabled', story, async ({ open, project, api }) => {
  const scenes = scenesIn(api, project)
  await scenes.disk('data')
  const { id } = await scenes.snapshot('snap', 'data')
  await scenes.image('disc', id)
  for (const [path, name, button, actions] of [
    ['disks', 'data', 'New disk', ['Edit', 'Snapshot', 'Delete']],
    ['snapshots', 'snap', 'New snapshot', ['Create image', 'Delete']],
    ['images', 'disc', 'Upload image', ['Promote', 'Delete']],
  ] as const) {
    const page = await open('viewer', `/projects/${project}/${path}`)
    await expect(row(page, name)).toBeVisible()
    await expect(page.getByRole('button', { name: button })).toBeDisabled()
    await openRowMenu(page, name)
    for (const action of actions) {
      await expect(menuItem(page, action)).toBeDisabled()
      await expect(menuItem(page, action)).toHaveAccessibleDescription(/role/i)
    }
    await expect(menuItem(page, 'Copy ID')).toBeEnabled()
  }
})
