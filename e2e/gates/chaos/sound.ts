import { expect, type Page } from '@playwright/test'

/** Generous: whatever still waits after this waits for ever. */
const STUCK_MS = 45_000
const waiting = '[aria-busy="true"], .skeleton, [aria-label="Spinner"]'

/** Until nothing turns, shimmers or is being sent any more; behind a dialog much may wait for what is done in it. */
export const isAtRest = (page: Page): Promise<boolean> =>
  page
    .waitForFunction(
      (selector) => {
        const isShown = (element: Element): boolean => element.getClientRects().length > 0
        const top = [...document.querySelectorAll('dialog')].at(-1)
        const hasWords = [...document.querySelectorAll('h1, h2')].some(isShown)
        return hasWords && ![...(top ?? document).querySelectorAll(selector)].some(isShown)
      },
      waiting,
      { timeout: STUCK_MS },
    )
    .then(
      () => true,
      () => false,
    )

/** No blank page, and nothing that waits for ever. */
export async function expectSound(page: Page): Promise<void> {
  if (await isAtRest(page)) return
  await expect(page.getByRole('heading').first(), `a heading at ${page.url()}`).toBeVisible()
  throw new Error(`something waits for ever at ${page.url()}`)
}

/** What stands in the fields of forms, but for files, which a page cannot fill in again. */
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
