import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { pagesOf } from '../tools/lib/first-loads.mjs'
import { atRest, cutOff, findings, looks, sideways } from './checks.ts'
import { overlays } from './gates/overlays.ts'
import { redirects } from './redirects.ts'
import { furnish, screens } from './screens.ts'
import { visit } from './steps.ts'
import { notOn } from './target.ts'
import { expect, test } from './test.ts'

// Independent of each other, and minutes long in total.
test.describe.configure({ mode: 'parallel' })

const sources = fileURLToPath(new URL('../packages/console', import.meta.url))
/** These redirect depending on the server's answer (lookup.e2e.ts). */
const lookups = ['/lookup/i/$instance', '/lookup/instances/$instance']

/**
 * The route of a path; if several match, like `/silos/$silo` and `/silos/new`, the one with the fewest
 * parameters.
 */
function pageAt(path: string, urls: readonly string[]): string | undefined {
  const fits = (url: string) =>
    new RegExp(`^${url.replaceAll(/\/\{-\$\w+\}/g, '(/[^/]+)?').replaceAll(/\$\w+/g, '[^/]+')}$`).test(path)
  const parameters = (url: string) => url.split('$').length
  return urls.filter(fits).toSorted((one, other) => parameters(one) - parameters(other))[0]
}

test('every page of the console is listed as a screen, opens over one, or redirects', () => {
  const urls = pagesOf(sources).map(({ url }) => url)
  const visited = [
    ...Object.values(screens).flatMap((ofArea) => ofArea.map(([, path]) => path)),
    ...Object.values(overlays).flatMap((openings) => openings.map(([path]) => path)),
    ...redirects.map(({ from }) => from),
  ]
  const shown = new Set(visited.map((path) => pageAt(path.replace(/\?.*/, ''), urls)))
  expect(urls.filter((url) => !shown.has(url))).toEqual(lookups)
})

for (const [area, ofArea] of Object.entries(screens)) {
  const who = new Set(ofArea.map(([, , isSignedIn]) => (isSignedIn ? 'admin' : 'nobody')))
  const notThere = who.size > 1 ? { preview: 'needs two browsers' } : {}
  test(
    `every screen of ${area} is accessible and fits, in both themes, wide and narrow`,
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
          if (message.type() === 'error' && !/401|404/.test(message.text())) complaints.push(message.text())
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
          expect.soft(await findings(viewer), `${where}: axe`).toEqual([])
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
