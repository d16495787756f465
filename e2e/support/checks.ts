import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

/** Checks that every screen must pass. */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Finding {
  id: string
  help: string
  nodes: { target: string[] }[]
}
interface Axe {
  run: (context: Element[] | Document) => Promise<{ violations: Finding[] }>
}

/** The open overlays, each with its opener. */
const OPEN = 'dialog:modal, :popover-open, [aria-expanded=true], [aria-label=Notifications]'

/**
 * Runs axe through the debugger, which the page's content security policy does not restrict: on the whole page,
 * or on open overlays only.
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

/** Controls and headings beyond the right edge of the window, out of reach of scrolling. */
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

/** How far the page scrolls sideways, in pixels; it must not. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Waits until transitions end, for a limited time: endless or unpainted ones never do. */
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

export interface Look {
  theme: 'light' | 'dark'
  /** CSS pixels. */
  width: number
  height: number
}

const wide = { width: 1440, height: 900 }
const narrow = { width: 360, height: 740 }

/** Both themes, wide and narrow, in half of the looks. */
export const oppositeLooks: readonly Look[] = [
  { theme: 'light', ...wide },
  { theme: 'dark', ...narrow },
]
/** Ordered for the fewest resizes and repaints. */
export const looks: readonly Look[] = [
  { theme: 'light', ...wide },
  { theme: 'dark', ...wide },
  { theme: 'dark', ...narrow },
  { theme: 'light', ...narrow },
]
