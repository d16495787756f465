import type { Page } from '@playwright/test'
import { selfSigned } from '../../packages/control-plane/src/seed/self-signed.ts'
import { confirm, notifications, openRowMenu, row, rowAction, visit } from '../support/steps.ts'
import { createSilo, deleteSilo } from '../support/silo-scenes.ts'
import { notOn, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const day = 86_400_000
const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })

async function addCertificate(page: Page, name: string, host: string, days = 365): Promise<void> {
  const now = Date.now()
  await addFiles(page, name, await selfSigned(host, new Date(now - day), new Date(now + days * day)))
}

async function addFiles(page: Page, name: string, { cert, key }: { cert: string; key: string }) {
  const dialog = page.getByRole('dialog', { name: 'Add TLS certificate' })
  const file = (text: string) => ({ name: 'file.pem', mimeType: 'text/plain', buffer: Buffer.from(text) })
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  await dialog.getByLabel('Cert', { exact: true }).setInputFiles(file(cert))
  await dialog.getByLabel('Key', { exact: true }).setInputFiles(file(key))
  await dialog.getByRole('button', { name: 'Add certificate' }).click()
  await expect(dialog).toBeHidden()
}

test(
  'an operator creates a silo, keeps the input after a refusal, and deletes it',
  { ...story, ...notOn({ preview: 'cannot read certificates' }) },
  async ({ open, project }) => {
    const name = `new-${project}`
    const page = await open('admin', '/system/silos')
    await page.getByRole('link', { name: 'New silo' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create silo' })
    await form.getByRole('button', { name: 'Create silo' }).click()
    await expect(field(page, 'Name')).toHaveAccessibleDescription(/Name is required/)
    await expect(form).toContainText('TLS Certificates (optional)')

    await field(page, 'Name').fill(name)
    await form.getByRole('spinbutton', { name: 'CPU quota' }).fill('12')
    await field(page, 'Admin group name').fill('operators')
    await form.getByRole('radio', { name: 'Local only' }).check()
    await expect(field(page, 'Admin group name')).toBeHidden()
    await form.getByRole('radio', { name: 'SAML + JIT' }).check()
    await expect(field(page, 'Admin group name')).toHaveValue('')
    await field(page, 'Admin group name').fill('operators')
    await form.getByRole('checkbox', { name: 'Grant fleet viewer role to silo viewers' }).check()

    // The server refuses a certificate for another host, and the input stays.
    await form.getByRole('button', { name: 'Add TLS certificate' }).click()
    await addCertificate(page, 'other', 'other.sys.localhost')
    await form.getByRole('button', { name: 'Create silo' }).click()
    await expect(form.getByRole('alert').first()).toContainText(`${name}.sys.localhost`)
    await expect(field(page, 'Name')).toHaveValue(name)
    await expect(form.getByRole('spinbutton', { name: 'CPU quota' })).toHaveValue('12')

    // It also refuses a certificate that it cannot parse.
    await form.getByRole('button', { name: 'remove cert other' }).click()
    await form.getByRole('button', { name: 'Add TLS certificate' }).click()
    const cert = '-----BEGIN CERTIFICATE-----\nbm90IG9uZQ==\n-----END CERTIFICATE-----\n'
    await addFiles(page, 'broken', { cert, key: 'not a key' })
    await form.getByRole('button', { name: 'Create silo' }).click()
    await expect(form.getByRole('alert').first()).toContainText('Failed to parse certificate')
    await expect(field(page, 'Name')).toHaveValue(name)

    await form.getByRole('button', { name: 'remove cert broken' }).click()
    await form.getByRole('button', { name: 'Add TLS certificate' }).click()
    await addCertificate(page, 'main', `${name}.sys.localhost`, 12)
    await form.getByRole('button', { name: 'Create silo' }).click()
    await expect(notifications(page)).toContainText(`Silo ${name} created`)
    await expect(form).toBeHidden()

    await row(page, name).getByRole('link', { name }).click()
    await page.getByRole('tab', { name: 'Fleet roles' }).click()
    await expect(page.getByRole('tabpanel')).toContainText(/Silo viewer.*Fleet viewer/)
    await expect(page.getByRole('tabpanel')).not.toContainText('admin')
    await page.getByRole('tab', { name: 'Groups' }).click()
    await expect(row(page, 'operators')).toContainText('Silo admin')
    await page.getByRole('tab', { name: 'Certificates' }).click()
    await expect(row(page, 'main')).toContainText('Expires soon')
    await expect(page.getByText(/^main expires on/)).toBeVisible()

    await page.getByRole('button', { name: 'Silo actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    // Its group and certificate go with it, which the plan shows.
    await page.getByLabel('Type the silo’s name').fill(name)
    await page.getByRole('button', { name: 'Delete silo' }).click()
    await expect(notifications(page)).toContainText(`Silo ${name} deleted`)
    await expect(page).toHaveURL(/\/system\/silos$/)
    await expect(row(page, name)).toBeHidden()
  },
)

test('the deletion of a silo shows all that goes with it', async ({ open }) => {
  const page = await open('admin', '/system/silos')
  await rowAction(page, 'demo', 'Delete')
  await expect(page.getByRole('heading', { name: 'Delete silo demo' })).toBeVisible()
  const tree = page.getByRole('table', { name: /What goes/ })
  await tree.getByRole('button', { name: /^Projects?$/ }).click()
  await expect(tree).toContainText('playground')
  await expect(tree.getByRole('button', { name: 'Users', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete silo' })).toHaveAccessibleDescription(
    'Type demo to confirm.',
  )
})

test('a fleet viewer views a silo and reads why it is read-only', async ({ open, api }) => {
  const policy = (await api('admin', 'GET', '/v1/system/policy')) as { role_assignments: object[] }
  const { items } = (await api('admin', 'GET', '/v1/users?limit=100')) as {
    items: { id: string; display_name: string }[]
  }
  const identity_id = items.find(({ display_name }) => display_name === 'viewer')?.id
  const assignment = { identity_type: 'silo_user', identity_id, role_name: 'viewer' }
  await api('admin', 'PUT', '/v1/system/policy', {
    role_assignments: [...policy.role_assignments, assignment],
  })
  try {
    const page = await open('viewer', '/system/silos/demo?tab=quotas')
    await expect(page).toHaveURL(/\/silos\/demo\/quotas$/)
    const edit = page.getByRole('button', { name: 'Edit quotas' })
    await expect(edit).toHaveAttribute('aria-disabled', 'true')
    await edit.focus()
    await expect(page.getByRole('tooltip').first()).toContainText('You need the role')
    await page.getByRole('tab', { name: 'Users' }).click()
    await expect(row(page, 'omar')).toContainText('engineers')
    await expect(page.getByRole('tabpanel')).toContainText('You need the role')
    await page.getByRole('tab', { name: 'Projects' }).click()
    await expect(row(page, 'playground')).toBeVisible()
    await page.getByRole('tab', { name: 'IP Pools' }).click()
    await expect(page.getByRole('button', { name: 'Link pool' })).toHaveAttribute('aria-disabled', 'true')
  } finally {
    await api('admin', 'PUT', '/v1/system/policy', { role_assignments: policy.role_assignments })
  }
})

test('an undiscoverable silo is listed, with its pool', async ({ open, api, project }) => {
  const silo = `unlisted-${project}`
  await createSilo(api, silo, { discoverable: false })
  await api('admin', 'POST', '/v1/system/ip-pools', { name: silo, description: '' })
  await api('admin', 'POST', `/v1/system/ip-pools/${silo}/silos`, { silo, is_default: false })
  try {
    const page = await open('admin', '/system/silos')
    await expect(row(page, silo).getByRole('img', { name: 'false' })).toBeVisible()
    await visit(page, `/system/networking/ip-pools/${silo}?tab=silos`)
    await expect(row(page, silo)).toBeVisible()
    // Linked already, so the dialog does not offer it.
    await page.getByRole('button', { name: 'Link silo' }).click()
    await page.getByRole('dialog', { name: 'Link silo' }).getByRole('combobox', { name: 'Silo' }).click()
    await expect(page.getByRole('option', { name: 'demo' })).toBeVisible()
    await expect(page.getByRole('option', { name: silo })).toHaveCount(0)
    await visit(page, '/system/networking/ip-pools/external?tab=silos')
    await page.getByRole('button', { name: 'Link silo' }).click()
    await page.getByRole('dialog', { name: 'Link silo' }).getByRole('combobox', { name: 'Silo' }).click()
    await expect(page.getByRole('option', { name: silo })).toBeVisible()
  } finally {
    await deleteSilo(api, silo)
    await api('admin', 'DELETE', `/v1/system/ip-pools/${silo}`)
  }
})

test('a concurrent quota change is shown to the second operator', async ({ open, api, project }) => {
  const silo = `quota-${project}`
  await createSilo(api, silo)
  try {
    const page = await open('admin', `/system/silos/${silo}/quotas`)
    await page.getByRole('button', { name: 'Edit quotas' }).click()
    const form = page.getByRole('dialog', { name: 'Edit quotas' })
    const cpus = form.getByRole('spinbutton', { name: 'CPU' })
    await expect(cpus).toHaveValue('8')
    await cpus.fill('2.5')
    await form.getByRole('button', { name: 'Update quotas' }).click()
    await expect(cpus).toHaveAccessibleDescription('Must be a whole number')
    await cpus.fill('20')
    await api('admin', 'PUT', `/v1/system/silos/${silo}/quotas`, { cpus: 16, memory: 12 * 1024 ** 3 })
    await form.getByRole('button', { name: 'Update quotas' }).click()
    await expect(form.getByRole('alert').first()).toBeVisible()
    await expect(cpus).toHaveValue('20')
    await form.getByRole('button', { name: 'Update quotas' }).click()
    await expect(notifications(page)).toContainText('Quotas updated')
    await expect(row(page, 'CPU')).toContainText('20')
    // What the other operator changed beside it stays.
    await expect(row(page, 'Memory')).toContainText('12')
    await api('admin', 'PUT', `/v1/system/silos/${silo}/quotas`, { cpus: 24 })
    await expect(row(page, 'CPU')).toContainText('24')
    // The answer of a closed form is kept for a second.
    await page.waitForTimeout(1500)
    await page.getByRole('button', { name: 'Edit quotas' }).click()
    await expect(cpus).toHaveValue('24')
  } finally {
    await deleteSilo(api, silo)
  }
})

test('changing one quota leaves the exact values of the others', async ({ open, api, project }) => {
  const silo = `exact-${project}`
  await createSilo(api, silo)
  const path = `/v1/system/silos/${silo}/quotas`
  // Not a whole number of hundredths of a GiB, which the form shows.
  const memory = 100_000_000_000
  await api('admin', 'PUT', path, { memory })
  try {
    const page = await open('admin', `/system/silos/${silo}/quotas`)
    await page.getByRole('button', { name: 'Edit quotas' }).click()
    const form = page.getByRole('dialog', { name: 'Edit quotas' })
    const cpus = form.getByRole('spinbutton', { name: 'CPU' })
    await cpus.fill('')
    await expect(form.getByText('uses more than this quota')).toHaveCount(0)
    await cpus.fill('9')
    await form.getByRole('button', { name: 'Update quotas' }).click()
    await expect(notifications(page)).toContainText('Quotas updated')
    expect(await api('admin', 'GET', path)).toMatchObject({ cpus: 9, memory })
  } finally {
    await deleteSilo(api, silo)
  }
})

test('a pool can be linked to a silo, made its default and unlinked', async ({ open, api, project }) => {
  const silo = `pools-${project}`
  await createSilo(api, silo)
  const pools = [`${project}-one`, `${project}-two`]
  for (const name of pools) await api('admin', 'POST', '/v1/system/ip-pools', { name, description: '' })
  try {
    const page = await open('admin', `/system/silos/${silo}/ip-pools`)
    for (const pool of pools) {
      await page.getByRole('button', { name: 'Link pool' }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Link pool' })
      await dialog.getByRole('combobox', { name: 'IP pool' }).click()
      await page.getByRole('option', { name: pool }).click()
      await dialog.getByRole('button', { name: 'Link', exact: true }).click()
      await expect(row(page, pool)).toBeVisible()
    }
    await rowAction(page, pools[0] ?? '', 'Make default')
    await expect(page.getByRole('dialog', { name: 'Confirm make default' })).toBeVisible()
    await confirm(page)
    await expect(row(page, pools[0] ?? '')).toContainText('default')
    await rowAction(page, pools[1] ?? '', 'Make default')
    await expect(page.getByRole('dialog', { name: 'Confirm change default' })).toContainText(
      new RegExp(`from ${pools[0]} to ${pools[1]}`),
    )
    await confirm(page)
    await expect(row(page, pools[0] ?? '')).not.toContainText('default')
    await rowAction(page, pools[1] ?? '', 'Clear default')
    await confirm(page)
    await expect(row(page, pools[1] ?? '')).not.toContainText('default')
    await openRowMenu(page, pools[0] ?? '')
    await page.getByRole('menuitem', { name: 'Unlink' }).click()
    await confirm(page)
    await expect(row(page, pools[0] ?? '')).toBeHidden()
  } finally {
    await deleteSilo(api, silo)
    for (const name of pools) await api('admin', 'DELETE', `/v1/system/ip-pools/${name}`)
  }
})

test(
  'a silo without a pool to link says why, and offers to create the first',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, api, project }) => {
    const silo = `poolless-${project}`
    await createSilo(api, silo)
    try {
      const page = await open('admin', '/favicon.ico')
      const pools = /\/v1\/system\/ip-pools\?/
      await page.route(pools, (route) => route.fulfill({ json: { items: [], next_page: null } }))
      await visit(page, `/system/silos/${silo}/ip-pools`)
      await expect(page.getByText('Create and link an IP pool to see it here')).toBeVisible()
      await expect(page.getByRole('link', { name: 'New IP pool' })).toBeVisible()
      const link = page.getByRole('button', { name: 'Link pool' })
      await link.click()
      const box = page.getByRole('dialog', { name: 'Link pool' }).getByRole('combobox', { name: 'IP pool' })
      await expect(box).toHaveAccessibleDescription('No IP pools exist yet.')

      await page.unroute(pools)
      const { items } = (await api('admin', 'GET', '/v1/system/ip-pools?limit=1000')) as {
        items: { name: string }[]
      }
      for (const { name } of items)
        await api('admin', 'POST', `/v1/system/ip-pools/${name}/silos`, { silo, is_default: false })
      await visit(page, `/system/silos/${silo}/ip-pools`)
      await link.click()
      await expect(box).toHaveAccessibleDescription('All IP pools are linked already.')
    } finally {
      await deleteSilo(api, silo)
    }
  },
)

test('an operator finds a silo by a linked pool, and what hides it', async ({ open, api }) => {
  const silo = { description: '', discoverable: false, identity_mode: 'local_only', mapped_fleet_roles: {} }
  const quotas = { cpus: 1, memory: 2 ** 30, storage: 2 ** 30 }
  await api('admin', 'POST', '/v1/system/silos', { ...silo, name: 'found', quotas, tls_certificates: [] })
  await api('admin', 'POST', '/v1/system/ip-pools', { name: 'for-found', description: '', ip_version: 'v6' })
  const link = { silo: 'found', is_default: false }
  await api('admin', 'POST', '/v1/system/ip-pools/for-found/silos', link)
  const page = await open('admin', '/system/silos')
  const filter = page.getByRole('combobox', { name: 'Filter silos' })
  await filter.fill('pool:for-found discoverable:no')
  await filter.press('Enter')
  await expect(page.getByRole('row', { name: /found/ })).toHaveCount(1)
  await expect(page.getByRole('main')).toContainText(/1 of \d+ match/)
  await filter.fill('name:found discoverable:yes')
  await filter.press('Enter')
  await expect(page.getByRole('list', { name: 'What hides them' })).toContainText(
    'Without discoverable:yes, 1 matches',
  )
  await page.goto('/system/networking/ip-pools?filter=silo:found')
  await expect(page.getByRole('row', { name: /for-found/ })).toHaveCount(1)
})
