import { readFile } from 'node:fs/promises'
import { notifications, row, rowAction, visit } from '../support/steps.ts'
import { findings } from '../support/checks.ts'
import { expect, test } from '../support/test.ts'

const GiB = 1024 ** 3
const disk = (name: string) => ({
  type: 'create',
  name,
  description: '',
  size: GiB,
  disk_source: { type: 'blank', block_size: 512 },
})

test('a member exports an instance, imports the file under another name, and learns why another file is refused', async ({
  open,
  project,
  machine,
}) => {
  await machine('web', { start: false, boot_disk: disk('web-boot'), disks: [disk('web-data')] })
  const page = await open('member', `/projects/${project}/instances`)
  await rowAction(page, 'web', 'Export')
  const dialog = page.getByRole('dialog', { name: 'Export instance' })
  await dialog.getByLabel('Name of the snapshot').fill('before-move')
  expect(await findings(page)).toEqual([])
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('web.tar')
  await expect(notifications(page)).toContainText('Downloading web.tar')
  const bytes = await readFile(await download.path())

  await page.getByRole('link', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Import instance' })).toBeVisible()
  expect(await findings(page)).toEqual([])
  const file = page.locator('input[type=file]')
  await file.setInputFiles({ name: 'note.tar', mimeType: 'application/x-tar', buffer: Buffer.alloc(2048, 7) })
  await expect(page.getByText(/no tar archive/)).toBeVisible()
  await page.getByRole('button', { name: 'Choose another file' }).click()
  await file.first().setInputFiles({ name: 'web.tar', mimeType: 'application/x-tar', buffer: bytes })
  await expect(page.getByText('web-data, 1 GiB')).toBeVisible()
  await expect(page.getByText('web-boot, 1 GiB, boot disk')).toBeVisible()
  expect(await findings(page)).toEqual([])
  await page.getByLabel('Name', { exact: true }).fill('web-moved')
  await page.getByRole('button', { name: 'Import instance' }).click()
  await expect(notifications(page)).toContainText('Importing instance web-moved')
  await expect(row(page, 'web-moved')).toContainText('Stopped')
  await visit(page, `/projects/${project}/instances/web-moved/storage`)
  await expect(page.getByRole('table').first()).toContainText('Attached')
})

test('a viewer exports and imports nothing', async ({ open, project, machine }) => {
  await machine('web', { start: false, boot_disk: disk('web-boot') })
  const page = await open('viewer', `/projects/${project}/instances-import`)
  await expect(page.getByRole('button', { name: 'Choose file' })).toBeDisabled()
})
