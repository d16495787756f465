import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { selfSigned } from '../../packages/control-plane/src/seed/self-signed.ts'
import { confirm, notifications, row, rowAction, visit } from '../support/steps.ts'
import { notOn, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const dayMs = 86_400_000

const madeFor = (host: string, days: number) => {
  const now = Date.now()
  return selfSigned(host, new Date(now - dayMs), new Date(now + days * dayMs))
}

async function add(page: Page, name: string, { cert, key }: { cert: string; key: string }): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Add TLS certificate' })
  if (!(await dialog.isVisible())) await page.getByRole('button', { name: 'Add TLS certificate' }).click()
  const file = (text: string) => ({ name: 'file.pem', mimeType: 'text/plain', buffer: Buffer.from(text) })
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  await dialog.getByLabel('Cert', { exact: true }).setInputFiles(file(cert))
  await dialog.getByLabel('Key', { exact: true }).setInputFiles(file(key))
  await dialog.getByRole('button', { name: 'Add certificate' }).click()
}

test(
  'an administrator of a silo adds a certificate, sees when it expires, and deletes it',
  { ...story, ...notOn({ preview: 'cannot read certificates' }) },
  async ({ open, project, api }) => {
    const name = `tls-${project}`
    const page = await open('admin', '/projects')
    await page
      .getByRole('navigation', { name: 'Sidebar' })
      .getByRole('link', { name: 'Certificates' })
      .click()
    await expect(page).toHaveTitle(/^Certificates \//)

    // The dialog warns of another host at once, and the server refuses it.
    await add(page, name, await madeFor('other.sys.localhost', 365))
    const dialog = page.getByRole('dialog', { name: 'Add TLS certificate' })
    await expect(dialog).toContainText('other.sys.localhost')
    await expect(dialog.getByRole('alert').first()).toContainText('Certificate not valid for given hostnames')
    await add(page, name, { cert: 'not a certificate', key: 'not a key' })
    await expect(dialog).toContainText('Couldn’t parse certificate')
    await add(page, name, await madeFor('demo.sys.localhost', 12))
    await expect(dialog).toBeHidden()
    await expect(notifications(page)).toContainText('Certificate added')
    await expect(row(page, name)).toContainText('Expires soon')
    await expect(row(page, name)).toContainText('demo.sys.localhost')
    await expect(page.getByText(new RegExp(`^${name} expires on`))).toBeVisible()

    await row(page, name).getByRole('link', { name }).click()
    const panel = page.getByRole('dialog', { name: 'TLS certificate' })
    await expect(panel).toContainText('Expires soon')
    await expect(panel.getByRole('region', { name: 'Chain' })).toContainText('BEGIN CERTIFICATE')
    await expect(panel).not.toContainText('PRIVATE KEY')

    // When another administrator deletes it meanwhile, the panel closes.
    await api('admin', 'DELETE', `/v1/certificates/${name}`)
    await expect(panel).toBeHidden()
    await expect(row(page, name)).toBeHidden()
    await visit(page, `/certificates/${name}`)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await visit(page, '/certificates')

    await add(page, name, await madeFor('demo.sys.localhost', 365))
    await expect(row(page, name)).toContainText('Valid')
    await rowAction(page, name, 'Delete')
    await confirm(page)
    await expect(notifications(page)).toContainText(`Certificate ${name} deleted`)
    await expect(row(page, name)).toBeHidden()
  },
)

test(
  'a certificate that is not valid yet is kept and named as such',
  notOn({ preview: 'cannot read certificates' }),
  async ({ open, project, api }) => {
    const name = `later-${project}`
    const page = await open('admin', '/certificates')
    const from = new Date(Date.now() + 30 * dayMs)
    const dialog = page.getByRole('dialog', { name: 'Add TLS certificate' })
    await page.getByRole('button', { name: 'Add TLS certificate' }).click()
    const { cert } = await selfSigned('demo.sys.localhost', from, new Date(from.getTime() + 99 * dayMs))
    const file = (text: string) => ({ name: 'file.pem', mimeType: 'text/plain', buffer: Buffer.from(text) })
    await dialog.getByLabel('Cert', { exact: true }).setInputFiles(file(cert))
    await expect(dialog).toContainText('Certificate not valid yet')
    await add(page, name, await selfSigned('demo.sys.localhost', from, new Date(from.getTime() + 99 * dayMs)))
    await expect(dialog).toBeHidden()
    await expect(row(page, name)).toContainText('Not valid yet')
    await api('admin', 'DELETE', `/v1/certificates/${name}`)
  },
)

test(
  'a file that changes after it was chosen is asked for again, and a private key is not sent',
  notOn({ preview: 'cannot read certificates' }),
  async ({ open }, info) => {
    const page = await open('admin', '/certificates')
    await page.getByRole('button', { name: 'Add TLS certificate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add TLS certificate' })
    const { cert, key } = await madeFor('demo.sys.localhost', 99)
    const file = info.outputPath('chain.pem')
    await writeFile(file, cert)
    await dialog.getByLabel('Name', { exact: true }).fill('changed')
    await dialog.getByLabel('Cert', { exact: true }).setInputFiles(file)
    await dialog
      .getByLabel('Key', { exact: true })
      .setInputFiles({ name: 'key.pem', mimeType: 'text/plain', buffer: Buffer.from(key) })
    await writeFile(file, `${cert}\n${cert}`)
    const submit = dialog.getByRole('button', { name: 'Add certificate' })
    await submit.click()
    await expect(dialog.getByRole('alert')).toContainText(
      'The file was changed since it was chosen. Choose it again.',
    )
    await writeFile(file, key)
    await dialog.getByLabel('Cert', { exact: true }).setInputFiles(file)
    await submit.click()
    await expect(dialog.getByRole('alert')).toContainText(
      'Cert: this file is a private key. It was not sent.',
    )
  },
)

test('a member of a silo sees why its certificates are hidden', async ({ open }) => {
  const page = await open('member', '/certificates')
  await expect(page.getByRole('heading', { name: 'Certificates not shown' })).toBeVisible()
  await expect(page.getByText(/You need the role admin/)).toBeVisible()
  const rail = page.getByRole('navigation', { name: 'Sidebar' })
  await expect(rail.getByRole('link', { name: 'Silo Access' })).toBeVisible()
  await expect(rail.getByRole('link', { name: 'Certificates' })).toBeHidden()
})
