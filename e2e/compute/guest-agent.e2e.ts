import { expect, test } from '../support/test.ts'

test('a member reads what a guest reports, and sets a password in it', async ({ open, project, machine }) => {
  await machine('desk', { start: true })
  await machine('diskless', { start: true, disks: [], boot_disk: null })
  const page = await open('member', `/projects/${project}/instances/desk/connect`)
  const card = page.getByRole('region', { name: 'Guest agent' })
  await expect(card.getByRole('table', { name: /^Interfaces/ })).toContainText('127.0.0.1/8', {
    timeout: 30_000,
  })
  await expect(card.getByRole('table', { name: /^File systems/ })).toContainText('/boot/efi')
  await expect(card).toContainText('Reported by the guest')

  await card.getByRole('button', { name: 'Set password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set password in the guest' })
  await dialog.getByLabel('User in the guest').fill('no one')
  await dialog.getByLabel('New password').fill('pebble-quarry-lamp')
  await dialog.getByRole('button', { name: 'Set password' }).click()
  await expect(dialog).toContainText('The name must begin with a letter')
  await dialog.getByLabel('User in the guest').fill('stranger')
  await dialog.getByRole('button', { name: 'Set password' }).click()
  await expect(dialog).toContainText('reported by the guest: "user \'stranger\' does not exist"')
  await dialog.getByLabel('User in the guest').fill('root')
  await dialog.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('Password in desk set')).toBeVisible()

  await page.goto(page.url().replace('/desk/', '/diskless/'))
  await expect(card).toContainText('No guest agent runs in the guest', { timeout: 30_000 })
  await expect(card).toContainText('sudo apt install qemu-guest-agent')
  await expect(card.getByRole('button', { name: 'Set password' })).toHaveAttribute('aria-disabled', 'true')
})
