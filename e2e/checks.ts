import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

/** What must hold of everything that is shown. */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Finding {
  id: string
  help: string
  nodes: { target: string[] }[]
}
interface Axe {
  run: (context: Element[] | Document) => Promise<{ violations: Finding[] }>
}

/** The open overlays, each with what it was opened by. */
const OPEN = 'dialog:modal, :popover-open, [aria-expanded=true], [aria-label=Notifications]'

/**
 * Runs the checker in the page through the debugger, which the page's content policy does not concern: over all of the
 * page, or over what is open above it.
 */
export async function findings(page: Page, over: 'page' | 'overlays' = 'page'): Promise<string[]> {
  await page.evaluate(`window.axe || (() => { ${axe} })()`)
  const violations = await page.evaluate(
    (open) =>
      (globalThis as unknown as { axe: Axe }).axe
        .run(open === '' ? document : [...document.querySelectorAll(open)])
        .then((result) => result.violations),
    over === 'page' ? '' : OPEN,
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id} (${help}): ${node.target.join(' ')}`),
  )
}

/** Controls and headings that reach beyond the window's right edge, where nobody can scroll to. */
export const cutOff = (page: Page): Promise<string[]> =>
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

/** By how much the page can be scrolled sideways, which it must not. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Until nothing fades or slides any more, but not for long: what turns for ever, or is never painted, does not end. */
export const atRest = (page: Page): Promise<unknown> =>
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

/** In the order in which the window is turned and repainted least. */
export const looks = [
  { theme: 'light', width: 1440, height: 900 },
  { theme: 'dark', width: 1440, height: 900 },
  { theme: 'dark', width: 360, height: 740 },
  { theme: 'light', width: 360, height: 740 },
] as const
