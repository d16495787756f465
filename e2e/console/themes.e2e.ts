import type { Page } from '@playwright/test'
import { refresh } from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const lightness = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const pixel = new OffscreenCanvas(1, 1).getContext('2d')!
    pixel.fillStyle = getComputedStyle(document.body).backgroundColor
    pixel.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = pixel.getImageData(0, 0, 1, 1).data
    return (red + green + blue) / 3
  })
const isDark = (page: Page) => expect.poll(() => lightness(page)).toBeLessThan(100)
const isLight = (page: Page) => expect.poll(() => lightness(page)).toBeGreaterThan(200)

async function chooseTheme(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitemradio', { name }).click()
}

test('the theme follows the system, until a user selects one permanently', story, async ({ open }) => {
  const page = await open('viewer', '/projects')
  await page.emulateMedia({ colorScheme: 'light' })
  await isLight(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await isDark(page)

  await chooseTheme(page, 'Light')
  await isLight(page)
  await refresh(page)
  await isLight(page)
  await page.getByRole('button', { name: 'User menu' }).click()
  await expect(page.getByRole('menuitemradio', { name: 'Light' })).toBeChecked()
  await page.keyboard.press('Escape')

  await page.emulateMedia({ colorScheme: 'light' })
  await chooseTheme(page, 'Dark')
  await isDark(page)
  await chooseTheme(page, 'System')
  await isLight(page)
})
