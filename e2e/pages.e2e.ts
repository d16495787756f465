import type { Page } from '@playwright/test'
import { atRest, cutOff, findings, looks, sideways } from './checks.ts'
import { furnish, screens } from './screens.ts'
import { visit } from './steps.ts'
import { notOn } from './target.ts'
import { expect, test } from './test.ts'

// They have nothing to do with one another, and together take minutes.
test.describe.configure({ mode: 'parallel' })

for (const [area, ofArea] of Object.entries(screens)) {
  const who = new Set(ofArea.map(([, , isSignedIn]) => (isSignedIn ? 'admin' : 'nobody')))
  const notThere = who.size > 1 ? { preview: 'has two browsers open at once' } : {}
  test(
    `every screen of ${area} is accessible and fits, in both themes, wide and narrow`,
    notOn(notThere),
    async ({ open, project, api }) => {
      test.setTimeout(300_000)
      await furnish(api, project)
      const lookers = new Map<string, Page>()
      for (const each of who) lookers.set(each, await open(each, each === 'nobody' ? '/login' : '/projects'))
      const complaints: string[] = []
      for (const each of lookers.values()) {
        each.on('console', (message) => {
          if (message.type() === 'error' && !/401|404/.test(message.text())) complaints.push(message.text())
        })
        each.on('pageerror', (error) => complaints.push(error.message))
      }
      for (const [name, path, isSignedIn, shown] of ofArea) {
        const looker = lookers.get(isSignedIn ? 'admin' : 'nobody')
        if (!looker) throw new Error('nobody looks')
        await visit(looker, path.replace(':project', project))
        for (const { theme, width, height } of looks) {
          const where = `${name}, ${theme}, ${width} wide`
          await looker.emulateMedia({ colorScheme: theme })
          await looker.setViewportSize({ width, height })
          await expect(looker.getByRole(shown[0], { name: shown[1] }).first(), where).toBeVisible()
          await atRest(looker)
          expect.soft(await findings(looker), `${where}: axe`).toEqual([])
          expect.soft(await sideways(looker), `${where}: sideways scroll`).toBeLessThanOrEqual(0)
          expect.soft(await cutOff(looker), `${where}: cut off at the edge`).toEqual([])
          if (process.env.GANTRY_PICTURES)
            await looker.screenshot({
              path: `${process.env.GANTRY_PICTURES}/${where.replaceAll(/[ ,]+/g, '-')}.png`,
            })
        }
      }
      expect(complaints).toEqual([])
    },
  )
}
