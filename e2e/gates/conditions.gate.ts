import type { Page } from '@playwright/test'
import { atRest, cutOff, findings, sideways } from '../support/checks.ts'
import { hiddenFocus } from '../support/keys.ts'
import { furnish, screens } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

interface Condition {
  begin: (page: Page) => Promise<unknown>
  /** The problems found on the screen. */
  problems: (page: Page) => Promise<string[]>
}

const conditions: Record<string, Condition> = {
  'zoomed to 200 %': {
    // The viewport of a 1440 × 900 window at this zoom.
    begin: (page) => page.setViewportSize({ width: 720, height: 450 }),
    async problems(page) {
      const byPixels = await sideways(page)
      const scrolls = byPixels > 0 ? [`scrolls sideways by ${byPixels} px`] : []
      return [...scrolls, ...(await cutOff(page)), ...(await covered(page))]
    },
  },
  'with reduced motion': {
    begin: (page) => page.emulateMedia({ reducedMotion: 'reduce' }),
    problems: moving,
  },
  'in forced colours': {
    begin: (page) => page.emulateMedia({ forcedColors: 'active' }),
    async problems(page) {
      // The system sets the colours, but axe computes contrast from the ones they replace.
      const others = (await findings(page)).filter((finding) => !finding.startsWith('color-contrast'))
      return [...others, ...(await unseenIcons(page)), ...(await unseenFocus(page))]
    },
  },
}

/** Fixed bars that leave less than half of a low window to the content. */
const covered = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const main = document.querySelector('dialog:modal') ?? document.querySelector('main')
    const height = main?.getBoundingClientRect().height ?? innerHeight
    return height < innerHeight / 2 ? [`only ${height} px of ${innerHeight} px are left to the page`] : []
  })

/** Animations and transitions that last long enough to be seen. */
function moving(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const minVisibleMs = 10
    const longest = (list: string): number =>
      Math.max(...list.split(',').map((time) => parseFloat(time) * (time.endsWith('ms') ? 1 : 1000)))
    const running = document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > minVisibleMs)
      .map((animation) => `moves: ${(animation as CSSAnimation).animationName}`)
    const would = [...document.querySelectorAll('*')]
      .filter((element) => {
        const { animationName, animationDuration, transitionDuration } = getComputedStyle(element)
        const animates = animationName === 'none' ? 0 : longest(animationDuration)
        return Math.max(animates, longest(transitionDuration)) > minVisibleMs
      })
      .map((element) => `would move: ${element.outerHTML.slice(0, 120)}`)
    return [...running, ...would]
  })
}

/** Icons in the colour of their background. */
const unseenIcons = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const behind = (element: Element | null): string => {
      for (let box = element; box; box = box.parentElement) {
        const { backgroundColor } = getComputedStyle(box)
        if (backgroundColor !== 'rgba(0, 0, 0, 0)') return backgroundColor
      }
      return 'rgb(255, 255, 255)'
    }
    return [...document.querySelectorAll('svg')]
      .filter((icon) => icon.checkVisibility() && getComputedStyle(icon).color === behind(icon.parentElement))
      .map((icon) => `cannot be seen: ${icon.parentElement?.outerHTML.slice(0, 120)}`)
  })

/** Tab stops without a visible focus. */
async function unseenFocus(page: Page): Promise<string[]> {
  const unseen: string[] = []
  for (let stop = 0; stop < 30; stop++) {
    await page.keyboard.press('Tab')
    const hidden = await hiddenFocus(page)
    if (hidden) unseen.push(`focus cannot be seen: ${hidden}`)
  }
  return unseen
}

test.describe.configure({ mode: 'parallel' })

for (const [condition, { begin, problems }] of Object.entries(conditions)) {
  for (const [area, ofArea] of Object.entries(screens)) {
    test(`every screen of ${area} can be used ${condition}`, async ({ open, project, api }) => {
      test.setTimeout(600_000)
      const fill = await furnish(api, project)
      const page = await open('admin', '/projects')
      const stranger = await open('nobody', '/login')
      for (const each of [page, stranger]) await begin(each)
      for (const [name, path, isSignedIn, shown] of ofArea) {
        const viewer = isSignedIn ? page : stranger
        await viewer.goto(fill(path))
        await expect(viewer.getByRole(shown[0], { name: shown[1] }).first(), name).toBeVisible()
        await atRest(viewer)
        if (process.env.GANTRY_PICTURES)
          await viewer.screenshot({
            path: `${process.env.GANTRY_PICTURES}/${`${name} ${condition}`.replaceAll(/[ ,%]+/g, '-')}.png`,
          })
        expect.soft(await problems(viewer), `${name} ${condition}`).toEqual([])
      }
    })
  }
}
