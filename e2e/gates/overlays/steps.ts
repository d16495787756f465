import type { Page } from '@playwright/test'
import { menuItem, rowAction } from '../../support/steps.ts'

export type Step = (page: Page) => Promise<unknown>

/** An overlay: the page to open, the name of the overlay, and the steps that open it. */
type Opening = readonly [path: string, name: string | RegExp, ...steps: Step[]]

/**
 * The dialogs and forms of an area, by the source file that shows them. Each file has at least as many openings as
 * places that show one; the gate checks this.
 */
export type Overlays = Readonly<Record<string, readonly Opening[]>>

export const press =
  (name: string): Step =>
  (page) =>
    page.getByRole('button', { name, exact: true }).last().click()
export const inRow =
  (name: string, action: string): Step =>
  (page) =>
    rowAction(page, name, action)
/** For pages on which several tables have such a row. */
export const inTable =
  (table: string, name: string, action: string): Step =>
  async (page) => {
    const found = page
      .getByRole('table', { name: table })
      .getByRole('row', { name: new RegExp(`^${name}\\b`) })
    await found.getByRole('button', { name: /^Actions for / }).click()
    await page.getByRole('menuitem', { name: action, exact: true }).click()
  }
export const inMenu =
  (menu: string, item: string): Step =>
  async (page) => {
    await page.getByRole('button', { name: menu }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
export const inRowWith =
  (text: string | RegExp, action: string): Step =>
  async (page) => {
    const row = page.getByRole('row').filter({ hasText: text }).filter({ hasNotText: 'This session' })
    await row
      .last()
      .getByRole('button', { name: /^Actions for / })
      .click()
    await menuItem(page, action).click()
  }
export const tick =
  (name: string): Step =>
  (page) =>
    page.getByRole('checkbox', { name: `Select ${name}` }).check()
export const fill =
  (label: string, text: string): Step =>
  (page) =>
    page.getByLabel(label, { exact: true }).fill(text)
export const follow =
  (name: string): Step =>
  (page) =>
    page.getByRole('link', { name, exact: true }).first().click()
export const narrow: Step = (page) => page.setViewportSize({ width: 360, height: 740 })
export const walker = '/projects/:project/instances/walker'
export const sleeper = '/projects/:project/instances/sleeper'
