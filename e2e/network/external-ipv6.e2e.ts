import type { Api } from '../support/scenes.ts'
import { choose, confirm, menuItem, notifications, openRowMenu, visit } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

const pools = '/v1/system/ip-pools'

/** Runs this while the silo of the members has a pool of IPv6 addresses, its default one of this version. */
async function withIpv6Pool(api: Api, run: () => Promise<void>): Promise<void> {
  await api('admin', 'POST', pools, { name: 'routed', description: '' })
  const range = { first: '2001:db8:5::10', last: '2001:db8:5:0:ffff:ffff:ffff:ffff' }
  await api('admin', 'POST', `${pools}/routed/ranges/add`, range)
  await api('admin', 'POST', `${pools}/routed/silos`, { silo: 'demo', is_default: true })
  await run()
  await api('admin', 'DELETE', `${pools}/routed/silos/demo`)
  await api('admin', 'POST', `${pools}/routed/ranges/remove`, range)
  await api('admin', 'DELETE', `${pools}/routed`)
}

test('a new instance gets an ephemeral address of each IP version, and loses and gets one again', ({
  open,
  project,
  api,
}) =>
  withIpv6Pool(api, async () => {
    const page = await open('member', `/projects/${project}/instances-new`)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('both')
    await choose(page, 'Image', /alpine-3-22/)
    await page.getByText('Networking', { exact: true }).click()
    const six = page.getByRole('checkbox', { name: 'Allocate and attach an ephemeral IPv6 address' })
    await expect(six).not.toBeChecked()
    await six.check()
    await expect(page.getByRole('combobox', { name: 'IP pool for ephemeral IPv6 address' })).toHaveValue(
      'routed',
    )
    await page.getByRole('radio', { name: 'IPv4 only' }).check()
    await expect(six).toBeDisabled()
    await expect(page.getByText('The primary network interface has no IPv6 address.')).toBeVisible()
    await page.getByRole('radio', { name: 'IPv4 and IPv6' }).check()

    await page.getByRole('button', { name: 'Create instance' }).click()
    await expect(page).toHaveURL(/instances\/both/)

    await visit(page, `/projects/${project}/instances/both/networking`)
    const kinds = page.getByRole('table', { name: 'External IPs' }).getByText('ephemeral', { exact: true })
    await expect(kinds).toHaveCount(2)
    const attach = page.getByRole('button', { name: 'Attach ephemeral IP' })
    await expect(attach).toHaveCount(0)
    await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 15_000 })
    const detach = async () => {
      await openRowMenu(page, '2001:db8:5::10')
      await menuItem(page, 'Detach').click()
      await confirm(page)
      await expect(notifications(page)).toContainText('Ephemeral IP detached')
      await expect(kinds).toHaveCount(1)
    }
    await detach()
    await attach.click()
    const form = page.getByRole('dialog', { name: 'Attach ephemeral IP' })
    await expect(form.getByRole('combobox', { name: 'IP pool' })).toHaveValue('routed')
    await form.getByRole('button', { name: 'Attach' }).click()
    await expect(notifications(page)).toContainText('attached')
    await expect(kinds).toHaveCount(2)
    await expect(attach).toHaveCount(0)

    await visit(page, `/projects/${project}/floating-ips-new`)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('far')
    await page.getByText('Advanced', { exact: true }).click()
    await choose(page, 'IP pool', 'routed')
    await page.getByRole('button', { name: 'Create floating IP' }).click()
    await expect(page.getByText('2001:db8:5::11').first()).toBeVisible()
    await api('member', 'DELETE', `/v1/floating-ips/far?project=${project}`)

    await visit(page, `/projects/${project}/instances/both/networking`)
    await detach()
  }))
