import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { ownServer, testOwnServer } from '../support/own-server.ts'
import { row } from '../support/steps.ts'
import { expect } from '../support/test.ts'
import { form, unfinished } from '../support/upload-steps.ts'

const MiB = 1024 ** 2
const test = testOwnServer({ image_import: { allowed_networks: ['127.0.0.1/32'] } })

/** A server of files for the duration of the test; returns its origin. */
async function files(listener: RequestListener): Promise<{ origin: string; close: () => void }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

async function openForm(page: Page): Promise<void> {
  await form(page).getByRole('radio', { name: 'A URL' }).click()
}
const field = (page: Page, name: string) => form(page).getByRole('textbox', { name, exact: true })
const submit = (page: Page) => form(page).getByRole('button', { name: 'Fetch image' })

test(
  'a user creates an image from a URL, learns why the first attempt failed, and gives it tags',
  ownServer,
  async ({ own }) => {
    const bytes = Buffer.alloc(3 * MiB, 'disk')
    let isThere = false
    const { origin, close } = await files((_, response) => {
      if (!isThere) return void response.writeHead(404).end()
      response.writeHead(200, { 'content-length': bytes.length, etag: '"1"' }).end(bytes)
    })
    const page = await own.open('member', '/projects/playground/images-new')
    await openForm(page)
    await field(page, 'URL of the file').fill('images.test/a')
    await submit(page).click()
    await expect(form(page)).toContainText(
      'The URL must be a web address that begins with https:// or http://',
    )
    await field(page, 'URL of the file').fill(`${origin}/debian-12-generic-amd64.raw?token=secret`)
    await expect(field(page, 'Name')).toHaveValue('debian-12-generic-amd64')
    await expect(field(page, 'OS')).toHaveValue('Debian')
    await expect(field(page, 'Version')).toHaveValue('12')
    await field(page, 'Name').fill('fetched')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await field(page, 'SHA-256').fill(sha256)
    await form(page).getByText('Tags', { exact: true }).click()
    await form(page).getByRole('button', { name: 'Add tag' }).click()
    await form(page).getByLabel('Key of tag 1').fill('env')
    await form(page).getByLabel('Value of tag 1').fill('prod')
    await submit(page).click()
    await expect(unfinished(page)).toContainText('The server has no such file (status 404).', {
      timeout: 30_000,
    })
    await expect(unfinished(page)).toContainText(`${origin}/debian-12-generic-amd64.raw`)
    await expect(unfinished(page)).not.toContainText('secret')
    isThere = true
    await unfinished(page).getByRole('button', { name: 'Try again' }).click()
    await expect(row(page, 'fetched')).toContainText('3 MiB', { timeout: 30_000 })
    await page.goto('/projects/playground/images/fetched')
    await expect(page.getByText(`${origin}/debian-12-generic-amd64.raw`)).toBeVisible()
    await expect(page.getByText('Digest of the file')).toBeVisible()
    await expect(page.getByText('env', { exact: true }).first()).toBeVisible()
    const image = (await own.api('member', 'GET', '/v1/images/fetched?project=playground')) as {
      source: { sha256: string }
    }
    expect(image.source.sha256).toBe(sha256)
    close()
  },
)

test('a user follows a fetch in Tasks, and cancels it', ownServer, async ({ own }) => {
  const { origin, close } = await files((_, response) => {
    response.writeHead(200, { 'content-length': 64 * MiB }).write(Buffer.alloc(9 * MiB, 1))
  })
  const page = await own.open('member', '/projects/playground/images-new')
  await openForm(page)
  await field(page, 'URL of the file').fill(`${origin}/slow.raw`)
  await field(page, 'OS').fill('Linux')
  await field(page, 'Version').fill('1')
  await submit(page).click()
  await expect(unfinished(page)).toContainText('Fetching slow', { timeout: 30_000 })
  await page.goto('/tasks')
  await expect(page.getByText('Importing').first()).toBeVisible()
  await expect(page.getByText('8 MiB of 64 MiB').first()).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Cancel' }).first().click()
  await expect(page.getByText('Cancelled').first()).toBeVisible({ timeout: 30_000 })
  close()
})
