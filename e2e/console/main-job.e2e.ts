import { notOn, password, story } from '../support/target.ts'
import { chooseSilo, refresh } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

test(
  'a user creates an instance, types on its console, stops and deletes it, through a crash of the server',
  { ...story, ...notOn({ preview: 'kills the server, and needs two users at once' }) },
  async ({ gantry, open }) => {
    const page = await open('nobody', '/')
    await chooseSilo(page)
    await page.getByLabel('Username').fill('member')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()

    await page.getByRole('link', { name: 'playground' }).click()
    await expect(page.getByRole('heading', { name: 'Instances', exact: true })).toBeVisible()
    // Another user views the same list, and never reloads it.
    const watcher = await open('viewer', '/projects/playground/instances')
    await expect(watcher.getByText('No instances')).toBeVisible()

    await page.getByRole('link', { name: 'New instance', exact: true }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('web-1')
    await page.getByRole('combobox', { name: 'Image' }).click()
    await page.getByRole('option', { name: /alpine-3-22/ }).click()
    await page.getByRole('button', { name: 'Create instance' }).click()

    // It starts while both are watching.
    await expect(page.getByRole('heading', { name: /web-1/ })).toBeVisible()
    await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 15_000 })
    const row = watcher.getByRole('row', { name: /web-1/ })
    await expect(row).toContainText('Running', { timeout: 5000 })

    // The server is killed and restarted; nothing is lost and the pages reconnect.
    await gantry.kill('SIGKILL')
    await gantry.start()
    await refresh(page)
    await expect(page.getByText('Running', { exact: true }).first()).toBeVisible()

    await page.getByRole('button', { name: 'Instance actions' }).click()
    await page.getByRole('menuitem', { name: 'View serial console' }).click()
    await expect(page.getByText('Connected')).toBeVisible()
    const terminal = page.getByRole('application')
    await expect(terminal).toContainText('web-1 login:', { timeout: 15_000 })
    await page.keyboard.type('ada\n')
    await expect(terminal).toContainText('Password:')
    await page.keyboard.type('secret\n')
    await expect(terminal).toContainText('ada@web-1')
    await page.keyboard.type('nproc\n')
    await expect(terminal).toContainText(/nproc\s*2/)

    await page.getByRole('link', { name: /Back to/i }).click()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByText('Stopped', { exact: true }).first()).toBeVisible({ timeout: 10_000 })
    await expect(row).toContainText('Stopped')

    await page.getByRole('button', { name: 'Instance actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page).toHaveURL(/\/projects\/playground\/instances$/)
    await expect(page.getByText('No instances')).toBeVisible()
    await expect(row).toBeHidden()
  },
)
