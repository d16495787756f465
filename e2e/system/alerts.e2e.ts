import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { asFleetViewer } from '../support/fleet-steps.ts'
import { ownServer, testOwnServer } from '../support/own-server.ts'
import type { Stage } from '../support/stage.ts'
import { confirm, menuItem, notifications, row, rowAction } from '../support/steps.ts'
import { notOn, story } from '../support/target.ts'
import { expect } from '../support/test.ts'

interface Hook {
  url: string
  heard: { headers: IncomingHttpHeaders; body: string }[]
  /** The status of further responses. */
  answer: (status: number) => void
}

/** A server that may call loopback and checks for issues each second, and a receiver that listens there. */
const test = testOwnServer({
  egress: { allowed_networks: ['127.0.0.0/8'] },
  issues: { check_seconds: 1 },
}).extend<{ hook: Hook }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape
  hook: async ({}, use) => {
    const heard: Hook['heard'] = []
    let status = 200
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (piece: Buffer) => (body += piece.toString()))
      request.on('end', () => {
        heard.push({ headers: request.headers, body })
        response.writeHead(status).end(`said ${status}`)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await use({ url: urlOf(server), heard, answer: (next) => (status = next) })
    server.closeAllConnections()
    server.close()
  },
})

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click()

/** Makes an issue begin: the storage of the silo is used up. */
async function shortage({ api }: Stage): Promise<void> {
  await api('admin', 'POST', '/v1/disks?project=playground', {
    name: 'filler',
    description: '',
    size: 1024 ** 3,
    disk_source: { type: 'blank', block_size: 512 },
  })
  const use = (await api('admin', 'GET', '/v1/system/utilization/silos/demo')) as {
    provisioned: { storage: number }
  }
  await api('admin', 'PUT', '/v1/system/silos/demo/quotas', { storage: use.provisioned.storage })
}

test(
  'an operator creates a receiver, tests it, reads its deliveries and resends one',
  { ...story, ...ownServer },
  async ({ own, hook }) => {
    const page = await own.open('admin', '/system')
    await page.getByRole('navigation', { name: 'Sidebar' }).getByRole('link', { name: 'Alerts' }).click()
    await page.getByRole('link', { name: 'New alert receiver' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create alert receiver' })
    const submit = form.getByRole('button', { name: 'Create alert receiver' })

    // Every refusal is shown at its field, and nothing typed is lost.
    await field(page, 'Name').fill('pager')
    await field(page, 'Endpoint').fill('ftp://alerts.example.com')
    await form.getByRole('button', { name: 'Generate secret' }).click()
    const secret = await field(page, 'Secret').inputValue()
    expect(secret).toMatch(/^[0-9a-f]{32}$/)
    await field(page, 'Subscriptions').fill('issue.b*')
    await submit.click()
    await expect(field(page, 'Endpoint')).toHaveAccessibleDescription(/Expected a URL that begins with https/)
    await expect(field(page, 'Subscriptions')).toHaveAccessibleDescription(/not issue\.b\*/)
    await field(page, 'Endpoint').fill(hook.url)
    await field(page, 'Subscriptions').fill('no.such.class')
    await submit.click()
    await expect(field(page, 'Subscriptions')).toHaveAccessibleDescription(
      /Unsupported value.*expected one of/,
    )
    await expect(field(page, 'Secret')).toHaveValue(secret)
    await field(page, 'Subscriptions').fill('issue.*.ended')
    const classes = form.getByRole('region', { name: 'Alert classes' })
    // One for each kind of issue of the installation.
    await expect(classes.getByText('Included')).toHaveCount(9)
    await classes.getByRole('button', { name: 'Add issue.quota_near_limit.began' }).click()
    await expect(field(page, 'Subscriptions')).toHaveValue('issue.*.ended\nissue.quota_near_limit.began')
    await submit.click()
    await expect(notifications(page)).toContainText('Alert receiver pager created')
    await expect(row(page, 'pager')).toContainText('No attempts')

    await rowAction(page, 'pager', 'Send test')
    const probe = page.getByRole('dialog', { name: 'Send test' })
    await probe.getByRole('button', { name: 'Send test' }).click()
    await expect(probe).toContainText('Delivered 200')
    expect(hook.heard[0]?.headers['x-oxide-alert-class']).toBe('probe')
    hook.answer(503)
    await probe.getByRole('button', { name: 'Send again' }).click()
    await expect(probe).toContainText('HTTP error 503')
    await probe.getByRole('button', { name: 'Close' }).first().click()

    await row(page, 'pager').getByRole('link', { name: 'pager' }).click()
    await expect(page.getByRole('heading', { name: 'No deliveries' })).toBeVisible()
    await shortage(own)
    const sent = row(page, 'issue\\.quota_near_limit\\.began').first()
    await expect(sent).toContainText('HTTP error 503')
    await expect(sent).toContainText('Pending')
    await expect(sent).toContainText('1 of 3')
    await sent.getByRole('link').click()
    const panel = page.getByRole('dialog', { name: 'issue.quota_near_limit.began' })
    const attempt = panel.getByRole('region', { name: 'Attempt 1' })
    await expect(attempt).toContainText('x-oxide-signature: a=sha256')
    await expect(attempt).toContainText('"trigger": "alert"')
    await expect(attempt).toContainText('said 503')
    expect(await panel.textContent()).not.toContain(secret)
    await page.keyboard.press('Escape')
    await expect(panel).toHaveCount(0)

    await page.getByRole('combobox', { name: 'State' }).selectOption('Failed')
    await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await sent.getByRole('button', { name: /^Actions for / }).click()
    await menuItem(page, 'Resend').click()
    await confirm(page)
    await expect(notifications(page)).toContainText('Alert queued for pager')
    await expect(page.getByRole('cell', { name: 'Resend', exact: true })).toBeVisible()
  },
)

test('subscriptions and secrets are added and removed, and the receiver renamed and deleted', async ({
  open,
  api,
  project,
}) => {
  const name = `hook-${project}`
  await api('admin', 'POST', '/v1/webhook-receivers', {
    name,
    description: '',
    endpoint: 'https://alerts.example.com/hook',
    secrets: ['first'],
    subscriptions: ['issue.**'],
  })
  const page = await open('admin', `/system/alerts/${name}`)
  await tab(page, 'Subscriptions')
  await page.getByRole('link', { name: 'Add subscription' }).click()
  const adding = page.getByRole('dialog', { name: 'Add subscription' })
  await field(page, 'Subscription').fill('probe')
  await adding.getByRole('button', { name: 'Add subscription' }).click()
  await expect(field(page, 'Subscription')).toHaveAccessibleDescription(/cannot subscribe to probes/)
  await adding.getByRole('button', { name: 'Add issue.failed_instance.began' }).click()
  await adding.getByRole('button', { name: 'Add subscription' }).click()
  await expect(row(page, 'issue\\.failed_instance\\.began')).toContainText('An instance failed')
  await rowAction(page, 'issue\\.failed_instance\\.began', 'Remove')
  await confirm(page)
  await expect(page.getByText('An instance failed', { exact: true })).toHaveCount(0)

  await tab(page, 'Secrets')
  await page.getByRole('link', { name: 'Add secret' }).click()
  await field(page, 'Secret').fill('second')
  await page.getByRole('dialog').getByRole('button', { name: 'Add secret' }).click()
  const secrets = page.getByRole('table', { name: 'Secrets' }).locator('tbody tr')
  await expect(secrets).toHaveCount(2)
  await expect(page.getByText('second', { exact: true })).toHaveCount(0)
  await secrets
    .first()
    .getByRole('button', { name: /^Actions for / })
    .click()
  await menuItem(page, 'Delete').click()
  await confirm(page)
  await expect(secrets).toHaveCount(1)

  await page.getByRole('button', { name: 'Alert receiver actions' }).click()
  await menuItem(page, 'Edit').click()
  await field(page, 'Name').fill(`${name}-2`)
  await field(page, 'Endpoint').fill('https://alerts.example.com/other')
  await page.getByRole('button', { name: 'Update alert receiver' }).click()
  await expect(page.getByRole('heading', { name: `${name}-2`, level: 1 })).toBeVisible()
  await expect(page.getByText('https://alerts.example.com/other')).toBeVisible()

  await page.getByRole('button', { name: 'Alert receiver actions' }).click()
  await menuItem(page, 'Delete').click()
  await confirm(page)
  await expect(page).toHaveURL(/\/system\/alerts$/)
  await expect(notifications(page)).toContainText(`Alert receiver ${name}-2 deleted`)
})

test('a receiver subscribes to activity by object, action and project', async ({ open, api, project }) => {
  const name = `activity-${project}`
  await api('admin', 'POST', '/v1/webhook-receivers', {
    name,
    description: '',
    endpoint: 'https://alerts.example.com/hook',
    secrets: [],
    subscriptions: [],
  })
  const page = await open('admin', `/system/alerts/${name}?tab=subscriptions`)
  await page.getByRole('link', { name: 'Add subscription' }).first().click()
  const adding = page.getByRole('dialog', { name: 'Add subscription' })
  await adding.getByRole('combobox', { name: 'Object' }).selectOption('Firewall rule')
  await adding.getByRole('combobox', { name: 'What happens' }).selectOption('Deleted')
  await adding.getByRole('button', { name: 'Add activity.vpc_firewall_rule.deleted' }).click()
  await expect(adding.getByText('Included')).toBeVisible()
  // What is left of the choice fits another object.
  await adding.getByRole('combobox', { name: 'Object' }).selectOption('Any object')
  await adding.getByRole('button', { name: 'Add activity.*.deleted' }).click()
  await expect(field(page, 'Subscription')).toHaveValue('activity.*.deleted')
  await adding.getByRole('button', { name: 'Add subscription' }).click()
  await expect(row(page, 'activity\\.\\*\\.deleted')).toContainText('more')

  const places = page.getByRole('region', { name: 'Activity of projects' })
  await places.getByRole('link', { name: 'Add project' }).click()
  const form = page.getByRole('dialog', { name: 'Add project' })
  await form.getByRole('button', { name: 'Add project' }).click()
  await expect(form).toContainText('Project is required')
  await form.getByRole('radio', { name: 'All of silo demo' }).check()
  await form.getByRole('button', { name: 'Add project' }).click()
  await expect(places).toContainText('All of silo demo')
  await rowAction(page, 'All of silo demo', 'Remove')
  await confirm(page)
  await expect(places).toContainText('No projects')
  await api('admin', 'DELETE', `/v1/alert-receivers/${name}`)
})

test(
  'a private address is refused when it is called, and a viewer may send a test',
  notOn({ preview: 'sends no requests' }),
  async ({ open, api, project }) => {
    const name = `hook-${project}`
    await api('admin', 'POST', '/v1/webhook-receivers', {
      name,
      description: '',
      endpoint: 'http://127.0.0.1:9999/hook',
      secrets: ['first'],
    })
    await asFleetViewer(api, 'petra', async () => {
      const page = await open('petra', `/system/alerts/${name}`)
      await page.getByRole('button', { name: 'Send test' }).click()
      const probe = page.getByRole('dialog', { name: 'Send test' })
      await expect(probe.getByRole('checkbox')).toBeDisabled()
      await probe.getByRole('button', { name: 'Send test' }).click()
      await expect(probe).toContainText('Unreachable')
      await expect(probe).toContainText('egress.allowed_networks')
    })
    await api('admin', 'DELETE', `/v1/alert-receivers/${name}`)
  },
)
