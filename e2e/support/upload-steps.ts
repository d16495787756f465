import type { Page } from '@playwright/test'
import { type ImageFile, makeFile } from './image-file.ts'
import { test as base } from './test.ts'

/** Tests with files to upload. */
export const test = base.extend<{ file: (size: number, name?: string) => ImageFile }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape
  file: async ({}, use) => {
    const files: ImageFile[] = []
    await use((size, name) => {
      const file = makeFile(size, name)
      files.push(file)
      return file
    })
    for (const file of files) file.remove()
  },
})

export const form = (page: Page) => page.getByRole('dialog', { name: 'Upload image' })
export const progress = (page: Page) => page.getByRole('dialog', { name: 'Image upload progress' })
export const steps = (page: Page, status: string) => progress(page).locator(`li[data-status="${status}"]`)
export const submit = (page: Page) => form(page).getByRole('button', { name: 'Upload image' })
export const unfinished = (page: Page) => page.getByRole('region', { name: 'Unfinished uploads' })

export async function fill(page: Page, name: string, file: ImageFile): Promise<void> {
  await form(page).getByLabel('Name', { exact: true }).fill(name)
  await form(page).getByLabel('OS', { exact: true }).fill('Plan 9')
  await form(page).getByLabel('Version').fill('4')
  await form(page).locator('input[type=file]').setInputFiles(file.path)
}

/** Waits until the upload has reached this percentage. */
export const percent = (page: Page, minimum: number) =>
  page.waitForFunction(
    (wanted) =>
      Number(
        document
          .querySelector('[role=progressbar][aria-label="Upload progress"]')
          ?.getAttribute('aria-valuenow'),
      ) >= wanted,
    minimum,
    { polling: 20, timeout: 60_000 },
  )

interface Image {
  size: number
  digest?: { value: string }
}
export type Api = (user: 'member', method: string, path: string) => Promise<unknown>
export const imageOf = (api: Api, project: string, name: string) =>
  api('member', 'GET', `/v1/images/${name}?project=${project}`) as Promise<Image>
