import type { Page } from '@playwright/test'
import { furnishNetwork } from '../support/network-steps.ts'
import { probeIn } from '../support/probe-steps.ts'
import { menuItem, openRowMenu, row, rowAction, visit } from '../support/steps.ts'
import { notOn, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

/**
 * Makes the server look like one of another make, which has the base API alone. Pages are opened with a query, because
 * in those the server embeds no answers.
 */
const withoutExtensions = (page: Page) =>
  page.route('**/ext/v1/**', (route) => route.fulfill({ status: 404, body: '' }))

const tell = notOn({ preview: 'intercepts requests, which the preview does not send' })

test(
  'operators use bundles, alerts, probes and the audit log of a server with the base API alone',
  { ...story, ...tell },
  async ({ open, api, project }) => {
    const name = `plain-${project}`
    await probeIn(api, project, name)
    await api('admin', 'POST', '/experimental/v1/system/support-bundles', { user_comment: name })
    await api('admin', 'POST', '/v1/webhook-receivers', {
      name,
      description: '',
      endpoint: 'https://alerts.example.com/hook',
      secrets: ['secret'],
      subscriptions: ['issue.**'],
    })
    const page = await open('admin', '/projects')
    await withoutExtensions(page)

    await visit(page, `/projects/${project}/probes?plain`)
    await expect(row(page, name)).toContainText(/172\.30\.\d+\.\d+/)

    await visit(page, '/system/support-bundles?plain')
    const bundle = page.getByRole('row', { name: new RegExp(name) })
    await expect(bundle).toContainText('Ready', { timeout: 30_000 })
    await bundle.getByRole('link').first().click()
    await expect(page.getByRole('button', { name: 'Download versions.json' })).toBeVisible()

    await visit(page, '/system/alerts?plain')
    await expect(row(page, name)).toContainText('Not reported')
    await visit(page, `/system/alerts/${name}?tab=subscriptions`)
    await expect(page.getByRole('row').filter({ hasText: 'issue.**' })).toContainText(
      'issue.failed_instance.began',
    )

    const id = '5f0c1a52-8f0e-4d5e-9a55-6f6d8f2b7c11'
    const delivery = {
      id,
      receiver_id: id,
      alert_id: id,
      alert_class: 'issue.failed_instance.began',
      state: 'delivered',
      trigger: 'alert',
      time_started: '2026-01-01T00:00:00Z',
      attempts: { webhook: [] },
    }
    await page.route('**/deliveries?**', (route) => route.fulfill({ json: { items: [delivery] } }))
    await visit(page, `/system/alerts/${name}?tab=deliveries&delivery=${id}`)
    const shown = page.getByRole('row').filter({ hasText: delivery.alert_class })
    await expect(shown).toContainText('Delivered')
    await expect(shown.getByRole('link')).toHaveCount(0)

    await visit(page, '/system/silos/demo/quotas?plain')
    await expect(page.getByRole('tab', { name: 'Fleet roles' })).toBeVisible()
    await expect(page.getByRole('tab', { name: 'Certificates' })).toHaveCount(0)

    await visit(page, '/system/audit-log?plain')
    await expect(page.getByRole('row', { name: /Webhook receiver create/ }).first()).toContainText(
      'Success 201',
    )
    await expect(page.getByLabel('From')).toBeVisible()
    await expect(page.getByRole('searchbox', { name: 'Operation' })).toHaveCount(0)
  },
)

test(
  'an operator applies port settings for good on a server that cannot revert them',
  tell,
  async ({ open, api }) => {
    await furnishNetwork(api)
    const page = await open('admin', '/projects')
    await withoutExtensions(page)
    await visit(page, '/system/networking/fabric?plain')
    await page.getByRole('button', { name: 'Apply settings' }).click()
    const choose = page.getByRole('dialog', { name: 'Apply settings to a port' })
    await choose.getByRole('combobox', { name: 'Port' }).selectOption('switch1 qsfp8')
    await choose.getByRole('combobox', { name: 'Settings' }).selectOption('spare')
    await choose.getByRole('button', { name: 'Review change' }).click()
    const review = page.getByRole('dialog', { name: 'Apply spare to switch1 qsfp8' })
    await expect(review).toContainText('This change does not revert automatically')
    await review.getByRole('button', { name: 'Apply', exact: true }).click()
    await expect(row(page, 'switch1 qsfp8')).toContainText('spare')

    await rowAction(page, 'switch1 qsfp8', 'View link state')
    await expect(page.getByRole('dialog', { name: 'Link state' })).toContainText('{')
    await page.keyboard.press('Escape')

    await rowAction(page, 'switch1 qsfp8', 'Clear settings')
    await page.getByRole('dialog').getByRole('button', { name: 'Apply', exact: true }).click()
    await expect(row(page, 'switch1 qsfp8')).toHaveCount(0)
  },
)

test(
  'the page of a VPC of a server with the base API alone says nothing of its network',
  tell,
  async ({ open, project }) => {
    const page = await open('member', '/projects')
    await withoutExtensions(page)
    const asked = page.waitForResponse('**/ext/v1/vpcs/default/network?*')
    await visit(page, `/projects/${project}/vpcs/default/subnets?plain`)
    expect((await asked).status()).toBe(404)
    await expect(row(page, 'default')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'default' })).toBeVisible()
    await expect(page.getByText('Network', { exact: true })).toHaveCount(0)
  },
)

test(
  'names in rows follow the changes of others on a server with the base API alone',
  tell,
  async ({ open, machine, api, project }) => {
    const inVpc = `project=${project}&vpc=default`
    const fields = (name: string) => ({ name, description: '' })
    const hold = (address: string, parent: string) =>
      api('member', 'POST', `/v1/floating-ips/${address}/attach?project=${project}`, {
        kind: 'instance',
        parent,
      })
    await machine('first')
    await api('member', 'POST', `/v1/vpc-routers?${inVpc}`, fields('edge'))
    await api('member', 'PUT', `/v1/vpc-subnets/default?${inVpc}`, { custom_router: 'edge' })
    for (const name of ['door', 'gate'])
      await api('member', 'POST', `/v1/floating-ips?project=${project}`, fields(name))
    await hold('door', 'first')
    const page = await open('member', '/projects')
    await withoutExtensions(page)
    await page.clock.install()

    await visit(page, `/projects/${project}/vpcs/default/subnets?plain`)
    await expect(row(page, 'default')).toContainText('edge')
    await api('member', 'PUT', `/v1/vpc-routers/edge?${inVpc}`, { name: 'border' })
    await page.clock.runFor(61_000)
    await expect(row(page, 'default')).toContainText('border')

    await visit(page, `/projects/${project}/floating-ips?plain`)
    await expect(row(page, 'door')).toContainText('first')
    await machine('second')
    await hold('gate', 'second')
    await page.clock.runFor(61_000)
    await expect(row(page, 'gate')).toContainText('second')
  },
)

test(
  'queries run, and none is saved, on a server with the base API alone',
  tell,
  async ({ open, project }) => {
    const page = await open('member', '/projects')
    await withoutExtensions(page)
    await visit(page, `/projects/${project}/metrics?q=get+virtual_disk%3Areads`)
    await expect(page.getByRole('region', { name: 'Result' })).toContainText('No data')
    await expect(page.getByRole('button', { name: 'Save query' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Run query' }).click()
    await page.getByRole('button', { name: 'Queries' }).click()
    const queries = page.getByRole('dialog', { name: 'Queries' })
    await expect(queries.getByRole('button', { name: 'get virtual_disk:reads' })).toBeVisible()
    await expect(queries.getByText('Saved')).toHaveCount(0)
    await expect(queries.getByRole('link', { name: 'Manage saved queries' })).toHaveCount(0)
  },
)

test(
  'operators use inventory, IP pools and silos of a server with the base API alone',
  tell,
  async ({ open }) => {
    const page = await open('admin', '/projects')
    await withoutExtensions(page)

    await visit(page, '/system/inventory/sleds?plain')
    await expect(row(page, 'GS-002')).toContainText('Active')
    for (const name of ['Threads reserved', 'Memory reserved'])
      await expect(row(page, 'GS-002').getByRole('meter', { name })).toBeVisible()
    await openRowMenu(page, 'GS-002')
    await expect(menuItem(page, 'Copy ID')).toBeVisible()
    await expect(menuItem(page, 'Drain')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('tab', { name: 'Disks' })).toBeVisible()
    await expect(page.getByRole('tab', { name: 'Rack' })).toHaveCount(0)
    const sidebar = page.getByRole('navigation', { name: 'Sidebar navigation' })
    await expect(sidebar.getByRole('link', { name: 'Issues' })).toHaveCount(0)
    for (const name of ['Alerts', 'Networking', 'Support bundles'])
      await expect(sidebar.getByRole('link', { name, exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'GS-002' }).click()
    await expect(page.getByRole('heading', { name: 'Sled GS-002' })).toBeVisible()
    await visit(page, '/system/inventory/racks?plain')
    await expect(page).toHaveURL(/\/system\/inventory\/sleds/)

    await visit(page, '/system/networking/ip-pools?plain')
    await expect(row(page, 'external')).toContainText(/\d+\s*\/\s*\d+/)
    await expect(row(page, 'external').getByRole('cell').nth(2)).toHaveText(/^[1-9]\d*$/)
    await page.getByRole('link', { name: 'external', exact: true }).click()
    await expect(page.getByRole('tab', { name: 'Linked silos' })).toBeVisible()
    await expect(page.getByRole('tab', { name: 'Addresses' })).toHaveCount(0)
    await page.getByRole('tab', { name: 'Linked silos' }).click()
    await expect(row(page, 'demo')).toContainText('default')

    await visit(page, '/system/silos?plain')
    await expect(row(page, 'demo')).toContainText('local only')
    await visit(page, '/system/silos/demo/idps?plain')
    await expect(page.getByRole('tab', { name: 'Quotas' })).toBeVisible()
    await expect(page.getByRole('tab', { name: 'Groups' })).toHaveCount(0)
    await expect(page.getByRole('tab', { name: 'Projects' })).toHaveCount(0)
  },
)
