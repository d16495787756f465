import { createHash, randomFillSync } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Page, Route } from '@playwright/test'
import { qcow2File } from '../../packages/api/src/storage/image-file.fixtures.ts'
import { MiB } from '../support/image-file.ts'
import { notifications, row } from '../support/steps.ts'
import { notOn, story } from '../support/target.ts'
import { expect } from '../support/test.ts'
import { form, imageOf, progress, steps, submit, test, unfinished } from '../support/upload-steps.ts'

const GiB = 1024 ** 3
const noConverter = notOn({ preview: 'has no programs that convert images' })
const mocked = notOn({ preview: 'mocks responses of the control plane, which runs in the page' })

interface Formats {
  formats: { format: string; why_not: string | null }[]
}

async function fill(page: Page, name: string, fileName: string, bytes: Uint8Array): Promise<void> {
  await form(page).getByLabel('Name', { exact: true }).fill(name)
  await form(page).getByLabel('OS', { exact: true }).fill('Plan 9')
  await form(page).getByLabel('Version').fill('4')
  await choose(page, fileName, bytes)
}

const choose = (page: Page, name: string, bytes: Uint8Array): Promise<void> =>
  form(page)
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) })

const keepBytes = (page: Page) => form(page).getByRole('checkbox', { name: 'Keep its bytes as they are' })

test(
  'a user uploads a qcow2 image, sees what it is, and gets an image of the size of its disk',
  { ...story, ...noConverter },
  async ({ open, project, api }) => {
    const { formats } = (await api('member', 'GET', '/ext/v1/image-formats')) as Formats
    const whyNot = formats.find(({ format }) => format === 'qcow2')?.why_not
    test.skip(typeof whyNot === 'string', whyNot ?? '')
    const page = await open('member', `/projects/${project}/images-new`)
    await fill(page, 'disc', 'disk.qcow2', qcow2File({ size: 40 * MiB }))
    await expect(form(page)).toContainText('This is a qcow2 image')
    await expect(form(page)).toContainText(
      'The server converts it to a raw image of 40 MiB. Disks made from it need at least 1 GiB.',
    )
    await expect(form(page).getByText('Might not be bootable')).toBeHidden()
    await submit(page).click()
    await expect(steps(page, 'complete')).toHaveCount(4, { timeout: 60_000 })
    await expect(progress(page)).toContainText('Convert to a raw image')
    await progress(page).getByRole('button', { name: 'Done' }).click()
    await expect(row(page, 'disc')).toContainText('40 MiB')
    expect(await imageOf(api, project, 'disc')).toMatchObject({
      size: 40 * MiB,
      digest: {
        value: createHash('sha256')
          .update(Buffer.alloc(40 * MiB))
          .digest('hex'),
      },
    })
  },
)

test('a compressed image of any length is unpacked', noConverter, async ({ open, project, api }) => {
  const disk = randomFillSync(Buffer.alloc(3 * MiB))
  const packed = gzipSync(disk)
  // No whole number of blocks.
  const odd = packed.length % 512 === 0 ? Buffer.concat([packed, gzipSync('')]) : packed
  const page = await open('member', `/projects/${project}/images-new`)
  await fill(page, 'disc', 'disk.raw.gz', odd)
  await expect(form(page)).toContainText('This is a gzip file')
  await expect(form(page)).toContainText('The server unpacks it to a raw image, whose size is known then.')
  await submit(page).click()
  await expect(steps(page, 'complete')).toHaveCount(4, { timeout: 30_000 })
  await progress(page).getByRole('button', { name: 'Done' }).click()
  await expect(row(page, 'disc')).toContainText('3 MiB')
  const digest = { value: createHash('sha256').update(disk).digest('hex') }
  expect(await imageOf(api, project, 'disc')).toMatchObject({ size: 3 * MiB, digest })
  await expect(unfinished(page)).toBeHidden()
})

test('an image that needs another file is refused before it is sent, unless its bytes are kept', async ({
  open,
  project,
  api,
}) => {
  const page = await open('member', `/projects/${project}/images-new`)
  const hostile = qcow2File({ size: GiB, backingFile: '/etc/shadow' })
  await fill(page, 'disc', 'disk.qcow2', hostile)
  await expect(form(page)).toContainText('needs another file: it has a backing file')
  await expect(form(page)).toContainText('qemu-img convert -O qcow2 image whole.qcow2')
  await submit(page).click()
  await expect(form(page).getByLabel('Image file')).toHaveAccessibleDescription(
    /^disk\.qcow2 \S+ \S+ The file is a qcow2 image that needs another file: it has a backing file\.$/,
  )
  await keepBytes(page).check()
  await expect(form(page)).toContainText('Its bytes are kept as they are. Disks made from it do not boot.')
  // Another file begins anew.
  await form(page).getByRole('button', { name: 'Clear file' }).click()
  await choose(page, 'disk.qcow2', hostile)
  await expect(keepBytes(page)).not.toBeChecked()
  await keepBytes(page).check()
  await submit(page).click()
  await expect(steps(page, 'complete')).toHaveCount(4, { timeout: 20_000 })
  await progress(page).getByRole('button', { name: 'Done' }).click()
  expect(await imageOf(api, project, 'disc')).toMatchObject({
    size: hostile.length,
    digest: { value: createHash('sha256').update(hostile).digest('hex') },
  })
})

test('an appliance (OVA) is refused before any of it is sent', async ({ open, project, api }) => {
  const page = await open('member', `/projects/${project}/images-new`)
  // As tar writes its first header, with the mark of 1988.
  const ova = Buffer.alloc(4 * 512)
  ova.write('appliance.ovf')
  ova.write('ustar', 257)
  await fill(page, 'appliance', 'appliance.ova', ova)
  await expect(form(page)).toContainText('This is a tar archive, such as an OVA')
  await expect(form(page)).toContainText('Convert it to a raw image first: tar -xf image.ova')
  await submit(page).click()
  await expect(form(page).getByLabel('Image file')).toHaveAccessibleDescription(
    /^appliance\.ova \S+ \S+ It is not converted to a raw image\.$/,
  )
  const uploads = () => api('member', 'GET', `/ext/v1/image-uploads?project=${project}`)
  expect(await uploads()).toMatchObject({ items: [] })
})

test('a file that the server cannot convert says what to do instead', mocked, async ({ open, project }) => {
  const page = await open('member', '/favicon.ico')
  const whyNot = 'The server lacks the program qemu-img (package qemu-utils)'
  await page.route('**/ext/v1/image-formats', (route) =>
    route.fulfill({ json: { formats: [{ format: 'qcow2', why_not: whyNot }], max_size: GiB } }),
  )
  await page.goto(`/projects/${project}/images-new`)
  await fill(page, 'disc', 'disk.qcow2', qcow2File({ size: GiB }))
  await expect(form(page)).toContainText(
    `${whyNot}. Convert it to a raw image first: qemu-img convert -f qcow2 -O raw image.qcow2 image.raw`,
  )
  await submit(page).click()
  await expect(form(page).getByLabel('Image file')).toHaveAccessibleDescription(
    /^disk\.qcow2 \S+ \S+ The server lacks the program qemu-img \(package qemu-utils\)\.$/,
  )
  await choose(page, 'disk.qed', Buffer.from('QED\0'))
  await expect(form(page)).toContainText('This is a QED image')
  await expect(form(page)).toContainText('It is not converted to a raw image.')
})

test(
  'a conversion shows how far it is, continues in the background, and can be cancelled',
  mocked,
  async ({ open, project, api }) => {
    const page = await open('member', `/projects/${project}/images-new`)
    // The server's answers with another state: the upload itself stays open.
    const answer = async (route: Route): Promise<void> => {
      if (route.request().method() === 'DELETE') return route.continue()
      const id = /[0-9a-f-]{36}/.exec(new URL(route.request().url()).pathname)?.[0]
      const view = await api('member', 'GET', `/ext/v1/image-uploads/${id}`)
      return route.fulfill({ json: { ...(view as object), state: 'converting', percent_converted: 42 } })
    }
    await page.route('**/ext/v1/image-uploads/*/complete', async (route) => {
      await page.route(/\/ext\/v1\/image-uploads\/[0-9a-f-]{36}$/, answer)
      await answer(route)
    })
    await fill(page, 'disc', 'disk.raw.gz', gzipSync(randomFillSync(Buffer.alloc(MiB))))
    await submit(page).click()
    const bar = progress(page).getByRole('progressbar', { name: 'Conversion progress' })
    await expect(bar).toHaveAttribute('aria-valuenow', '42')
    await progress(page).getByRole('button', { name: 'Continue in background' }).click()
    const sign = page.getByRole('region', { name: 'Image upload' })
    await expect(sign).toContainText('Converting disc, 42 %')
    await sign.getByRole('button', { name: 'Show' }).click()
    await progress(page).getByRole('button', { name: 'Cancel' }).click()
    await page
      .getByRole('dialog', { name: 'Cancel upload' })
      .getByRole('button', { name: 'Cancel upload' })
      .click()
    await expect(progress(page)).toBeHidden()
    await expect
      .poll(async () => {
        const { items } = (await api('member', 'GET', `/ext/v1/image-uploads?project=${project}`)) as {
          items: unknown[]
        }
        return items
      })
      .toEqual([])
    await expect(notifications(page).getByText('Could not')).toBeHidden()
  },
)
