import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from '@playwright/test'
import { atRest, cutOff, findings, looks, sideways } from '../support/checks.ts'
import { screens } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'
import { furnishAll } from './furnish-all.ts'
import { overlays as ofAreas } from './overlays/overlays.gen.ts'
import type { Overlays } from './overlays/steps.ts'

const overlays: Overlays = Object.assign({}, ...ofAreas)
const sources = fileURLToPath(new URL('../../packages/console/src', import.meta.url))

/**
 * Components that show a dialog, form or panel; menus, pickers and docs are found on the screens themselves.
 */
const overlayPattern =
  /<(Modal|Dialog|SecretDialog|SideModal|SideForm|CreateForm|EditForm|DialogForm|ConfirmDialog|ViewPanel|Popover|Palette|Drawer)\b(?! =)|\? EditForm : CreateForm\b|\bconfirm(Action|Delete|Recycling)\(\{/g
/** Parts of overlays that are counted where they are used. */
const overlayParts = new Set([
  'kit/feedback/confirm.tsx',
  'kit/forms/DialogForm.tsx',
  'kit/forms/KindForms.tsx',
  'kit/forms/SideForm.tsx',
  'kit/page/ViewPanel.tsx',
  'shell/ConfirmSlot.tsx',
  'shell/Drawer.tsx',
  'shell/Palette.tsx',
])

/** Overlays that extend beyond the window and cannot be scrolled into view. */
const outside = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('dialog:modal, :popover-open')]
      .filter((overlay) => {
        const { left, top, right, bottom } = overlay.getBoundingClientRect()
        return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1
      })
      .map((overlay) => overlay.outerHTML.slice(0, 120)),
  )

/**
 * Checks the open overlay in every theme and width. A menu is hidden with its opener. False if a width hid the opener,
 * which then lost the focus.
 */
async function inspect(page: Page, name: string, shown: Locator, isMenu = false): Promise<boolean> {
  const isNarrow = (page.viewportSize()?.width ?? 0) < 1440
  let staysVisible = true
  for (const { theme, width, height } of looks) {
    // An overlay opened in a narrow window exists only there.
    if (isNarrow && width === 1440) continue
    const where = `${name}, ${theme}, ${width} wide`
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width, height })
    // A width can hide the opener, such as with the properties of an instance, once the page has followed it.
    await atRest(page)
    const anchor = page.locator('[aria-expanded=true]').last()
    if ((await anchor.count()) > 0) {
      // It may now be below the edge of the window.
      if (await anchor.isVisible()) await anchor.scrollIntoViewIfNeeded()
      else {
        staysVisible = false
        if (isMenu || !(await shown.isVisible())) continue
      }
    } else if (isMenu && width < 1440 && !(await shown.isVisible())) {
      // Phones do not have it, such as the columns of a list.
      staysVisible = false
      continue
    }
    await expect(shown, where).toBeVisible()
    await atRest(page)
    expect.soft(await findings(page, 'overlays'), `${where}: axe`).toEqual([])
    expect.soft(await outside(page), `${where}: outside of the window`).toEqual([])
    expect.soft(await sideways(page), `${where}: sideways scroll`).toBeLessThanOrEqual(0)
    expect.soft(await cutOff(page), `${where}: cut off at the edge`).toEqual([])
    if (process.env.GANTRY_PICTURES)
      await page.screenshot({
        path: `${process.env.GANTRY_PICTURES}/${where.replaceAll(/[ ,/]+/g, '-')}.png`,
      })
  }
  if (!isNarrow) await page.setViewportSize({ width: 1440, height: 900 })
  return staysVisible
}

/** Opens each picker that has not been checked yet, also those in a dialog. */
async function inspectPickers(page: Page, within: Locator, name: string, seen: Set<string>): Promise<void> {
  // The suggestions of a `datalist` are the browser's own.
  const pickers = within.getByRole('combobox').and(page.locator('input:enabled:not([list])'))
  for (let index = 0; index < (await pickers.count()); index++) {
    const picker = pickers.nth(index)
    const label = await nameOf(picker)
    if (seen.has(label) || !(await picker.isVisible())) continue
    seen.add(label)
    // A list that is always open, like the palette's, is part of its parent overlay.
    if ((await picker.getAttribute('aria-expanded')) === 'true') continue
    await picker.click()
    // The filter of a list offers something once there is text, and does not search for a field without a value.
    const isFilter = (await picker.getAttribute('type')) === 'search'
    if (isFilter) await picker.fill('name')
    await inspect(page, `${name}: ${label}`, page.getByRole('listbox'))
    await picker.press('Escape')
    await expect(page.getByRole('listbox')).toBeHidden()
    await expect(picker, `${name}: Escape closes only the list`).toBeFocused()
    if (isFilter) await picker.fill('')
  }
}

const nameOf = (element: Locator): Promise<string> =>
  element.evaluate(
    (node: HTMLElement) =>
      node.getAttribute('aria-label') ??
      ('labels' in node ? (node as HTMLInputElement).labels?.[0]?.textContent : undefined) ??
      node.textContent,
  )

test.describe.configure({ mode: 'parallel' })
// A test takes minutes, so a button that is not there must not wait until its end.
test.use({ actionTimeout: 30_000 })

test('every dialog and form of the console has an opening here', () => {
  const found = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('ui/') && !overlayParts.has(file))
    // The server's console has no preview, whose own test (e2e/console/preview.e2e.ts) checks its dialog.
    .filter((file) => !file.startsWith('preview/'))
    .map((file) => ({
      file,
      count: readFileSync(path.join(sources, file), 'utf8').match(overlayPattern)?.length ?? 0,
    }))
    .filter(({ count }) => count > 0)
  expect(found.length).toBeGreaterThan(50)
  const missing = found.filter(({ file, count }) => (overlays[file]?.length ?? 0) < count)
  expect(missing, 'places that show an overlay that is never opened').toEqual([])
  const files = new Set(found.map(({ file }) => file))
  expect(Object.keys(overlays).filter((file) => !files.has(file))).toEqual([])
})

/** The feature, or the part of the routes. */
const areaOf = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('routes/') ? 3 : 2)
    .join('/')
for (const area of new Set(Object.keys(overlays).map(areaOf))) {
  test(`every dialog and form of ${area} is accessible, fits, and returns the focus`, async ({
    open,
    project,
    api,
    gantry,
  }) => {
    test.setTimeout(900_000)
    const fill = await furnishAll({ api, project, gantry })
    const page = await open('admin', '/projects')
    page.on('dialog', (dialog) => void dialog.accept())
    const seen = new Set<string>()
    for (const [file, openings] of Object.entries(overlays)) {
      if (areaOf(file) !== area) continue
      for (const [path, title, ...steps] of openings) {
        await test.step(`${file}: ${String(title)}`, async () => {
          // What an earlier opening mocked.
          await page.unrouteAll()
          await page.goto(fill(path))
          const dialog = page.getByRole('dialog', { name: title }).last()
          for (const step of steps) await step(page)
          await expect(dialog).toBeVisible()
          const name = `${path.replace(/.*:project/, '')} ${await titleOf(dialog)}`
          const staysVisible = await inspect(page, name, dialog)
          await inspectPickers(page, dialog, name, seen)
          if (steps.length === 0 || title === 'Your session has ended') return
          const before = page.url()
          await page.keyboard.press('Escape')
          if (area !== 'features/images' || title !== 'Image upload progress') {
            await expect(dialog).toBeHidden()
            // A dialog that ends with another page, such as that of a new token, leaves no opener.
            const isElsewhere = page.url() !== before
            const returns = (await hasFocus(page)) || (isElsewhere && (await pageHasFocus(page)))
            if (staysVisible) expect.soft(returns, `${name}: the focus returns`).toBe(true)
          }
        })
      }
    }
  })
}

/** A control has the focus, not the page as a whole. */
const hasFocus = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.activeElement?.matches('a, button, input, textarea, select') ?? false)

/** The part of the page below the frame, as after following a link. */
const pageHasFocus = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.activeElement?.matches('main') ?? false)

const titleOf = (dialog: Locator): Promise<string> =>
  dialog.evaluate((node) => node.getAttribute('aria-label') ?? node.querySelector('h2')?.textContent ?? '')

/** Finds an opener again when others have come before it, such as the button of the columns of a list. */
async function mark(page: Page, opener: Locator): Promise<Locator> {
  await opener.evaluate((node) => {
    for (const former of document.querySelectorAll('[data-opener]')) former.removeAttribute('data-opener')
    node.setAttribute('data-opener', '')
  })
  return page.locator('[data-opener]')
}

for (const [area, ofArea] of Object.entries(screens)) {
  test(`every menu, panel and picker on the screens of ${area} is accessible, fits, and returns the focus`, async ({
    open,
    project,
    api,
    gantry,
  }) => {
    test.setTimeout(900_000)
    const fill = await furnishAll({ api, project, gantry })
    const page = await open('admin', '/projects')
    page.on('dialog', (dialog) => void dialog.accept())
    const seen = new Set<string>()
    for (const [screen, path, isSignedIn, shown] of ofArea) {
      if (!isSignedIn) continue
      await page.goto(fill(path))
      // The scene has rows in lists that may be empty elsewhere.
      const last = page.getByRole(shown[0], { name: shown[1] })
      await expect(last.or(page.getByRole('button', { name: /^Actions for / })).first()).toBeVisible()
      const modal = page.locator('dialog:modal')
      const within = (await modal.count()) > 0 ? modal.last() : page.locator('body')
      await isComplete(within)
      for (const opener of await openersIn(within)) {
        const label = await nameOf(opener)
        const table = await opener.evaluate((node) => node.closest('table')?.getAttribute('aria-label') ?? '')
        const kind = `${label} ${table}`
        if (seen.has(kind)) continue
        seen.add(kind)
        const overlay = page.locator('[role=menu]:popover-open, [role=dialog]:popover-open')
        await test.step(`${screen}: ${kind}`, async () => {
          const marked = await mark(page, opener)
          await opener.click()
          await inspect(page, `${screen}: ${kind}`, overlay, true)
          // Another width may have replaced it.
          const own = (await marked.count()) > 0 ? marked : opener
          // While a narrow window hid its opener, the focus was lost.
          if (!(await overlay.isVisible()) || !(await hasFocus(page))) {
            await page.keyboard.press('Escape')
            await own.click()
          }
          await page.keyboard.press('Escape')
          await expect(overlay).toBeHidden()
          await expect(own, `${screen}: ${kind} returns the focus`).toBeFocused()
        })
      }
      await inspectPickers(page, within, screen, seen)
    }
    // The sign-in pages have almost none; all others have the user menu, row menus and pickers.
    const signedIn = ofArea.filter(([, , isSignedIn]) => isSignedIn)
    const fewest = signedIn.length > ofArea.length / 2 ? 4 : 0
    expect(seen.size, [...seen].join(', ')).toBeGreaterThanOrEqual(fewest)
  })
}

/** Row menus arrive shortly after their rows, because pages load them late. */
async function isComplete(within: Locator): Promise<void> {
  let before = -1
  const isSame = async (): Promise<boolean> => {
    const now = await within.locator('[aria-haspopup], [role=combobox]').count()
    const same = now === before
    before = now
    return same
  }
  await expect.poll(isSame, { intervals: [300] }).toBe(true)
}

/** The buttons that open a menu or panel; one row stands for all rows of a table. */
async function openersIn(within: Locator): Promise<Locator[]> {
  const openers = await within.locator('[aria-haspopup]:visible').all()
  const isFirst = await Promise.all(
    openers.map((opener) =>
      opener.evaluate((node) => {
        const row = node.closest('tbody tr')
        return !row || row === row.parentElement?.querySelector('tr')
      }),
    ),
  )
  return openers.filter((_, index) => isFirst[index])
}
