import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { asFleetViewer } from '../support/fleet-steps.ts'
import { menuItem, notifications, visit } from '../support/steps.ts'
import { notOn } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const program = path.resolve(import.meta.dirname, '../../packages/server/dist/gantry.js')

/** Releases of a publisher of this test, made by the program's own command. */
async function releases(folder: string, versions: readonly string[]): Promise<string> {
  for (const version of versions)
    await promisify(execFile)(process.execPath, [program, 'sample', version, '--out', folder])
  return fs.readFile(path.join(folder, 'root.json'), 'utf8')
}

test(
  'an upload of a release that waits for the server can be stopped, and discarded later',
  notOn({ preview: 'intercepts requests, which the preview does not send' }),
  async ({ open }) => {
    const page = await open('admin', '/system/update-upload')
    await page.route(/\/update\/uploads\/.*offset=/, (route) => route.fulfill({ status: 502 }))
    const form = page.getByRole('dialog', { name: 'Upload release' })
    const file = { name: 'slow.zip', mimeType: 'application/zip', buffer: Buffer.from('no archive') }
    await form.getByLabel('Repository').setInputFiles(file)
    await form.getByRole('button', { name: 'Upload release' }).click()
    const uploads = page.getByRole('region', { name: 'Uploads' })
    await expect(uploads).toContainText('Waiting for the server: slow.zip, 0 %')
    await uploads.getByRole('button', { name: 'Stop' }).click()
    await expect(uploads).toContainText('The server has 0 % of slow.zip')
    await expect(notifications(page)).not.toContainText('stopped')
    await uploads.getByRole('button', { name: 'Discard' }).click()
    const dialog = page.getByRole('dialog', { name: 'Discard upload' })
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await expect(uploads).toHaveCount(0)
  },
)

test(
  'an operator adds a trust root, uploads a release, and updates the rack to it',
  notOn({ preview: 'runs the command line' }),
  async ({ open, api }, info) => {
    test.setTimeout(600_000)
    const folder = info.outputPath('releases')
    const root = await releases(folder, ['7.0.0'])
    const page = await open('admin', '/system')
    await page
      .getByRole('navigation', { name: 'Sidebar' })
      .getByRole('link', { name: 'System Update' })
      .click()
    await expect(page.getByRole('heading', { name: 'System Update' })).toBeVisible()

    const upload = async (file: { name: string; mimeType: string; buffer: Buffer } | string) => {
      await page.getByRole('link', { name: 'Upload release' }).click()
      const form = page.getByRole('dialog', { name: 'Upload release' })
      await form.getByLabel('Repository').setInputFiles(file)
      await form.getByRole('button', { name: 'Upload release' }).click()
    }
    const archive = path.join(folder, 'gantry-7.0.0.zip')
    await upload({ name: 'holiday.zip', mimeType: 'application/zip', buffer: Buffer.from('no archive') })
    const refused = page.getByRole('alert').filter({ hasText: 'holiday.zip was refused' })
    await expect(refused).toContainText('not a zip archive', { timeout: 120_000 })
    await refused.getByRole('button', { name: 'Discard' }).click()
    await page
      .getByRole('dialog', { name: 'Discard upload' })
      .getByRole('button', { name: 'Discard' })
      .click()
    await expect(refused).toHaveCount(0)

    // Its publisher is unknown so far.
    await upload(archive)
    const unknown = page.getByRole('alert').filter({ hasText: 'gantry-7.0.0.zip was refused' })
    await expect(unknown).toContainText(/trust root/, { timeout: 120_000 })
    await unknown.getByRole('button', { name: 'Discard' }).click()
    await page
      .getByRole('dialog', { name: 'Discard upload' })
      .getByRole('button', { name: 'Discard' })
      .click()

    await page.getByRole('link', { name: 'Add trust root' }).click()
    const form = page.getByRole('dialog', { name: 'Add trust root' })
    await form.getByLabel('Root role').fill('{"signed": ')
    await form.getByRole('button', { name: 'Add trust root' }).click()
    await expect(form.getByLabel('Root role')).toHaveAccessibleDescription(/must be a JSON document/)
    await form.getByLabel('Root role').fill(root)
    await form.getByRole('button', { name: 'Add trust root' }).click()
    await expect(notifications(page)).toContainText('Trust root added')

    await upload(archive)
    const release = page.getByRole('listitem').filter({ hasText: '7.0.0' })
    await expect(release).toContainText('gantry-7.0.0.zip', { timeout: 120_000 })
    await page.getByRole('button', { name: '7.0.0 actions' }).click()
    await page.getByRole('menuitem', { name: 'Set as target release' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set target release' })
    await expect(dialog).toContainText('its instances move to other sleds')
    await dialog.getByRole('button', { name: 'Set target release' }).click()
    await expect(notifications(page)).toContainText('Target release updated')
    await expect(release).toContainText('Target')
    await page.getByRole('button', { name: '7.0.0 actions' }).click()
    await expect(menuItem(page, 'Set as target release')).toBeDisabled()
    await page.keyboard.press('Escape')

    const first = page.getByRole('table', { name: 'Components' }).getByRole('row', { name: /GS-001/ })
    await expect(first).toContainText('Current', { timeout: 120_000 })
    await page.getByRole('button', { name: 'Suspend update' }).click()
    await page
      .getByRole('dialog', { name: 'Suspend update' })
      .getByRole('button', { name: 'Suspend update' })
      .click()
    await expect(page.getByText('The update is suspended')).toBeVisible()
    await page.getByRole('button', { name: 'Resume update' }).click()
    await page
      .getByRole('dialog', { name: 'Resume update' })
      .getByRole('button', { name: 'Resume update' })
      .click()
    await expect(page.getByText('The update is suspended')).toHaveCount(0)
    // Tests of sleds follow on the same server.
    await api('admin', 'POST', '/ext/v1/system/update/suspend')
  },
)

test('a viewer follows the update, and learns who may change it', async ({ open, api }) => {
  await asFleetViewer(api, 'petra', async () => {
    const page = await open('petra', '/system/update')
    await expect(page.getByRole('table', { name: 'Components' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Upload release' })).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Add trust root' })).toBeDisabled()
    await visit(page, '/system/update-upload')
    await expect(page.getByRole('button', { name: 'Upload release' }).last()).toBeDisabled()
  })
})
