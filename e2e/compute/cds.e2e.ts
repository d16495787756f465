import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isoFile } from '@gantry/api/storage/cd.fixtures'
import { choose, notifications, visit } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'
import { form, progress, submit } from '../support/upload-steps.ts'

test('a user installs an instance from a CD, ejects it, and inserts another', async ({ open, project }) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gantry-cds-'))
  const page = await open('member', `/projects/${project}/images`)
  try {
    for (const [name, bytes] of [
      ['installer', isoFile([0xef])],
      ['drivers', isoFile()],
    ] as const) {
      const file = path.join(folder, `${name}.iso`)
      fs.writeFileSync(file, bytes)
      await visit(page, `/projects/${project}/images-new`)
      await form(page).getByLabel('Name', { exact: true }).fill(name)
      await form(page).getByLabel('OS', { exact: true }).fill('Plan 9')
      await form(page).getByLabel('Version').fill('4')
      await form(page).locator('input[type=file]').setInputFiles(file)
      await submit(page).click()
      await progress(page).getByRole('button', { name: 'Done' }).click({ timeout: 60_000 })
    }
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
  await visit(page, `/projects/${project}/images/installer`)
  await expect(page.getByRole('main')).toContainText('It is a CD that boots by UEFI')

  await visit(page, `/projects/${project}/instances-new`)
  await page.getByLabel('Name', { exact: true }).fill('box')
  await page.getByRole('radio', { name: 'Installer' }).click()
  await choose(page, 'Installer CD', /installer/)
  await choose(page, 'Second CD', /drivers/)
  await page.getByLabel('Disk name').fill('system')
  await expect(page.getByRole('main')).toContainText(
    'Boots from the CD installer first, then from disk system. The CD drivers does not boot.',
  )
  await page.getByRole('button', { name: 'Create instance' }).click()
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 20_000 })

  await page.getByRole('tab', { name: 'Storage' }).click()
  const drives = page.getByRole('region', { name: 'CD drives' })
  await expect(drives).toContainText('Boots from the CD installer first, then from disk system.')
  await drives.getByRole('button', { name: 'Eject CD from drive 1' }).click()
  await expect(notifications(page)).toContainText('CD ejected')
  await expect(drives).toContainText('Boots from disk system. The CD drivers does not boot.')
  await drives.getByRole('button', { name: 'Change CD in drive 2' }).click()
  await choose(page, 'Image', /installer/)
  await page.getByRole('dialog', { name: 'Insert CD' }).getByRole('button', { name: 'Insert CD' }).click()
  await expect(drives).toContainText('Boots from the CD installer first, then from disk system.')
  await expect(drives).toContainText('Drive 1: empty')

  await page.getByRole('tab', { name: 'Settings' }).click()
  const hardware = page.getByRole('region', { name: 'Firmware and devices' })
  await expect(hardware).toContainText('UEFI')
  await hardware.getByRole('button', { name: 'Change firmware and devices' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change firmware and devices' })
  await expect(dialog).toContainText('this takes effect with its next start')
  await dialog.getByRole('radio', { name: 'e1000' }).click()
  await dialog.getByRole('button', { name: 'Change', exact: true }).click()
  const waiting = page.getByRole('button', { name: 'Take back: Hardware' })
  await waiting.click()
  await expect(waiting).toBeHidden()
})
