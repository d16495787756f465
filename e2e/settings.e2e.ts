import { confirm, menuItem, notifications, openRowMenu, row, rowAction } from './steps.ts'
import { expect, test } from './test.ts'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2B1x0d5c5vJ1o0m1b2c3d4e5f6g7h8i9j0k1l2m3n4 ada@desk'

test('somebody finds who they are, and takes their id along', async ({ open }) => {
  const page = await open('member', '/projects')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'User menu' }).click()
  await menuItem(page, 'Settings').click()
  await expect(page.getByRole('heading', { name: 'Profile', exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/settings\/profile$/)
  await expect(page).toHaveTitle(/^Profile \/ Settings \/ /)
  await expect(page.getByRole('definition').filter({ hasText: 'member' })).toBeVisible()

  await page.getByRole('button', { name: 'Click to copy' }).first().click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  const me = await page.evaluate(async () => (await fetch('/v1/me')).json())
  expect(copied).toBe(me.id)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('ssh')
  await expect(page.getByRole('option', { name: 'SSH Keys' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'SSH Keys' })).toBeVisible()
})

test('somebody adds an SSH key, looks at it, copies it and deletes it', async ({ open, project }) => {
  const name = `key-${project.slice(2)}`
  const page = await open('viewer', '/settings/ssh-keys')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('link', { name: 'Add SSH key' }).first().click()
  const panel = page.getByRole('dialog', { name: 'Add SSH key' })
  await panel.getByRole('button', { name: 'Add SSH key' }).click()
  await expect(panel.getByLabel('Name', { exact: true })).toHaveAccessibleDescription('Name is required')
  await expect(panel.getByLabel('Public key')).toHaveAccessibleDescription('Public key is required')
  await panel.getByLabel('Name', { exact: true }).fill(name)
  await panel.getByLabel('Description').fill('at the desk')
  await panel.getByLabel('Public key').fill(key)
  await panel.getByRole('button', { name: 'Add SSH key' }).click()
  await expect(notifications(page)).toContainText(`SSH key ${name} created`)
  await expect(row(page, name)).toContainText('at the desk')

  await rowAction(page, name, 'Copy public key')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)

  await page.getByRole('link', { name, exact: true }).click()
  const view = page.getByRole('dialog', { name: 'View SSH key' })
  await expect(view.getByLabel('Public key')).toHaveValue(key)
  await expect(view.getByLabel('Public key')).toBeDisabled()
  await expect(page).toHaveTitle(/^View SSH Key \/ SSH Keys \/ Settings \/ /)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/settings\/ssh-keys$/)

  await page.getByRole('link', { name: 'Add SSH key' }).first().click()
  await panel.getByLabel('Name', { exact: true }).fill(name)
  await panel.getByLabel('Public key').fill(key)
  await panel.getByRole('button', { name: 'Add SSH key' }).click()
  await expect(panel.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(/already exists/)
  await panel.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Leave form' }).click()

  await openRowMenu(page, name)
  await menuItem(page, 'Delete').click()
  await expect(page.getByRole('dialog', { name: 'Confirm delete SSH key' })).toContainText(name)
  await confirm(page)
  await expect(notifications(page)).toContainText(`SSH key ${name} deleted`)
  await expect(row(page, name)).toBeHidden()
})

test('a key that is not there leads to the page that says so', async ({ open }) => {
  const page = await open('member', '/settings/ssh-keys/nobody-has-this/edit')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})
