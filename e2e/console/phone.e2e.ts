import type { Locator, Page } from '@playwright/test'
import { scenesIn } from '../support/scenes.ts'
import { choose, row } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

/** Narrow screens, and a finger in place of a mouse. */

const phone = { width: 360, height: 480 }

/** A device without a mouse. */
async function fingerOn(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  return {
    async tap(wanted: Locator | { x: number; y: number }) {
      const point = 'x' in wanted ? wanted : await centre(wanted)
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    },
    /** Scrolls down by a finger that starts on the element. */
    async scroll(from: Locator) {
      const { x, y } = await centre(from)
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
      for (const up of [20, 60, 100, 140])
        await devtools.send('Input.dispatchTouchEvent', {
          type: 'touchMove',
          touchPoints: [{ x, y: y - up }],
        })
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    },
  }
}

/** Of the first line of a text: between two lines there is a gap. */
const centre = (element: Locator) =>
  element.evaluate((wanted) => {
    const [line] = wanted.getClientRects()
    return line ? { x: line.x + line.width / 2, y: line.y + line.height / 2 } : { x: 0, y: 0 }
  })

/** Whether a press this far above and below the middle of an element still hits it. */
const isHit = (element: Locator, distance: number) =>
  element.evaluate((wanted, by) => {
    const box = wanted.getBoundingClientRect()
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    return [y - by, y, y + by].every((each) => wanted.contains(document.elementFromPoint(x, each)))
  }, distance)

const tips = (page: Page) => page.getByRole('tooltip')

test('a tooltip opens on a tap, and closes with the next one and with a scroll', async ({
  open,
  project,
  api,
}) => {
  const scenes = scenesIn(api, project)
  await scenes.disk('data')
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const text = (name: string) => `${name}: before the upgrade of the database to the next major version`
  for (const name of names) await scenes.snapshot(name, 'data', text(name))
  const page = await open('member', `/projects/${project}/snapshots`)
  // Two rows fit below the filters, which move the rows when they arrive.
  await page.setViewportSize({ ...phone, height: 740 })
  await expect(page.getByRole('button', { name: 'Columns' })).toBeVisible()
  const finger = await fingerOn(page)
  const cut = (name: string) => page.getByText(new RegExp(`^${name}: .*…$`))

  await finger.tap(cut('a'))
  await expect(tips(page)).toHaveText(text('a'))
  await finger.tap(cut('b'))
  await expect(tips(page)).toHaveText(text('b'))
  await finger.tap(page.getByRole('heading', { name: 'Snapshots', exact: true }))
  await expect(tips(page)).toHaveCount(0)

  await finger.tap(cut('b'))
  await expect(tips(page)).toHaveText(text('b'))
  // From the element itself, whose own press does not close it.
  await finger.scroll(cut('b'))
  await expect.poll(() => page.getByRole('main').evaluate((pane) => pane.scrollTop)).toBeGreaterThan(50)
  await expect(tips(page)).toHaveCount(0)
})

test('a tap outside a dialog closes it while a tooltip is open', async ({ open, project }) => {
  const page = await open('member', `/projects/${project}/vpcs/default/firewall-rules-new`)
  const form = page.getByRole('dialog', { name: 'Add firewall rule' })
  const finger = await fingerOn(page)
  const clear = form.getByRole('button', { name: 'Clear' }).first()
  await clear.scrollIntoViewIfNeeded()
  await finger.tap(clear)
  await expect(tips(page)).toBeVisible()
  await finger.tap({ x: 40, y: 300 })
  await expect(form).toBeHidden()
})

test('the navigation closes over another page, however it was reached', async ({ open, project }) => {
  const page = await open('admin', '/projects')
  await page.setViewportSize(phone)
  await page.getByRole('link', { name: project }).click()
  await expect(page.getByRole('heading', { name: 'Instances', exact: true })).toBeVisible()
  const drawer = page.getByRole('dialog', { name: 'Navigation' })
  const openDrawer = () => page.getByRole('button', { name: 'Open navigation' }).click()

  await openDrawer()
  await drawer.getByRole('link', { name: 'Disks', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Disks', exact: true })).toBeVisible()
  await expect(drawer).toBeHidden()

  await openDrawer()
  await expect(drawer).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Instances', exact: true })).toBeVisible()
  await expect(drawer).toBeHidden()
  await page.goForward()
  await expect(page.getByRole('heading', { name: 'Disks', exact: true })).toBeVisible()
  await expect(drawer).toBeHidden()

  // A link to the page itself closes it as well.
  await openDrawer()
  await drawer.getByRole('link', { name: 'Disks', exact: true }).click()
  await expect(drawer).toBeHidden()

  await openDrawer()
  await drawer.getByRole('button', { name: 'Switch between system and silo' }).click()
  await page.getByRole('menuitem', { name: 'System' }).click()
  await expect(page).toHaveURL(/\/system$/)
  await expect(drawer).toBeHidden()
})

test('a long name without a page is shown whole in a list', async ({ open, project, api }) => {
  const long = `a-${'b'.repeat(61)}`
  await scenesIn(api, project).disk(long)
  const page = await open('member', `/projects/${project}/disks`)
  await page.setViewportSize(phone)
  const name = row(page, long).getByRole('cell', { name: long, exact: true })
  await expect(name).toBeVisible()
  expect(await name.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBe(0)
})

test('a card leaves out what its row lacks', async ({ open }) => {
  const page = await open('admin', '/system/audit-log?operation=login_local')
  const signedIn = row(page, 'Login local').first()
  await expect(signedIn.getByText('—')).toBeVisible()
  await page.setViewportSize(phone)
  await expect(signedIn.getByText('—')).toBeHidden()
  // Only what follows on the card is separated from what is before it.
  const dots = await signedIn
    .getByRole('cell', { includeHidden: true })
    .evaluateAll((cells) =>
      cells
        .filter((cell) => getComputedStyle(cell).display !== 'none')
        .map((cell) => getComputedStyle(cell, '::after').content),
    )
  expect(dots.filter((content) => content !== 'none')).toEqual(['" ·"'])
})

test('a long image name ends before the facts beside it', async ({ open, project, api }) => {
  const long = `a-${'b'.repeat(61)}`
  const scenes = scenesIn(api, project)
  await scenes.disk('data')
  await scenes.image(long, (await scenes.snapshot('snap', 'data')).id)
  const page = await open('member', `/projects/${project}/instances-new`)
  await page.setViewportSize(phone)
  await page.getByRole('radio', { name: 'Project images' }).check()
  await choose(page, 'Image', new RegExp(`^${long}`))
  const nameEnd = await page
    .getByRole('combobox', { name: 'Image' })
    .evaluate((box) => box.getBoundingClientRect().right - parseFloat(getComputedStyle(box).paddingRight))
  expect(nameEnd).toBeGreaterThan(100)
  const facts = (await page.getByText('Plan 9 4 · 1 GiB').boundingBox())!
  expect(facts.x).toBeGreaterThanOrEqual(Math.floor(nameEnd))
})

test('the palette keeps room for a name beside a long project', async ({ open, project, api, machine }) => {
  await machine('needle')
  const long = `${project}-${'x'.repeat(62 - project.length)}`
  await api('admin', 'PUT', `/v1/projects/${project}`, { name: long })
  const page = await open('member', `/projects/${long}/disks`)
  await page.setViewportSize(phone)
  await page.getByRole('button', { name: /Jump to/ }).click()
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused()
  await page.keyboard.type('needle')
  const label = page.getByRole('option', { name: `needle ${long}` }).getByText('needle')
  await expect(label).toBeVisible()
  const shown = await label
    .locator('..')
    .evaluate(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth])
  expect(shown[0]).toBe(shown[1])
  await api('admin', 'PUT', `/v1/projects/${long}`, { name: project })
})

test('controls are large enough for a mouse and for a finger', async ({ open, project, machine }) => {
  await machine('box')
  const page = await open('member', `/projects/${project}/instances`)
  await page.setViewportSize({ width: 1100, height: 800 })
  const head = page.getByRole('columnheader', { name: 'Name' }).getByRole('button')
  const menu = page.getByRole('button', { name: 'User menu' })
  const jump = page.getByRole('button', { name: /Jump to/ })
  const palette = page.getByRole('dialog', { name: 'Jump to' })
  const dismiss = palette.getByRole('button', { name: 'Dismiss' })
  const height = async (element: Locator) => (await element.boundingBox())!.height

  expect(await isHit(head, 11.5)).toBe(true)
  await jump.click()
  expect(await height(dismiss)).toBeGreaterThanOrEqual(24)
  await page.keyboard.press('Escape')
  await expect(palette).toBeHidden()

  await fingerOn(page)
  await expect.poll(() => height(menu)).toBeGreaterThanOrEqual(44)
  expect(await height(jump)).toBeGreaterThanOrEqual(44)
  expect(await isHit(head, 21.5)).toBe(true)
  await jump.click()
  expect(await height(dismiss)).toBeGreaterThanOrEqual(44)
})
