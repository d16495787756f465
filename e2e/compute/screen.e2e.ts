import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { menuItem, openRowMenu } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'
import { notOn, story } from '../support/target.ts'

const screen = (page: Page) => page.getByRole('application', { name: /^Screen of/ })
const isShown = async (page: Page) => {
  await expect(page.getByText('Connected', { exact: true })).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText('960 × 468')).toBeVisible({ timeout: 20_000 })
}

test(
  'a member works on the screen of an instance, and hands the keyboard to a colleague',
  { ...story, ...notOn({ preview: 'needs two users at once' }) },
  async ({ open, project, machine, api }) => {
    await machine('desk', { start: true })
    const printed = async () => {
      const path = `/v1/instances/desk/serial-console?project=${project}&most_recent=4000`
      const { data } = (await api('member', 'GET', path)) as { data: number[] }
      return Buffer.from(data).toString()
    }
    const prints = (words: string) => expect.poll(printed, { timeout: 20_000 }).toContain(words)

    const page = await open('member', `/projects/${project}/instances`)
    await openRowMenu(page, 'desk')
    await menuItem(page, 'View screen').click()
    await isShown(page)
    await expect(page.getByText('You have the keyboard.')).toBeVisible()
    await prints('login: ')
    await screen(page).click()
    await page.keyboard.type('ada\nsecret\n')
    await prints('ada@desk')

    // The keys of the page come back by Ctrl+Alt+G, and what is typed then goes nowhere.
    await page.keyboard.press('Control+Alt+g')
    await expect(screen(page)).not.toBeFocused()
    await page.keyboard.type('lost')

    await page.getByRole('button', { name: 'Paste as typing' }).click()
    const dialog = page.getByRole('dialog', { name: 'Paste as typing' })
    await dialog.getByRole('textbox', { name: 'Text' }).fill('echo "It’s (A_b)!"')
    await expect(dialog.getByText('A US keyboard has no key for ’')).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Text' }).fill('echo (A_b) {~}\n')
    await dialog.getByRole('button', { name: 'Type 15 keys' }).click()
    await prints('(A_b) {~}\r\n')
    expect(await printed()).not.toContain('lost')

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download screenshot' }).click()
    const image = await readFile(await (await download).path())
    expect([...image.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47])
    expect((await download).suggestedFilename()).toBe('desk-screen.png')

    const other = await open('admin', `/projects/${project}/instances/desk/screen`)
    await isShown(other)
    await expect(other.getByText(/has the keyboard\./)).toBeVisible()
    await expect(page.getByText(/ watches\.$/)).toBeVisible()
    await expect(other.getByRole('button', { name: 'Paste as typing' })).toBeDisabled()
    await screen(other).click()
    await other.keyboard.type('unheard')
    await other.getByRole('button', { name: 'Ask for the keyboard' }).click()
    await expect(other.getByText(/^You asked .* for the keyboard/)).toBeVisible()
    await page.getByRole('alert').getByRole('button', { name: 'Hand over' }).click()
    await expect(other.getByText('You have the keyboard.')).toBeVisible()
    await screen(other).click()
    await other.keyboard.type('echo from-other\n')
    await prints('\r\nfrom-other\r\n')
    expect(await printed()).not.toContain('unheard')

    await api('member', 'POST', `/v1/instances/desk/stop?project=${project}`)
    await expect(page.getByText('Only a running instance has a screen. Start it to see one.')).toBeVisible({
      timeout: 20_000,
    })
  },
)

test('a screen is typed on and left in one window, and can be given up', async ({
  open,
  project,
  machine,
  api,
}) => {
  await machine('solo', { start: true })
  const printed = async () => {
    const path = `/v1/instances/solo/serial-console?project=${project}&most_recent=4000`
    const { data } = (await api('member', 'GET', path)) as { data: number[] }
    return new TextDecoder().decode(Uint8Array.from(data))
  }
  const page = await open('member', `/projects/${project}/instances/solo/screen`)
  await isShown(page)
  await expect.poll(printed, { timeout: 20_000 }).toContain('login: ')
  await screen(page).click()
  await page.keyboard.type('bea')
  await expect.poll(printed).toContain('login: bea')
  await page.getByRole('button', { name: 'View only' }).click()
  await expect(page.getByText('Nobody has the keyboard.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Paste as typing' })).toBeDisabled()
  await page.getByRole('button', { name: 'Take the keyboard' }).click()
  await expect(page.getByText('You have the keyboard.')).toBeVisible()
  await page.keyboard.type('trix\n')
  await expect.poll(printed).toContain('login: beatrix\r\nPassword: ')
  await page.getByRole('button', { name: 'Keys' }).click()
  await page.getByRole('menuitem', { name: 'Ctrl Alt Delete' }).click()
  await expect.poll(printed, { timeout: 20_000 }).toMatch(/Password: \[ +0\.0.*login: $/s)
})

test('the screen and the serial console are used side by side', story, async ({ open, project, machine }) => {
  await machine('pair', { start: true })
  const page = await open('member', `/projects/${project}/instances/pair/screen`)
  await isShown(page)
  await page.getByRole('button', { name: 'Side by side' }).click()
  const beside = page.getByRole('region', { name: 'Serial console' })
  await expect(beside.getByText('Connected', { exact: true })).toBeVisible({ timeout: 20_000 })
  // What is typed on one is printed on both; the screen has stayed connected.
  await screen(page).click()
  await page.keyboard.type('ada\nsecret\n')
  await expect(beside.locator('.xterm-rows')).toContainText('ada@pair')
  const boxes = () => Promise.all([screen(page), beside].map((each) => each.boundingBox()))
  const [left, right] = await boxes()
  expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(right?.x ?? 0)
  await page.setViewportSize({ width: 390, height: 844 })
  const [above, below] = await boxes()
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0)
  await page.getByRole('button', { name: 'Close the serial console' }).click()
  await expect(beside).toBeHidden()
})
