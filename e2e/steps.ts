import type { Locator, Page } from '@playwright/test'
import { password } from './gantry.ts'

/** What people do on many screens, found as they find it. */

export async function signIn(page: Page, username: string, secret = password): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Where rows can be chosen, the box of the row is the first that is read of it. */
export const row = (page: Page, name: string): Locator =>
  page.getByRole('row', { name: new RegExp(`^(Select ${name} )?${name}\\b`) })

export const openRowMenu = (page: Page, name: string): Promise<void> =>
  row(page, name).getByRole('button', { name: 'Row actions' }).click()

export const menuItem = (page: Page, name: string): Locator =>
  page.getByRole('menuitem', { name, exact: true })

/** Chooses in the menu of a row, and says yes where that is asked for. */
export async function rowAction(page: Page, name: string, action: string): Promise<void> {
  await openRowMenu(page, name)
  await menuItem(page, action).click()
}

export const confirm = (page: Page): Promise<void> => page.getByRole('button', { name: 'Confirm' }).click()

export async function choose(page: Page, field: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option }).click()
}

export const notifications = (page: Page): Locator => page.getByRole('region', { name: 'Notifications' })
