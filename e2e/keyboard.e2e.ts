import { password } from './gantry.ts'
import { press, tabTo } from './keys.ts'
import { expect, test } from './test.ts'

test('the whole job is done by keyboard alone, and one always sees where one is', async ({
  page,
  gantry,
  project,
}) => {
  await page.goto(`${gantry.url}/`)
  await tabTo(page, page.getByLabel('Silo'))
  await page.keyboard.type('demo\n')
  await tabTo(page, page.getByLabel('Username'))
  await page.keyboard.type('member')
  await tabTo(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(`${password}\n`)

  await expect(page.getByRole('heading', { name: 'Projects' })).toBeVisible()
  await press(page, page.getByRole('link', { name: project }))
  await expect(page.getByText('No instances')).toBeVisible()
  await press(page, page.getByRole('link', { name: 'New Instance', exact: true }))

  await tabTo(page, page.getByLabel('Name', { exact: true }))
  await page.keyboard.type('by-hand')
  // Arrows choose among presets, and the picker filters what is typed.
  await tabTo(page, page.getByRole('radio', { name: /^2 CPU/ }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: /^4 CPU/ })).toBeChecked()
  await tabTo(page, page.getByRole('combobox', { name: 'Image' }))
  await page.keyboard.type('alp')
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Image' })).toHaveValue('alpine-3-22')
  await press(page, page.getByRole('button', { name: 'Create instance' }))

  await expect(page.getByRole('heading', { name: 'by-hand' })).toBeVisible()
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 15_000 })
  await press(page, page.getByRole('button', { name: 'Instance actions' }))
  await page.keyboard.type('view')
  await expect(page.getByRole('menuitem', { name: 'View serial console' })).toBeFocused()
  await page.keyboard.press('Enter')

  // The terminal has the focus as soon as it is connected.
  const terminal = page.getByRole('application')
  await expect(terminal).toContainText('by-hand login:', { timeout: 20_000 })
  await page.keyboard.type('ada\n')
  await expect(terminal).toContainText('Password:')
  await page.keyboard.type('secret\n')
  await expect(terminal).toContainText('ada@by-hand')
  await page.keyboard.type('nproc\n')
  await expect(terminal).toContainText(/nproc\s*4/)

  // Tab belongs to the shell; backwards leads out of the terminal.
  await page.keyboard.press('Tab')
  await expect(terminal.getByRole('textbox')).toBeFocused()
  const back = page.getByRole('link', { name: /^Back to/ })
  await expect(async () => {
    await page.keyboard.press('Shift+Tab')
    await expect(back).toBeFocused({ timeout: 100 })
  }).toPass()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'by-hand', exact: true })).toBeVisible()

  await press(page, page.getByRole('button', { name: 'Stop', exact: true }))
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await press(page, page.getByRole('button', { name: 'Confirm' }))
  await expect(page.getByText('Stopped', { exact: true }).first()).toBeVisible({ timeout: 15_000 })
  await press(page, page.getByRole('button', { name: 'Instance actions' }))
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused()
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('button', { name: 'Confirm' }))
  await expect(page.getByText('No instances')).toBeVisible()
})
