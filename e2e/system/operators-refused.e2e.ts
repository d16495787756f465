import type { Page } from '@playwright/test'
import { selfSigned } from '../../packages/control-plane/src/seed/self-signed.ts'
import { createSilo, deleteSilo } from '../support/silo-scenes.ts'
import { choose, confirm, notifications, row, rowAction } from '../support/steps.ts'
import { notOn, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const day = 86_400_000
const pools = '/v1/system/ip-pools'

/**
 * A self-signed pair for a host, valid from yesterday for some days; a negative number means it has expired.
 */
const pairFor = (host: string, days = 365) =>
  selfSigned(host, new Date(Date.now() - 100 * day), new Date(Date.now() + days * day))

const brokenChain = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'

const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

async function submitPair(page: Page, { cert, key }: { cert: string; key: string }): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Add TLS certificate' })
  await dialog.getByLabel('Cert', { exact: true }).setInputFiles(file('cert.pem', cert))
  await dialog.getByLabel('Key', { exact: true }).setInputFiles(file('key.pem', key))
  await dialog.getByRole('button', { name: 'Add certificate' }).click()
}

test(
  'an unusable certificate is refused with the reason, and the form keeps its values',
  notOn({ preview: 'cannot read certificates' }),
  async ({ open, api, project }) => {
    const silo = `cert-${project}`
    const host = `${silo}.sys.localhost`
    await createSilo(api, silo)
    try {
      const [good, other, expired, elsewhere] = await Promise.all([
        pairFor(host),
        pairFor(host),
        pairFor(host, -1),
        pairFor('elsewhere.sys.localhost'),
      ])
      const page = await open('admin', `/system/silos/${silo}/certificates`)
      await page.getByRole('button', { name: 'Add TLS certificate' }).click()
      const dialog = page.getByRole('dialog', { name: 'Add TLS certificate' })
      await dialog.getByLabel('Name', { exact: true }).fill('main')
      await dialog.getByLabel('Description').fill('of this silo')
      for (const [pair, why] of [
        [expired, 'expired'],
        [elsewhere, host],
        [{ cert: good.cert, key: other.key }, 'do not match'],
        [{ cert: '<xml/>', key: good.key }, 'is empty'],
        [{ cert: brokenChain, key: good.key }, 'Failed to parse certificate'],
        [{ cert: good.cert, key: 'no key' }, 'Failed to parse private key'],
      ] as const) {
        await submitPair(page, pair)
        await expect(dialog, why).toContainText(why)
        await expect(dialog.getByLabel('Name', { exact: true }), why).toHaveValue('main')
        await expect(dialog.getByLabel('Description'), why).toHaveValue('of this silo')
      }
      await submitPair(page, good)
      await expect(dialog).toBeHidden()
      await expect(row(page, 'main')).toContainText(host)
    } finally {
      await deleteSilo(api, silo)
    }
  },
)

test('a quota below current usage is allowed, with a warning in the form and the list', async ({
  open,
  api,
}) => {
  const quotas = '/v1/system/silos/lagoon/quotas'
  const { cpus } = (await api('admin', 'GET', quotas)) as { cpus: number }
  try {
    const page = await open('admin', '/system/silos/lagoon/quotas')
    await page.getByRole('button', { name: 'Edit quotas' }).click()
    const form = page.getByRole('dialog', { name: 'Edit quotas' })
    await form.getByRole('spinbutton', { name: 'CPU' }).fill('3')
    await expect(form).toContainText('CPU: the silo uses more than this quota already')
    await form.getByRole('button', { name: 'Update quotas' }).click()
    await expect(notifications(page)).toContainText('Quotas updated')
    await expect(row(page, 'CPU')).toContainText('Over quota')
    await expect(row(page, 'Memory')).toContainText('Within quota')
  } finally {
    await api('admin', 'PUT', quotas, { cpus })
  }
})

test('linking a pool that another operator links or deletes meanwhile is refused in the dialog', async ({
  open,
  api,
  project,
}) => {
  const silo = `link-${project}`
  const [linked, deleted] = [`linked-${project}`, `deleted-${project}`]
  await createSilo(api, silo)
  for (const name of [linked, deleted]) await api('admin', 'POST', pools, { name, description: '' })
  try {
    const page = await open('admin', `/system/silos/${silo}/ip-pools`)
    await page.getByRole('button', { name: 'Link pool' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Link pool' })
    const link = dialog.getByRole('button', { name: 'Link', exact: true })
    await choose(page, 'IP pool', new RegExp(`^${linked}`))
    await api('admin', 'POST', `${pools}/${linked}/silos`, { silo, is_default: false })
    await link.click()
    await expect(dialog.getByRole('alert').first()).toContainText(/already/i)
    await choose(page, 'IP pool', new RegExp(`^${deleted}`))
    await api('admin', 'DELETE', `${pools}/${deleted}`)
    await link.click()
    await expect(dialog.getByRole('alert').first()).toContainText(/not found/i)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(row(page, linked)).toBeVisible()
  } finally {
    await deleteSilo(api, silo)
    await api('admin', 'DELETE', `${pools}/${linked}`)
  }
})

test('deleting a pool to which another operator adds a range meanwhile is refused', async ({
  open,
  api,
  project,
}) => {
  const name = `kept-${project}`
  await api('admin', 'POST', pools, { name, description: '' })
  const page = await open('admin', '/system/networking/ip-pools')
  await rowAction(page, name, 'Delete')
  const digits = Number.parseInt(project.slice(-6), 16)
  const range = {
    first: `10.${128 + (digits % 64)}.${(digits >> 8) % 256}.1`,
    last: `10.${128 + (digits % 64)}.${(digits >> 8) % 256}.2`,
  }
  await api('admin', 'POST', `${pools}/${name}/ranges/add`, range)
  await confirm(page)
  await expect(notifications(page)).toContainText('IP Pool cannot be deleted while it contains IP ranges')
  await expect(notifications(page)).toContainText(`Remove its ranges first, beginning with ${range.first}`)
  await expect(row(page, name)).toBeVisible()
  await api('admin', 'POST', `${pools}/${name}/ranges/remove`, range)
  await api('admin', 'DELETE', `${pools}/${name}`)
})

test(
  'a taken name is refused at its field, and the rest of the form stays',
  story,
  async ({ open, api, project }) => {
    const silo = `names-${project}`
    await createSilo(api, silo)
    try {
      const page = await open('admin', `/system/silos/${silo}/users-new`)
      const form = page.getByRole('dialog', { name: 'Create user' })
      const password = { mode: 'login_disallowed' }
      const users = `/v1/system/identity-providers/local/users?silo=${silo}`
      await api('admin', 'POST', users, { external_id: 'nora', password })
      await form.getByLabel('Username').fill('nora')
      await form.getByRole('button', { name: 'Create user' }).click()
      await expect(form).toContainText(/already exists/)
      await expect(form.getByLabel('Username')).toHaveValue('nora')
    } finally {
      await deleteSilo(api, silo)
    }
  },
)
