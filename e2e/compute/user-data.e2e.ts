import { findings } from '../support/checks.ts'
import { choose, notifications } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

test('user data are written in the form, checked, and sent as they are shown', async ({ open, project }) => {
  const page = await open('member', `/projects/${project}/instances-new`)
  await page.getByLabel('Name', { exact: true }).fill('seeded')
  await choose(page, 'Image', /alpine-3-22/)
  await page.getByText('Configuration', { exact: true }).click()
  const source = page.getByRole('radiogroup', { name: 'User Data' })
  await source.getByRole('radio', { name: 'Text' }).check()
  await page.getByRole('button', { name: 'Install packages' }).click()
  const editor = page.getByRole('textbox', { name: 'User data text' })
  await expect(editor).toContainText('package_update: true')
  // Another text replaces one that the user has not changed.
  await page.getByRole('button', { name: 'User with SSH key' }).click()
  await expect(editor).toContainText('ssh_authorized_keys')
  await editor.press('ControlOrMeta+End')
  await page.keyboard.type('packages: [curl')
  await expect(page.getByText(/^Line \d+, column \d+: /).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Run a script' })).toHaveAttribute('aria-disabled', 'true')
  expect(await findings(page)).toEqual([])
  await page.keyboard.type(']')
  await expect(page.getByText('cloud-init cannot read this cloud-config')).toBeHidden()
  // Tab leaves the editor, and a source that is not selected keeps its contents.
  await page.keyboard.press('Tab')
  await expect(editor).not.toBeFocused()
  await source.getByRole('radio', { name: 'File' }).check()
  await source.getByRole('radio', { name: 'Text' }).check()
  await expect(editor).toContainText('packages: [curl]')

  // Filling the editor at once would write style attributes, which no key does.
  const write = async (text: string): Promise<void> => {
    await editor.press('ControlOrMeta+a')
    await page.keyboard.insertText(text)
  }
  await write('#'.repeat(32 * 1024 + 1))
  await expect(page.getByText('32,769 of 32,768 bytes, 1 too many')).toBeVisible()
  const create = page.getByRole('button', { name: 'Create instance' })
  await create.click()
  await expect(page.getByRole('alert')).toContainText('Must be at most 32 KiB, which is 1 byte less')
  await write('#!/bin/sh')
  await page.keyboard.type('\nkey: [unclosed')
  await expect(page.getByText('cloud-init cannot read this cloud-config')).toBeHidden()
  await create.click()
  await expect(notifications(page)).toContainText('Instance seeded created')
})
