import { confirm, notifications, row, rowAction, visit } from '../support/steps.ts'
import { findings } from '../support/checks.ts'
import { expect, test } from '../support/test.ts'
import { story } from '../support/target.ts'

const GiB = 1024 ** 3
const disk = (name: string) => ({
  type: 'create',
  name,
  description: '',
  size: GiB,
  disk_source: { type: 'blank', block_size: 512 },
})

test(
  'a member takes a snapshot of an instance, returns to it, makes another instance of it, and deletes it',
  story,
  async ({ open, api, project, machine }) => {
    await machine('web', { start: false, boot_disk: disk('web-boot'), disks: [disk('web-data')] })
    const page = await open('member', `/projects/${project}/instances`)
    await rowAction(page, 'web', 'Take snapshot')
    const take = page.getByRole('dialog', { name: 'Take snapshot' })
    await take.getByLabel('Name', { exact: true }).fill('before-upgrade')
    expect(await findings(page)).toEqual([])
    await take.getByRole('button', { name: 'Take snapshot' }).click()
    await expect(notifications(page)).toContainText('Instance snapshot before-upgrade created')
    await notifications(page).getByRole('link', { name: 'View snapshots' }).click()
    await expect(page).toHaveURL(/\/instances\/web\/snapshots$/)
    await expect(row(page, 'before-upgrade')).toContainText(/Ready.*The instance was stopped.*2 GiB/)

    await api('member', 'POST', `/v1/instances/web/disks/detach?project=${project}`, { disk: 'web-data' })
    await rowAction(page, 'before-upgrade', 'Restore')
    const restore = page.getByRole('dialog', { name: 'Restore instance' })
    await expect(restore).toContainText(/Returns to that point in time\s*web-boot/)
    await expect(restore).toContainText(/Is created again from its snapshot\s*web-data/)
    await expect(restore.getByRole('checkbox', { name: /Keep the present state/ })).toBeChecked()
    await restore.getByLabel('Name of that snapshot').fill('just-before')
    await restore.getByRole('button', { name: 'Restore' }).click()
    await expect(notifications(page)).toContainText('Restoring instance web')
    await expect(row(page, 'just-before')).toContainText('Ready')
    await visit(page, `/projects/${project}/instances/web/storage`)
    // The detached disk keeps its name.
    await expect(row(page, 'web-data-restored')).toContainText('Attached')

    await visit(page, `/projects/${project}/instance-snapshots`)
    const table = page.getByRole('table', { name: 'Instance snapshots' })
    const mine = table.getByRole('row', { name: /^Select before-upgrade/ })
    await mine.getByRole('button', { name: /^Actions for / }).click()
    await page.getByRole('menuitem', { name: 'Create instance' }).click()
    const create = page.getByRole('dialog', { name: 'Create instance from snapshot' })
    await create.getByLabel('Name', { exact: true }).fill('web-2')
    await create.getByRole('button', { name: 'Create instance' }).click()
    await expect(notifications(page)).toContainText('Instance web-2 created')

    await mine.getByRole('button', { name: /^Actions for / }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(page.getByRole('dialog')).toContainText('The snapshots of its disks are deleted with it')
    await confirm(page)
    await expect(mine).toBeHidden()
  },
)

test('a running instance is snapshotted as after a power cut, and is not restored in place', async ({
  open,
  project,
  machine,
}) => {
  await machine('busy', { start: true, boot_disk: disk('busy-boot') })
  const page = await open('member', `/projects/${project}/instances/busy/snapshots`)
  await expect(page.getByText('No instance snapshots')).toBeVisible()
  await page.getByRole('button', { name: 'Take snapshot' }).click()
  const take = page.getByRole('dialog', { name: 'Take snapshot' })
  await expect(take).toContainText('what a power cut would have left')
  await take.getByLabel('Name', { exact: true }).fill('live')
  await take.getByRole('button', { name: 'Take snapshot' }).click()
  await expect(row(page, 'live')).toContainText('As after a power cut')
  await rowAction(page, 'live', 'Restore')
  await expect(page.getByRole('dialog', { name: 'Restore instance' })).toContainText(
    'Stop the instance first',
  )
})

test('an instance snapshot has a page and tags, and holds the snapshots of its disks', async ({
  open,
  api,
  project,
  machine,
}) => {
  await machine('web', { start: false, boot_disk: disk('web-boot'), disks: [disk('web-data')] })
  const { id } = (await api('member', 'POST', `/ext/v1/instance-snapshots?project=${project}`, {
    name: 'nightly',
    description: '',
    instance: 'web',
  })) as { id: string }
  await api('member', 'PUT', `/ext/v1/tags/${id}?kind=instance-snapshot`, {
    tags: [{ key: 'keep', value: 'year' }],
  })
  const page = await open('member', `/projects/${project}/snapshots`)
  await page.getByRole('tab', { name: 'Instance snapshots' }).click()
  await page.getByRole('combobox', { name: 'Filter' }).fill('tag:keep=year')
  await page.keyboard.press('Enter')
  await row(page, 'nightly').getByRole('link', { name: 'nightly' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('nightly')
  await expect(page.getByRole('row', { name: /^nightly-web-data/ })).toContainText('1 GiB')
  await expect(page.getByRole('main')).toContainText('keepyear')
  expect(await findings(page)).toEqual([])
  await page.getByRole('tab', { name: 'Activity' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('instance snapshot nightly')

  await visit(page, `/projects/${project}/snapshots`)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await expect(
    page.getByRole('toolbar', { name: 'Selected snapshots' }).getByRole('button', { name: 'Delete' }),
  ).toHaveAccessibleDescription('Deleted with the instance snapshot that it belongs to')
  await api('member', 'POST', `/v1/snapshots?project=${project}`, {
    name: 'alone',
    description: '',
    disk: 'web-data',
  })
  await expect(row(page, 'alone')).toContainText('Ready')
  await page.getByRole('checkbox', { name: 'Select alone' }).click()
  await page
    .getByRole('toolbar', { name: 'Selected snapshots' })
    .getByRole('button', { name: 'Delete 1 of 3' })
    .click()
  await expect(page.getByRole('dialog')).toContainText(
    '2 of them are deleted only with instance snapshot nightly.',
  )
  await confirm(page)
  await expect(row(page, 'alone')).toBeHidden()
})
