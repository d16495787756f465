import { Gantry } from '../support/gantry.ts'
import { furnishPictures, pictures } from './pictures.ts'
import { still } from './still.ts'
import { expect, test as base } from '../support/test.ts'

const test = base.extend<object, { gantry: Gantry }>({
  gantry: [
    // A separate server, so that no other test leaves anything on it.
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape
    async ({}, use) => {
      const gantry = await new Gantry().start()
      await use(gantry)
      await gantry.remove()
    },
    { scope: 'worker' },
  ],
})
test.use({ timezoneId: 'UTC', locale: 'en-US' })

const sizes = {
  wide: { width: 1440, height: 900 },
  narrow: { width: 360, height: 740 },
}
type Size = keyof typeof sizes

/**
 * Browsers render the edges of letters slightly differently (docs/measurements/pictures.md). A moved element
 * differs strongly in few pixels, and a repainted one slightly in many, so both are measured.
 */
const tolerances = {
  moved: { threshold: 0.3, wide: 300, narrow: 120 },
  painted: { threshold: 0.1, wide: 3600, narrow: 1200 },
}
const tolerance = (kind: keyof typeof tolerances, size: Size, isAllLetters = false) => ({
  threshold: tolerances[kind].threshold,
  maxDiffPixels: tolerances[kind][size] * (isAllLetters ? 4 : 1),
})

test('the main screens match their reference pictures in both themes', async ({ open, api }) => {
  test.setTimeout(900_000)
  await furnishPictures(api)
  const page = await open('admin', '/projects')
  const stranger = await open('nobody', '/login')
  // Relative times must not update after they were replaced.
  for (const each of [page, stranger]) await each.clock.setFixedTime(new Date())
  for (const { name, path, isStranger, shown, steps = [], isNarrowToo, isAllLetters } of pictures) {
    const viewer = isStranger ? stranger : page
    await viewer.setViewportSize(sizes.wide)
    await viewer.goto(path)
    await viewer.mouse.move(0, 0)
    for (const step of steps) await step(viewer)
    for (const size of isNarrowToo ? (['wide', 'narrow'] as const) : (['wide'] as const)) {
      await viewer.setViewportSize(sizes[size])
      for (const theme of ['light', 'dark'] as const) {
        await viewer.emulateMedia({ colorScheme: theme })
        await expect(viewer.getByRole(shown[0], { name: shown[1] }).first()).toBeVisible()
        await still(viewer)
        for (const kind of ['moved', 'painted'] as const)
          await expect.soft(viewer).toHaveScreenshot(`${name}-${size}-${theme}.png`, {
            ...tolerance(kind, size, isAllLetters),
            // Forecasts name a later day each day.
            mask: [viewer.getByText(/^At the pace of the last/)],
            maskColor: 'gray',
          })
      }
    }
  }
})

const changes: Record<keyof typeof tolerances, (button: HTMLElement) => void> = {
  moved: (button) => void (button.style.translate = '3px'),
  painted: (button) => void (button.style.filter = 'hue-rotate(60deg)'),
}
for (const kind of ['moved', 'painted'] as const) {
  test(`a picture comparison fails if a button is ${kind}`, async ({ open }, { config }) => {
    const writes = ['all', 'changed'].includes(config.updateSnapshots)
    test.skip(writes, 'a picture that differs would be written')
    const page = await open('admin', '/no/such/page')
    const button = page.getByRole('link', { name: 'Go to projects' })
    await page.mouse.move(0, 0)
    await expect(button).toBeVisible()
    await still(page)
    const reference = 'not-found-wide-light.png'
    await expect(page).toHaveScreenshot(reference, tolerance(kind, 'wide'))
    await button.evaluate(changes[kind])
    const differs = expect(page).toHaveScreenshot(reference, { ...tolerance(kind, 'wide'), timeout: 5000 })
    await expect(differs).rejects.toThrow(/different/)
  })
}
