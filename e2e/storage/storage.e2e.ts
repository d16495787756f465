import type { Page } from '@playwright/test'
import {
  choose,
  confirm,
  menuItem,
  notifications,
  openRowMenu,
  row,
  rowAction,
  withFleet,
} from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const GiB = 1024 ** 3
const blank = (name: string) => ({
  type: 'create',
  name,
  description: '',
  size: GiB,
  disk_source: { type: 'blank', block_size: 512 },
})

const bootDisk = (page: Page) => page.getByRole('table', { name: 'Boot disk' })
const otherDisks = (page: Page) => page.getByRole('table', { name: 'Additional disks' })

test(
  'disks of a running instance are snapshotted, detached and attached, and its boot disk stays',
  story,
  async ({ open, project, machine, api }) => {
    await machine('busy', { disks: [blank('busy-data')], start: true })
    const page = await open('member', `/projects/${project}/instances/busy`)
    await expect(page).toHaveURL(/\/busy\/storage$/)
    await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 15_000 })

    await rowAction(page, 'busy-data', 'Snapshot')
    await expect(notifications(page)).toContainText(/Snapshot busy-data-[0-9a-f]{6} created/)
    const { items } = (await api('member', 'GET', `/v1/snapshots?project=${project}`)) as {
      items: { name: string }[]
    }
    expect(items.map(({ name }) => name)).toEqual([expect.stringMatching(/^busy-data-[0-9a-f]{6}$/)])

    await rowAction(page, 'busy-data', 'Detach')
    await expect(page.getByRole('dialog', { name: 'Confirm detach disk' })).toContainText(
      'unmount the disk in the guest first',
    )
    await confirm(page)
    await expect(notifications(page)).toContainText('Disk busy-data detached')
    await expect(page.getByText('No other disks')).toBeVisible()

    await page.getByRole('button', { name: 'Attach existing disk' }).click()
    const attach = page.getByRole('dialog', { name: 'Attach disk' })
    await choose(page, 'Disk name', /busy-data/)
    await attach.getByRole('button', { name: 'Attach disk' }).click()
    await expect(notifications(page)).toContainText('Disk busy-data attached')
    await expect(row(page, 'busy-data')).toContainText('Attached')
    await expect(page.getByText('Running', { exact: true }).first()).toBeVisible()
  },
)

test('where the fleet cannot exchange disks of running instances, the page says so and offers to stop', async ({
  open,
  project,
  machine,
}) => {
  await machine('busy', { disks: [blank('busy-data')], start: true })
  const page = await open('member', `/projects/${project}/instances`)
  await withFleet(page, { is_simulated: true, lacks: ['live_disks'] })
  await page.goto(`/projects/${project}/instances/busy/storage`)
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 15_000 })
  const reason =
    'This installation can attach and detach disks of stopped instances only. Stop the instance first.'
  await openRowMenu(page, 'busy-data')
  await expect(menuItem(page, 'Detach')).toHaveAccessibleDescription(reason)
  await page.keyboard.press('Escape')
  const attach = page.getByRole('button', { name: 'Attach existing disk' })
  await attach.focus()
  await expect(page.getByRole('tooltip')).toContainText(reason)

  await page.getByRole('button', { name: 'Stop to attach' }).click()
  await expect(page.getByRole('dialog', { name: 'Confirm stop instance' })).toContainText('busy')
  await confirm(page)
  await expect(notifications(page)).toContainText('Stopping instance busy')
  await expect(attach).toBeEnabled({ timeout: 15_000 })
  await expect(page.getByRole('button', { name: 'Stop to attach' })).toHaveCount(0)
})

test('a user moves disks of a stopped instance, and changes its boot disk', async ({
  open,
  project,
  machine,
}) => {
  await machine('box', { disks: [blank('box-data')] })
  const page = await open('member', `/projects/${project}/instances/box/storage`)
  await openRowMenu(page, 'box-boot')
  await expect(menuItem(page, 'Detach')).toHaveAccessibleDescription(/must be unset as boot disk/)
  await page.keyboard.press('Escape')

  await rowAction(page, 'box-data', 'Detach')
  await expect(page.getByRole('dialog', { name: 'Confirm detach disk' })).toContainText('keeps its data')
  await confirm(page)
  await expect(notifications(page)).toContainText('Disk box-data detached')
  await expect(page.getByText('No other disks')).toBeVisible()

  await page.getByRole('button', { name: 'Attach existing disk' }).click()
  const attach = page.getByRole('dialog', { name: 'Attach disk' })
  await attach.getByRole('button', { name: 'Attach disk' }).click()
  await expect(attach.getByRole('combobox')).toHaveAccessibleDescription('Disk name is required')
  await choose(page, 'Disk name', /box-data/)
  await attach.getByRole('button', { name: 'Attach disk' }).click()
  await expect(notifications(page)).toContainText('Disk box-data attached')
  await expect(otherDisks(page)).toContainText('box-data')

  await page.getByRole('button', { name: 'Create disk' }).click()
  const create = page.getByRole('dialog', { name: 'Create disk' })
  await create.getByLabel('Name', { exact: true }).fill('box-data')
  await create.getByRole('button', { name: 'Create disk' }).click()
  await expect(create.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(
    'Disk name already exists',
  )
  await create.getByLabel('Name', { exact: true }).fill('box-more')
  await create.getByRole('spinbutton', { name: 'Size' }).fill('2')
  await create.getByRole('button', { name: 'Create disk' }).click()
  await expect(notifications(page)).toContainText('Disk box-more created')
  await expect(notifications(page)).toContainText('Disk box-more attached')
  await expect(row(page, 'box-more')).toContainText('Attached')

  await rowAction(page, 'box-boot', 'Unset as boot disk')
  await confirm(page)
  await expect(page.getByText('No boot disk set')).toBeVisible()
  await expect(page.getByText(/Set one of its disks as the boot disk/)).toBeVisible()
  await rowAction(page, 'box-more', 'Set as boot disk')
  await expect(page.getByRole('dialog', { name: 'Confirm set boot disk' })).toBeVisible()
  await confirm(page)
  await expect(bootDisk(page)).toContainText('box-more')
  await rowAction(page, 'box-boot', 'Set as boot disk')
  await expect(page.getByRole('dialog', { name: 'Confirm change boot disk' })).toContainText('stays attached')
  await confirm(page)
  await expect(bootDisk(page)).toContainText('box-boot')
  await expect(otherDisks(page)).toContainText('box-more')
})
