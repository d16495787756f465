import { expect, type Page } from '@playwright/test'

/** Generous: whatever is pending longer is stuck. */
const STUCK_MS = 45_000
const waiting = '[aria-busy="true"], .skeleton, [aria-label="Spinner"]'

/**
 * Resolves to true once no spinner, skeleton or request is pending, in the top dialog if one is open: the page
 * behind it may wait for the dialog.
 */
export const isAtRest = (page: Page): Promise<boolean> =>
  page
    .waitForFunction(
      (selector) => {
        const isReferenced = (element: Element): boolean => element.getClientRects().length > 0
        const top = [...document.querySelectorAll('dialog')].at(-1)
        const hasWords = [...document.querySelectorAll('h1, h2')].some(isReferenced)
        return hasWords && ![...(top ?? document).querySelectorAll(selector)].some(isReferenced)
      },
      waiting,
      { timeout: STUCK_MS },
    )
    .then(
      () => true,
      () => false,
    )

/** The page is not blank, and nothing is pending for ever. */
export async function expectSound(page: Page): Promise<void> {
  if (await isAtRest(page)) return
  await expect(page.getByRole('heading').first(), `a heading at ${page.url()}`).toBeVisible()
  throw new Error(`something is pending for ever at ${page.url()}`)
}

/** The values of all form fields, except files, which a page cannot restore. */
export const fieldsOf = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() => {
    const fields = document.querySelectorAll<HTMLInputElement>('form :is(input, textarea, select)')
    const isChosen = ({ type }: HTMLInputElement): boolean => type === 'checkbox' || type === 'radio'
    return Object.fromEntries(
      [...fields]
        .filter(({ type, value }) => type !== 'file' && value !== '')
        .map((field) => [
          `${field.labels?.[0]?.textContent ?? ''} ${field.name} ${isChosen(field) ? field.value : ''}`,
          isChosen(field) ? String(field.checked) : field.value,
        ]),
    )
  })
