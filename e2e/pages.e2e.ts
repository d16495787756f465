import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { furnish, screens } from './screens.ts'
import { visit } from './steps.ts'
import { expect, test } from './test.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Finding {
  id: string
  help: string
  nodes: { target: string[]; failureSummary: string }[]
}

/** Runs the checker in the page through the debugger, which the page's content policy does not concern. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const violations = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run: () => Promise<{ violations: Finding[] }> } }).axe
      .run()
      .then((result) => result.violations),
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id} (${help}): ${node.target.join(' ')}`),
  )
}

/** Controls and headings that reach beyond the window's right edge, where nobody can scroll to. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const scrolls = (element: Element): boolean => {
      for (let box = element.parentElement; box && box.id !== 'content'; box = box.parentElement)
        if (box.scrollWidth > box.clientWidth && getComputedStyle(box).overflowX === 'auto') return true
      return false
    }
    return [...document.querySelectorAll('h1, h2, input, textarea, button, a')]
      .filter((element) => {
        const { right, width } = element.getBoundingClientRect()
        return width > 0 && right > innerWidth + 1 && !element.closest('table') && !scrolls(element)
      })
      .map((element) => element.outerHTML.slice(0, 120))
  })

/** Until nothing fades or slides any more, but not for long: what turns for ever, or is never painted, does not end. */
const atRest = (page: Page): Promise<unknown> =>
  page.evaluate(() =>
    Promise.race([
      new Promise((resolve) => setTimeout(resolve, 2000)),
      Promise.allSettled(
        document
          .getAnimations()
          .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
          .map(({ finished }) => finished),
      ),
    ]),
  )

const looks = (['light', 'dark'] as const).flatMap((theme) =>
  ([1440, 360] as const).map((width) => ({ theme, width, height: width === 360 ? 740 : 900 })),
)

// They have nothing to do with one another, and together take minutes.
test.describe.configure({ mode: 'parallel' })

for (const [area, ofArea] of Object.entries(screens)) {
  test(`every screen of ${area} is accessible and fits, in both themes, wide and narrow`, async ({
    open,
    browser,
    project,
    api,
  }) => {
    test.setTimeout(300_000)
    await furnish(api, project)
    const page = await open('admin', '/projects')
    const stranger = await (await browser.newContext()).newPage()
    const complaints: string[] = []
    for (const each of [page, stranger]) {
      each.on('console', (message) => {
        if (message.type() === 'error' && !/401|404/.test(message.text())) complaints.push(message.text())
      })
      each.on('pageerror', (error) => complaints.push(error.message))
    }
    for (const [name, path, isSignedIn, shown] of ofArea) {
      const looker = isSignedIn ? page : stranger
      await visit(looker, path.replace(':project', project))
      for (const { theme, width, height } of looks) {
        const where = `${name}, ${theme}, ${width} wide`
        await looker.emulateMedia({ colorScheme: theme })
        await looker.setViewportSize({ width, height })
        await expect(looker.getByRole(shown[0], { name: shown[1] }).first(), where).toBeVisible()
        await atRest(looker)
        expect.soft(await findings(looker), `${where}: axe`).toEqual([])
        const sideways = await looker.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect.soft(sideways, `${where}: sideways scroll`).toBeLessThanOrEqual(0)
        expect.soft(await cutOff(looker), `${where}: cut off at the edge`).toEqual([])
        if (process.env.GANTRY_PICTURES)
          await looker.screenshot({
            path: `${process.env.GANTRY_PICTURES}/${where.replaceAll(/[ ,]+/g, '-')}.png`,
          })
      }
    }
    await stranger.context().close()
    expect(complaints).toEqual([])
  })
}
