import type { Page } from '@playwright/test'
import { MiB } from '../support/image-file.ts'
import { hideInPage, holdInPage } from '../support/in-page.ts'
import { notifications, refresh, row, visit } from '../support/steps.ts'
import { scenesIn } from '../support/scenes.ts'
import { expect } from '../support/test.ts'
import {
  type Api,
  fill,
  form,
  imageOf,
  percent,
  progress,
  steps,
  submit,
  test,
  unfinished,
} from '../support/upload-steps.ts'
import { notOn, story } from '../support/target.ts'

/** Responds like a server without our extensions. */
const hideExtensions = (page: Page) => hideInPage(page, '/ext/')

async function namesOf(api: Api, project: string, kind: 'disks' | 'snapshots'): Promise<string[]> {
  const { items } = (await api('member', 'GET', `/v1/${kind}?project=${project}`)) as {
    items: { name: string }[]
  }
  return items.map(({ name }) => name)
}

test(
  'a user uploads an image, and errors are shown beforehand',
  story,
  async ({ open, project, api, file }) => {
    const scenes = scenesIn(api, project)
    await scenes.disk('data')
    await scenes.image('taken', (await scenes.snapshot('snap', 'data')).id)
    const page = await open('member', `/projects/${project}/images`)
    await page.getByRole('link', { name: 'Upload image' }).click()
    await expect(page).toHaveTitle(/^Upload image \/ Images \/ /)
    await submit(page).click()
    await expect(form(page).getByLabel('Name', { exact: true })).toHaveAccessibleDescription(
      'Name is required',
    )
    await expect(form(page).getByLabel('Image file')).toHaveAccessibleDescription('Image file is required')

    const small = file(9 * MiB, 'small.raw.gz')
    await fill(page, 'taken', small)
    await expect(form(page)).toContainText('Might not be bootable')
    await submit(page).click()
    await expect(form(page).getByLabel('Name', { exact: true })).toHaveAccessibleDescription(
      'Image name already exists',
    )
    await form(page).getByLabel('Name', { exact: true }).fill('disc')
    await submit(page).click()
    await expect(steps(page, 'complete')).toHaveCount(4, { timeout: 20_000 })
    await expect(progress(page)).toContainText('9.00 MiB / 9.00 MiB')
    await progress(page).getByRole('button', { name: 'Done' }).click()
    await expect(page).toHaveURL(new RegExp(`/projects/${project}/images$`))
    await expect(row(page, 'disc')).toContainText('9 MiB')
    expect(await imageOf(api, project, 'disc')).toMatchObject({
      size: small.size,
      digest: { value: small.sha256 },
    })
    await expect(unfinished(page)).toBeHidden()
  },
)

test('the selected file is announced, and has its whole name', async ({ open, project }) => {
  const page = await open('member', `/projects/${project}/images-new`)
  const field = form(page).getByLabel('Image file')
  const status = form(page).getByRole('status').filter({ hasText: '.raw' })
  const choose = (name: string) =>
    field.setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.alloc(2048) })
  await choose('short.raw')
  await expect(status).toHaveText('short.raw 2.00 KiB')
  await expect(field).toHaveAccessibleDescription('short.raw 2.00 KiB')
  const long = `${'debian-13-generic-amd64-'.repeat(4)}daily.raw`
  await choose(long)
  await expect(status).toHaveText(`${long} 2.00 KiB`)
  await expect(field).toHaveAccessibleDescription(`${long} 2.00 KiB`)
  await form(page).getByRole('button', { name: 'Clear file' }).click()
  await expect(field).toHaveAccessibleDescription('')
})

test('a file suggests its block size, and a file that ends within a block is refused', async ({
  open,
  project,
}) => {
  const page = await open('member', `/projects/${project}/images-new`)
  const choose = (bytes: Buffer) =>
    form(page)
      .locator('input[type=file]')
      .setInputFiles({ name: 'disk.raw', mimeType: 'application/octet-stream', buffer: bytes })
  const efi = Buffer.alloc(64 * 1024)
  efi.write('EFI PART', 4096)
  await choose(efi)
  await expect(form(page)).toContainText('Block size might be set incorrectly')
  await expect(form(page)).toContainText(/4096, not 512/)
  await form(page).getByRole('radio', { name: '4096' }).check()
  await expect(form(page).getByText('Block size might be set incorrectly')).toBeHidden()
  await expect(form(page).getByText('Might not be bootable')).toBeHidden()

  await form(page).getByRole('button', { name: 'Clear file' }).click()
  await choose(Buffer.alloc(64 * 1024 + 100))
  await submit(page).click()
  await expect(form(page).getByLabel('Image file')).toHaveAccessibleDescription(
    /must be a multiple of block size 4096/,
  )
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Leave form' }).click()
  await expect(form(page)).toBeHidden()
})

test(
  'without our extensions, an image is uploaded through a temporary disk',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project, api, file }) => {
    const disc = file(9 * MiB + 512)
    const page = await open('member', '/favicon.ico')
    await hideExtensions(page)
    await visit(page, `/projects/${project}/images-new`)
    const written: string[] = []
    page.on('request', (request) => request.url().endsWith('/bulk-write') && written.push(request.url()))
    await fill(page, 'disc', disc)
    await submit(page).click()
    await expect(steps(page, 'complete')).toHaveCount(8, { timeout: 90_000 })
    // Only the part beyond the file's end is zero.
    expect(written).toHaveLength(19)
    await progress(page).getByRole('button', { name: 'Done' }).click()
    await expect(row(page, 'disc')).toContainText('1 GiB')
    expect(await namesOf(api, project, 'disks')).toEqual([])
    expect(await namesOf(api, project, 'snapshots')).toEqual([])
  },
)

test(
  'cancelling an upload asks once and leaves nothing behind, and it can be retried',
  { ...story, ...notOn({ preview: 'delays requests to the control plane, which runs in the page' }) },
  async ({ open, project, api, file }) => {
    const page = await open('member', '/favicon.ico')
    await hideExtensions(page)
    const release = await holdInPage(page, { url: '/bulk-write$', passing: 4 })
    await visit(page, `/projects/${project}/images-new`)
    await fill(page, 'disc', file(12 * MiB))
    await submit(page).click()
    await percent(page, 5)
    const question = page.getByRole('dialog', { name: 'Cancel upload' })
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Keep uploading' }).click()
    await expect(question).toBeHidden()
    await expect(progress(page)).toBeVisible()
    await progress(page).getByRole('button', { name: 'Cancel' }).click()
    await question.getByRole('button', { name: 'Cancel upload' }).click()
    await expect(progress(page)).toBeHidden()
    await expect(form(page).getByLabel('Name', { exact: true })).toHaveValue('disc')
    await expect(form(page)).toContainText('disk.raw')
    await expect.poll(() => namesOf(api, project, 'disks')).toEqual([])
    await release()
    await submit(page).click()
    await expect(steps(page, 'complete')).toHaveCount(8, { timeout: 90_000 })
  },
)

test(
  'a failed step is shown, and created objects are deleted or reported',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project, api, file }) => {
    const page = await open('member', '/favicon.ico')
    await hideExtensions(page)
    const fail = (pattern: string, method: string) =>
      page.route(pattern, (route) =>
        route.request().method() === method
          ? route.fulfill({
              status: 500,
              json: { request_id: 'r', error_code: 'Internal', message: 'broken' },
            })
          : route.fallback(),
      )
    await fail('**/v1/images?*', 'POST')
    await fail('**/v1/disks/*', 'DELETE')
    await visit(page, `/projects/${project}/images-new`)
    await fill(page, 'disc', file(MiB))
    await submit(page).click()
    await expect(progress(page).getByRole('alert')).toContainText('Something went wrong')
    await expect(steps(page, 'error')).toContainText('Create image')
    await expect(notifications(page)).toContainText('Could not clean up')
    await expect(notifications(page)).toContainText(/tmp-for-image-\d+/)
    await page.unroute('**/v1/disks/*')
    await notifications(page).getByRole('button', { name: 'Try again' }).click()
    await expect(notifications(page)).toContainText('Upload remnants removed')
    expect(await namesOf(api, project, 'disks')).toEqual([])
    await progress(page).getByRole('button', { name: 'Back' }).click()
    await expect(form(page).getByLabel('Name', { exact: true })).toHaveValue('disc')
  },
)

test(
  'an upload can be paused, continues in the background, and reports its end on another page',
  notOn({ preview: 'delays requests to the control plane, which runs in the page' }),
  async ({ open, project, file }) => {
    const page = await open('member', `/projects/${project}/images-new`)
    const release = await holdInPage(page, { url: '/content\\?', passing: 2 })
    await fill(page, 'disc', file(24 * MiB))
    await submit(page).click()
    await percent(page, 5)
    await progress(page).getByRole('button', { name: 'Pause' }).click()
    await expect(progress(page).getByText('Paused', { exact: true })).toBeVisible()
    await progress(page).getByRole('button', { name: 'Resume' }).click()
    await progress(page).getByRole('button', { name: 'Continue in background' }).click()
    await expect(page).toHaveURL(new RegExp(`/projects/${project}/images$`))
    const sign = page.getByRole('region', { name: 'Image upload' })
    await expect(sign).toContainText('disc')
    await page.getByRole('link', { name: 'Disks' }).click()
    await expect(page.getByRole('heading', { name: 'No disks' })).toBeVisible()
    await sign.getByRole('button', { name: 'Show' }).click()
    await expect(progress(page)).toBeVisible()
    await progress(page).getByRole('button', { name: 'Continue in background' }).click()
    await release()
    await expect(notifications(page)).toContainText('Image disc uploaded', { timeout: 20_000 })
    await notifications(page).getByRole('link', { name: 'View image' }).click()
    await expect(page).toHaveURL(new RegExp(`/projects/${project}/images/disc$`))
    await expect(page.getByRole('heading', { name: 'disc', level: 1 })).toBeVisible()
  },
)

test(
  'an interrupted upload refuses another file, and resumes with the right one',
  { ...story, ...notOn({ preview: 'delays requests to the control plane, which runs in the page' }) },
  async ({ open, project, api, file }) => {
    const disc = file(24 * MiB)
    const other = file(24 * MiB, 'other.raw')
    const page = await open('member', `/projects/${project}/images-new`)
    const release = await holdInPage(page, { url: '/content\\?', passing: 2 })
    await fill(page, 'disc', disc)
    await submit(page).click()
    await percent(page, 20)
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    await refresh(page)
    expect(asked).toEqual(['beforeunload'])

    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await expect(unfinished(page)).toContainText(/Upload of disc stopped at \d+ %/)
    await expect(unfinished(page)).toContainText('Choose the same file again to resume: disk.raw')
    const choose = unfinished(page).locator('input[type=file]')
    await choose.setInputFiles(other.path)
    await expect(unfinished(page).getByRole('alert')).toContainText(
      'not the file that the upload started with',
    )
    await release()
    await choose.setInputFiles(disc.path)
    await expect(steps(page, 'complete')).toHaveCount(4, { timeout: 30_000 })
    await progress(page).getByRole('button', { name: 'Done' }).click()
    await expect(row(page, 'disc')).toBeVisible()
    expect((await imageOf(api, project, 'disc')).digest?.value).toBe(disc.sha256)
  },
)

test(
  'an upload interrupted by a closed page can be discarded',
  notOn({ preview: 'closes the page, which contains the control plane' }),
  async ({ open, project, file }) => {
    const first = await open('member', `/projects/${project}/images-new`)
    await holdInPage(first, { url: '/content\\?', passing: 2 })
    await fill(first, 'second', file(24 * MiB))
    await submit(first).click()
    await percent(first, 10)
    // Another tab sees that it is running, and does not touch it.
    const page = await first.context().newPage()
    await visit(page, `/projects/${project}/images`)
    await expect(unfinished(page)).toContainText('Upload of second runs in another tab')
    await expect(unfinished(page).getByRole('button', { name: 'Discard' })).toBeDisabled()
    await first.close()
    await expect(unfinished(page)).toContainText('Upload of second stopped', { timeout: 15_000 })
    await unfinished(page).getByRole('button', { name: 'Discard' }).click()
    await page
      .getByRole('dialog', { name: 'Discard upload' })
      .getByRole('button', { name: 'Discard' })
      .click()
    await expect(notifications(page)).toContainText('Upload of second discarded')
    await expect(unfinished(page)).toBeHidden()
  },
)

test(
  'unfinished uploads come with the list of images, and do not push it down',
  notOn({ preview: 'delays requests to the control plane, which runs in the page' }),
  async ({ open, project, api }) => {
    const half = { name: 'half', description: '', os: '', version: '', block_size: 512, size: MiB }
    await api('member', 'POST', `/ext/v1/image-uploads?project=${project}`, half)
    const page = await open('member', `/projects/${project}/disks`)
    const release = await holdInPage(page, { url: '/ext/v1/image-uploads\\?', passing: 0 })
    const list = page.waitForResponse(/\/v1\/images\?/)
    await page.getByRole('link', { name: 'Images', exact: true }).click()
    await list
    await page.waitForTimeout(300)
    expect(await page.getByRole('heading', { name: 'Project Images' }).isVisible()).toBe(false)
    await release()
    await expect(page.getByRole('heading', { name: 'Project Images' })).toBeVisible()
    await expect(unfinished(page)).toContainText('Upload of half stopped at 0 %')
  },
)

test('a viewer can neither upload nor discard', async ({ open, project, api }) => {
  await api('member', 'POST', `/ext/v1/image-uploads?project=${project}`, {
    name: 'half',
    description: '',
    os: 'Plan 9',
    version: '4',
    block_size: 512,
    size: MiB,
  })
  const page = await open('viewer', `/projects/${project}/images-new`)
  await expect(submit(page)).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(unfinished(page)).toContainText('Upload of half stopped at 0 %')
  await expect(unfinished(page)).toContainText('in another browser or by someone else')
  await expect(unfinished(page).getByRole('button', { name: 'Discard' })).toBeDisabled()
})
