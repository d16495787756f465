import fs from 'node:fs/promises'
import { asFleetViewer } from '../support/fleet-steps.ts'
import { confirm, menuItem, notifications, visit } from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

test(
  'an operator collects a support bundle, downloads it and a file of it, and deletes it',
  story,
  async ({ open }) => {
    const page = await open('admin', '/system')
    await page
      .getByRole('navigation', { name: 'Sidebar' })
      .getByRole('link', { name: 'Support bundles' })
      .click()
    await page.getByRole('link', { name: 'New support bundle' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create support bundle' })
    const comment = form.getByRole('textbox', { name: /Comment/ })
    const submit = form.getByRole('button', { name: 'Create support bundle' })
    await comment.fill('é'.repeat(2049))
    await submit.click()
    await expect(comment).toHaveAccessibleDescription(/User comment cannot exceed 4096 bytes/)
    await comment.fill('disks are slow since Monday')
    await submit.click()
    await expect(notifications(page)).toContainText(/Support bundle [0-9a-f]{8} is being collected/)

    const made = page.getByRole('row', { name: /disks are slow since Monday/ }).first()
    await expect(made).toContainText('Ready', { timeout: 30_000 })
    await made.getByRole('link').first().click()
    await expect(page.getByRole('heading', { name: /^Support bundle [0-9a-f]{8}$/ })).toBeVisible()

    const download = async (name: string) => {
      const began = page.waitForEvent('download')
      await page.getByRole('button', { name, exact: true }).click()
      const file = await began
      return { name: file.suggestedFilename(), bytes: await fs.readFile(await file.path()) }
    }
    const archive = await download('Download')
    expect(archive.name).toMatch(/^support-bundle-[0-9a-f-]{36}\.zip$/)
    expect(archive.bytes.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04')
    expect(archive.bytes.includes('manifest.json')).toBe(true)
    const versions = await download('Download versions.json')
    expect(versions.name).toBe('versions.json')
    expect(JSON.parse(versions.bytes.toString())).toMatchObject({
      database: expect.stringMatching(/^PostgreSQL/),
    })

    await page.getByRole('button', { name: 'Support bundle actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit comment' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit support bundle' })
    await edit.getByRole('textbox', { name: /Comment/ }).fill('disks are fast again')
    await edit.getByRole('button', { name: 'Update support bundle' }).click()
    await expect(page.getByText('disks are fast again')).toBeVisible()

    await page.getByRole('button', { name: 'Support bundle actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
    await confirm(page)
    await expect(page).toHaveURL(/\/system\/support-bundles$/)
    await expect(notifications(page)).toContainText(/Support bundle [0-9a-f]{8} is being deleted/)
    await expect(page.getByRole('row', { name: /disks are fast again/ })).toHaveCount(0)
  },
)

test('a viewer downloads bundles, and learns who may delete them', async ({ open, api }) => {
  const base = '/experimental/v1/system/support-bundles'
  const { id } = (await api('admin', 'POST', base, { user_comment: 'for the viewer' })) as { id: string }
  await asFleetViewer(api, 'petra', async () => {
    const page = await open('petra', `/system/support-bundles/${id}`)
    await expect(page.getByRole('button', { name: 'Download versions.json' })).toBeVisible({
      timeout: 30_000,
    })
    await page.getByRole('button', { name: 'Support bundle actions' }).click()
    await expect(menuItem(page, 'Delete')).toBeDisabled()
    await page.keyboard.press('Escape')
    await visit(page, '/system/support-bundles')
    await expect(page.getByRole('button', { name: 'New support bundle' })).toBeDisabled()
  })
  await api('admin', 'DELETE', `${base}/${id}`)
})
