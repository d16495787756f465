import type { Page } from '@playwright/test'
import { atRest, cutOff, findings, type Look, sideways } from './checks.ts'
import { furnish, screens } from './screens.ts'
import { visit } from './steps.ts'
import { notOn } from './target.ts'
import { expect, test } from './test.ts'

/** A moment before the records begin, which is refused: its screen says so. */
const refused = /\/ext\/v1\/past\?.*at=2020/
const softly = expect.configure({ soft: true, timeout: 5000 })

/** One test for each area: its screens in some looks, which `words` name. */
export function testScreens(words: string, looks: readonly Look[]): void {
  // Independent of each other, and minutes long in total.
  test.describe.configure({ mode: 'parallel' })

  for (const [area, ofArea] of Object.entries(screens)) {
    const who = new Set(ofArea.map(([, , isSignedIn]) => (isSignedIn ? 'admin' : 'nobody')))
    const notThere = who.size > 1 ? { preview: 'needs two browsers' } : {}
    test(
      `every screen of ${area} is accessible and fits, ${words}`,
      notOn(notThere),
      async ({ open, project, api }) => {
        test.setTimeout(300_000)
        const fill = await furnish(api, project)
        const pagesByUser = new Map<string, Page>()
        for (const each of who)
          pagesByUser.set(each, await open(each, each === 'nobody' ? '/login' : '/projects'))
        const complaints: string[] = []
        for (const each of pagesByUser.values()) {
          each.on('console', (message) => {
            const text = message.text()
            const isExpected = /401|404/.test(text) || refused.test(`${text} ${message.location().url}`)
            if (message.type() === 'error' && !isExpected) complaints.push(text)
          })
          each.on('pageerror', (error) => complaints.push(error.message))
        }
        for (const [name, path, isSignedIn, shown] of ofArea) {
          const viewer = pagesByUser.get(isSignedIn ? 'admin' : 'nobody')
          if (!viewer) throw new Error('no page is open')
          await visit(viewer, fill(path))
          for (const { theme, width, height } of looks) {
            const where = `${name}, ${theme}, ${width} wide`
            await viewer.emulateMedia({ colorScheme: theme })
            await viewer.setViewportSize({ width, height })
            await expect(viewer.getByRole(shown[0], { name: shown[1] }).first(), where).toBeVisible()
            await atRest(viewer)
            // A button that becomes enabled meanwhile changes its colors for a moment.
            await softly.poll(() => findings(viewer), `${where}: axe`).toEqual([])
            expect.soft(await sideways(viewer), `${where}: sideways scroll`).toBeLessThanOrEqual(0)
            expect.soft(await cutOff(viewer), `${where}: cut off at the edge`).toEqual([])
            if (process.env.GANTRY_PICTURES)
              await viewer.screenshot({
                path: `${process.env.GANTRY_PICTURES}/${where.replaceAll(/[ ,]+/g, '-')}.png`,
              })
          }
        }
        expect(complaints).toEqual([])
      },
    )
  }
}
