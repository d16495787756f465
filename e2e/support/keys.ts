import { expect, type Locator, type Page } from '@playwright/test'

/** Presses Tab until the target has the focus, and checks at each stop that the focus is visible. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible()
  for (let steps = 0; steps < 60; steps++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
    expect(await hiddenFocus(page), 'focus is visible').toBeUndefined()
  }
  throw new Error('Tab does not reach the target')
}

/** The focused element, if it shows no focus. */
export const hiddenFocus = (page: Page): Promise<string | undefined> => page.evaluate(findHiddenFocus)

/** Runs in the page. */
export function findHiddenFocus(): string | undefined {
  const focused = document.activeElement
  // At the end of the page, the focus moves to the browser's own controls.
  if (!focused || focused === document.body) return undefined
  const box = focused.getBoundingClientRect()
  for (
    let element: Element | null = focused;
    element && element !== document.body;
    element = element.parentElement
  ) {
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    if (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 && box.width > 0) return undefined
  }
  return focused.outerHTML.slice(0, 200)
}

export async function press(page: Page, wanted: Locator): Promise<void> {
  await tabTo(page, wanted)
  await page.keyboard.press('Enter')
}
