import type { Page } from '@playwright/test'
import { press, tabTo } from '../support/keys.ts'
import { notifications, row } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

test('a pool can be created, given a range and deleted by keyboard alone', async ({ open, project }) => {
  test.setTimeout(180_000)
  const name = `keys-${project}`
  const digits = Number.parseInt(project.slice(-6), 16)
  const net = `10.${192 + (digits % 32)}.${(digits >> 8) % 256}`
  const page = await open('admin', '/system/networking/ip-pools')
  const begin = page.getByRole('link', { name: 'New IP pool' }).first()
  await press(page, begin)
  const create = page.getByRole('dialog', { name: 'Create IP pool' })
  await expect(create.getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(create).toBeHidden()
  await expect(begin).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(create.getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.type(`${name}\n`)
  await expect(notifications(page)).toContainText(`IP pool ${name} created`)

  await press(page, page.getByRole('link', { name, exact: true }))
  await press(page, page.getByRole('link', { name: 'Add range' }).first())
  const range = page.getByRole('dialog', { name: 'Add IP range' })
  await expect(range.getByLabel('First')).toBeFocused()
  await page.keyboard.type(`${net}.1`)
  await tabTo(page, range.getByLabel('Last'))
  await page.keyboard.type(`${net}.2\n`)
  await expect(row(page, `${net}.1`)).toContainText(`${net}.2`)

  // Arrow keys move between tabs and open them.
  await tabTo(page, page.getByRole('tab', { name: 'IP ranges' }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Linked silos' })).toBeFocused()
  await expect(page).toHaveURL(/\?tab=silos$/)
  await page.keyboard.press('ArrowLeft')
  await press(page, row(page, `${net}.1`).getByRole('button', { name: /^Actions for / }))
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Remove' })).toBeFocused()
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('button', { name: 'Confirm' }))
  await expect(page.getByRole('heading', { name: 'No IP ranges' })).toBeVisible()

  await press(page, page.getByRole('button', { name: 'IP pool actions' }))
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused()
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('button', { name: 'Confirm' }))
  await expect(notifications(page)).toContainText(`IP pool ${name} deleted`)
})

test('a sled can be taken out of placement and drained by keyboard alone', async ({ open, machine }) => {
  await machine('lit', { start: true })
  const page = await open('admin', '/system/inventory/sleds')
  const menu = row(page, 'GS-008').getByRole('button', { name: /^Actions for / })
  await press(page, menu)
  await typeAhead(page, 'make', 'Make not provisionable')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeVisible()
  await typeAhead(page, 'drain', 'Drain')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Drain sled' })
  await tabTo(page, dialog.getByRole('radio', { name: /^Move them/ }))
  await page.keyboard.press('ArrowDown')
  await expect(dialog.getByRole('radio', { name: 'Stop them' })).toBeChecked()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(menu).toBeFocused()

  // Focusing a name highlights sleds in the rack, like hovering.
  await tabTo(page, page.getByRole('tab', { name: 'Sleds' }))
  await page.keyboard.press('ArrowRight')
  const chip = page
    .getByRole('list', { name: /^Instances on / })
    .getByRole('button')
    .first()
  await tabTo(page, chip)
  await expect(page.locator('li[data-lit]').first()).toBeVisible()
})

/** Types the first letters of a menu item; on a slow machine they may come too far apart to count as one word. */
async function typeAhead(page: Page, letters: string, item: string): Promise<void> {
  await expect(async () => {
    await page.keyboard.type(letters)
    await expect(page.getByRole('menuitem', { name: item })).toBeFocused({ timeout: 2000 })
  }).toPass()
}
