import type { Page } from '@playwright/test'
import { inShell } from '../support/in-shell.ts'
import { expect, test } from '../support/test.ts'
import { notOn, story } from '../support/target.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: /^As code: / })

/** The code in a language, in the dialog that is open. */
async function codeIn(page: Page, language: string): Promise<string> {
  await dialog(page).getByRole('radio', { name: language, exact: true }).click()
  return (
    (await dialog(page)
      .getByRole('region', { name: `Code in ${language}` })
      .textContent()) ?? ''
  )
}

const close = (page: Page) => dialog(page).getByRole('button', { name: 'Close' }).first().click()

test(
  'a form as code does in a shell what the form would have done',
  { ...story, ...notOn({ preview: 'a program cannot reach the control plane in the page' }) },
  async ({ open, api, gantry }) => {
    await api('member', 'POST', '/v1/projects', { name: 'scripted', description: '' })
    const { token } = (await api('member', 'POST', '/ext/v1/me/access-tokens', {
      name: 'shell',
      ttl_seconds: 3600,
      powers: ['read', 'change'],
    })) as { token: string }
    const disks = async () => {
      const { items } = (await api('member', 'GET', '/v1/disks?project=scripted')) as {
        items: { name: string; description: string }[]
      }
      return items.map(({ name, description }) => [name, description])
    }

    const page = await open('member', '/projects/scripted/disks-new')
    const form = page.getByRole('dialog', { name: 'Create disk' })
    const show = form.getByRole('button', { name: 'Show as code' })
    await show.click()
    // What would be refused is shown as it is when the form is sent.
    await expect(form.getByText('Name is required')).toBeVisible()
    await expect(dialog(page)).toBeHidden()

    await form.getByLabel('Name', { exact: true }).fill('by-curl')
    await form.getByLabel('Description').fill(`Anna's $HOME \`id\` "1"`)
    await show.click()
    const curl = await codeIn(page, 'curl')
    expect(await codeIn(page, 'TypeScript')).toContain(
      "client(op.diskCreate, {\n  query: { project: 'scripted' },",
    )
    expect(await codeIn(page, 'Terraform')).toContain('project_id  = data.oxide_project.scripted.id')
    await close(page)
    // The form is still there, with all that was typed.
    await expect(form.getByLabel('Name', { exact: true })).toHaveValue('by-curl')
    expect(await disks()).toEqual([])
    await inShell(curl, gantry.url, token)

    await form.getByLabel('Name', { exact: true }).fill('by-gantry')
    await show.click()
    await inShell(await codeIn(page, 'gantry'), gantry.url, token)
    const description = `Anna's $HOME \`id\` "1"`
    expect(await disks()).toEqual([
      ['by-curl', description],
      ['by-gantry', description],
    ])
  },
)

test(
  'a list and the page of an object show how they are read',
  notOn({ preview: 'a program cannot reach the control plane in the page' }),
  async ({ open, api, gantry }) => {
    await api('member', 'POST', '/v1/projects', { name: 'read-as-code', description: '' })
    const body = { name: 'web', description: '', dns_name: 'web' }
    const { id } = (await api('member', 'POST', '/v1/vpcs?project=read-as-code', body)) as { id: string }
    const { token } = (await api('member', 'POST', '/ext/v1/me/access-tokens', {
      name: 'reader',
      ttl_seconds: 3600,
      powers: ['read'],
    })) as { token: string }

    const page = await open('member', '/projects/read-as-code/vpcs?filter=name%3Aweb')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'Show as code' }).click()
    const curl = await codeIn(page, 'curl')
    expect(curl).toContain('/ext/v1/vpcs?')
    expect((JSON.parse(await inShell(curl, gantry.url, token)) as { items: object[] }).items).toMatchObject([
      { name: 'web' },
    ])
    expect(await inShell(await codeIn(page, 'gantry'), gantry.url, token)).toMatch(/^NAME .*\nweb /)
    await dialog(page).getByRole('radio', { name: 'Terraform' }).click()
    await expect(dialog(page)).toContainText('The Terraform provider has no resource for this.')
    await close(page)

    await page.getByRole('link', { name: 'web', exact: true }).click()
    await page.getByRole('button', { name: 'VPC actions' }).click()
    await page.getByRole('menuitem', { name: 'Show as code' }).click()
    const terraform = await codeIn(page, 'Terraform')
    expect(terraform).toContain(`import {\n  to = oxide_vpc.web\n  id = "${id}"\n}`)
    const view = await codeIn(page, 'curl')
    expect(JSON.parse(await inShell(view, gantry.url, token))).toMatchObject({ id, name: 'web' })
  },
)

test('a secret is a variable in the code of its form', async ({ open }) => {
  const page = await open('admin', '/system/alerts-new')
  const form = page.getByRole('dialog', { name: 'Create alert receiver' })
  await form.getByLabel('Name', { exact: true }).fill('coded')
  await form.getByLabel('Endpoint').fill('https://alerts.example/hook')
  await form.getByLabel('Secret').fill('pebble-quarry-lamp')
  await form.getByRole('button', { name: 'Show as code' }).click()
  for (const language of ['curl', 'gantry', 'TypeScript']) {
    const code = await codeIn(page, language)
    expect(code).toContain('coded')
    expect(code).toContain('SECRETS')
    expect(code).not.toContain('pebble-quarry-lamp')
  }
})

test(
  'a form that sends several requests shows all of them, and they work in a shell',
  notOn({ preview: 'a program cannot reach the control plane in the page' }),
  async ({ open, api, gantry, machine, project }) => {
    await machine('host')
    const { token } = (await api('admin', 'POST', '/ext/v1/me/access-tokens', {
      name: 'steps',
      ttl_seconds: 3600,
      powers: ['read', 'change'],
    })) as { token: string }
    const page = await open('admin', `/projects/${project}/instances/host/storage`)
    await page.getByRole('button', { name: 'Create disk' }).click()
    const form = page.getByRole('dialog', { name: 'Create disk' })
    await form.getByLabel('Name', { exact: true }).fill('by-steps')
    await form.getByRole('button', { name: 'Show as code' }).click()
    const script = await codeIn(page, 'gantry')
    expect(script).toMatch(/run disk create [^]*run instance-disk attach host/)
    await inShell(script, gantry.url, token)
    const { items } = (await api('admin', 'GET', `/v1/instances/host/disks?project=${project}`)) as {
      items: { name: string }[]
    }
    expect(items.map(({ name }) => name)).toContain('by-steps')

    // Nothing of an upload is sent for its code.
    await page.goto(`/projects/${project}/images-new`)
    const upload = page.getByRole('dialog', { name: 'Upload image' })
    await upload.getByLabel('Name', { exact: true }).fill('by-code')
    await upload.getByLabel('OS', { exact: true }).fill('debian')
    await upload.getByLabel('Version').fill('13')
    await upload
      .locator('input[type=file]')
      .setInputFiles({ name: 'disk.raw', mimeType: '', buffer: Buffer.alloc(1024 * 1024) })
    await upload.getByRole('button', { name: 'Show as code' }).click()
    const typescript = await codeIn(page, 'TypeScript')
    expect(typescript).toMatch(/const imageUploadByCode = [^]*\/\/ Here go the bytes of a file/)
    expect(typescript).toContain('client(op.imageUploadComplete, { path: { upload: imageUploadByCode.id } })')
    expect(await api('admin', 'GET', `/ext/v1/image-uploads?project=${project}`)).toMatchObject({ items: [] })
  },
)
