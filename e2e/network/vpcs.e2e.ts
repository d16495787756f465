import type { Page } from '@playwright/test'
import { press, tabTo } from '../support/keys.ts'
import {
  cell,
  choose,
  confirm,
  expectRow,
  menuItem,
  notifications,
  openRowMenu,
  row,
  rowAction,
  visit,
  withoutFirstAnswers,
} from '../support/steps.ts'
import { expect, test } from '../support/test.ts'
import { notOn, story } from '../support/target.ts'

const plain = (name: string) => ({ name, description: '' })
const vpcBody = (name: string) => ({ ...plain(name), dns_name: name })

/** An instance's only interface, in a subnet of a VPC. */
const inside = (vpc: string, subnet: string) => ({
  network_interfaces: {
    type: 'create',
    params: [{ ...plain('net0'), vpc_name: vpc, subnet_name: subnet }],
  },
})

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

test(
  'a user creates a VPC, renames it on its page, and deletes it once empty',
  story,
  async ({ open, project }) => {
    const page = await open('member', `/projects/${project}/vpcs`)
    await expect(page).toHaveTitle(/^VPCs \/ q-.* \/ Projects \//)
    await page.getByRole('link', { name: 'New VPC' }).click()
    const create = page.getByRole('dialog', { name: 'Create VPC' })
    await expect(page).toHaveTitle(/^New VPC \/ VPCs \//)
    const submit = create.getByRole('button', { name: 'Create VPC' })
    await submit.click()
    await expect(field(page, 'Name')).toHaveAccessibleDescription(/Name is required/)
    await expect(field(page, 'DNS name')).toHaveAccessibleDescription(/DNS name is required/)
    await field(page, 'Name').fill('default')
    await field(page, 'DNS name').fill('shop')

    // The prefix is validated before submitting, one error at a time.
    const prefix = create.getByLabel('IPV6 prefix')
    for (const [text, problem] of [
      ['fd12:3456:789a::', 'Must contain an IP address and a width, separated by a /'],
      ['fd12:3456:789a::/x', 'Width must be an integer'],
      ['fd12:3456:789a::/129', 'Max width for IPv6 is 128'],
      ['10.0.0.0/33', 'Max width for IPv4 is 32'],
      ['10.0.0.0/8', 'Must be an IPv6 prefix'],
      ['2001:db8:1::/48', 'Must be a unique local address range'],
      ['fd12:3456:789a::/56', 'Width must be 48'],
    ] as const) {
      await prefix.fill(text)
      await expect(prefix).toHaveAccessibleDescription(new RegExp(problem.replaceAll('/', '\\/')))
    }
    // A blank value is not sent.
    await prefix.fill('  ')
    await submit.click()
    await expect(field(page, 'Name')).toHaveAccessibleDescription(/VPC name already exists/i)
    await field(page, 'Name').fill('shop')
    await submit.click()
    await expect(notifications(page)).toContainText('VPC shop created')
    await expect(page).toHaveURL(/\/vpcs\/shop\/firewall-rules$/)
    await expect(page.getByRole('heading', { name: 'shop' })).toBeVisible()
    await expect(page.getByRole('tab')).toHaveText([
      'Firewall Rules',
      'Subnets',
      'Routers',
      'Internet Gateways',
      'Map',
      'Activity',
    ])
    await expect(page.getByRole('tab', { name: 'Firewall Rules' })).toHaveAttribute('aria-selected', 'true')

    await page.getByRole('button', { name: 'VPC actions' }).click()
    await menuItem(page, 'Edit').click()
    const edit = page.getByRole('dialog', { name: 'Edit VPC' })
    await expect(page).toHaveTitle(/^Edit VPC \/ Firewall Rules \/ shop \/ VPCs/)
    await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).not.toContainText('Edit VPC')
    await field(page, 'Name').fill('store')
    await edit.getByLabel('Description').fill('where people buy')
    await edit.getByRole('button', { name: 'Update VPC' }).click()
    await expect(notifications(page)).toContainText('VPC store updated')
    await expect(page).toHaveURL(/\/vpcs\/store\/firewall-rules$/)
    await expect(page.getByRole('heading', { name: 'store' })).toBeVisible()
    await expect(page.getByText('where people buy')).toBeVisible()
    // The DNS name is unchanged.
    await expect(page.getByRole('definition').filter({ hasText: /^shop/ })).toBeVisible()

    // Its subnet would go with it, which the plan shows; without one, a question is enough.
    await page.getByRole('button', { name: 'VPC actions' }).click()
    await menuItem(page, 'Delete').click()
    await expect(page.getByRole('table', { name: 'What goes with the VPC' })).toContainText('Subnet')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('tab', { name: 'Subnets' }).click()
    await rowAction(page, 'default', 'Delete')
    await confirm(page)
    await expect(notifications(page)).toContainText('Subnet default deleted')
    await expect(page.getByText('No VPC subnets')).toBeVisible()
    await page.getByRole('button', { name: 'VPC actions' }).click()
    await menuItem(page, 'Delete').click()
    await confirm(page)
    await expect(notifications(page)).toContainText('VPC store deleted')
    await expect(page).toHaveURL(/\/vpcs$/)
    await expect(row(page, 'default')).toBeVisible()
    await expect(row(page, 'store')).toBeHidden()
  },
)

test('the list counts the firewall rules of all VPCs in one request', async ({ open, project, api }) => {
  for (const name of ['bare', 'full'])
    await api('member', 'POST', `/v1/vpcs?project=${project}`, vpcBody(name))
  await api('member', 'PUT', `/v1/vpc-firewall-rules?project=${project}&vpc=bare`, { rules: [] })
  const page = await open('member', '/projects')
  await withoutFirstAnswers(page)
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/(v1|ext\/v1)\/vpc/.test(pathname)) asked.push(pathname)
  })
  await visit(page, `/projects/${project}/vpcs`)
  await expect(cell(page, 'full', 'Firewall Rules')).toContainText('3')
  await expect(cell(page, 'bare', 'Firewall Rules')).toContainText('0')
  expect(asked.sort()).toEqual(['/ext/v1/vpc-firewall-sizes', '/v1/vpcs'])

  // A change by another user appears without a reload.
  await api('member', 'PUT', `/v1/vpc-firewall-rules?project=${project}&vpc=full`, { rules: [] })
  await expect(cell(page, 'full', 'Firewall Rules')).toContainText('0')
  await api('member', 'POST', `/v1/vpcs?project=${project}`, vpcBody('made-elsewhere'))
  await expect(row(page, 'made-elsewhere')).toBeVisible()
  await cell(page, 'full', 'Firewall Rules').getByRole('link').click()
  await expect(page).toHaveURL(/\/vpcs\/full\/firewall-rules$/)
})

test(
  "without bulk counts, the list requests each VPC's rules",
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project }) => {
    const page = await open('member', '/projects')
    await page.route('**/ext/v1/vpc-firewall-sizes*', (route) => route.fulfill({ status: 404, body: '' }))
    await visit(page, `/projects/${project}/vpcs`)
    await expect(cell(page, 'default', 'Firewall Rules')).toContainText('3')
  },
)

test('a subnet gets free blocks and a router, and keeps the router when renamed', async ({
  open,
  project,
  api,
  machine,
}) => {
  await api('member', 'POST', `/v1/vpc-routers?project=${project}&vpc=default`, plain('by-hand'))
  const { ipv6_prefix } = (await api('member', 'GET', `/v1/vpcs/default?project=${project}`)) as {
    ipv6_prefix: string
  }
  const page = await open('member', `/projects/${project}/vpcs/default/subnets`)
  await expect(page).toHaveTitle(/^Subnets \/ default \/ VPCs \//)
  await expect(cell(page, 'default', 'IP Block')).toContainText('172.30.0.0/22')
  await page.getByRole('link', { name: 'New subnet' }).click()
  const create = page.getByRole('dialog', { name: 'Create subnet' })
  const submit = create.getByRole('button', { name: 'Create subnet' })
  const [ipv4, ipv6] = [create.getByLabel('IPv4 block'), create.getByLabel('IPv6 block')]
  await submit.click()
  await expect(ipv4).toHaveAccessibleDescription(/IPv4 block is required/)
  await field(page, 'Name').fill('web')
  for (const [text, problem] of [
    ['10.0.0.0', 'Must contain an IP address and a width, separated by a /'],
    ['fd00::/64', 'Must be an IPv4 block'],
    ['8.8.8.0/24', 'must be from a private range'],
    ['172.30.1.0/24', 'Overlaps with 172.30.0.0/22 of the subnet default'],
  ] as const) {
    await ipv4.fill(text)
    await expect(ipv4).toHaveAccessibleDescription(new RegExp(problem.replaceAll('/', '\\/')))
  }
  await ipv4.fill('10.1.0.0/16')
  await ipv6.fill(ipv6_prefix.replace('/48', '/64'))
  await expect(ipv6).toHaveAccessibleDescription(/Overlaps with .* of the subnet default/)
  // Typed and deleted: a free block is allocated.
  await ipv6.fill('')
  await choose(page, 'Custom router', 'by-hand')
  await submit.click()
  await expect(notifications(page)).toContainText('Subnet web created')
  await expect(cell(page, 'web', 'IP Block')).toContainText('10.1.0.0/16')
  await expect(cell(page, 'web', 'Custom Router').getByRole('link', { name: 'by-hand' })).toBeVisible()

  await rowAction(page, 'web', 'Edit')
  const edit = page.getByRole('dialog', { name: 'Edit subnet' })
  await expect(page).toHaveTitle(/^Edit subnet \/ /)
  await expect(edit.getByRole('combobox', { name: 'Custom router' })).toHaveValue('by-hand')
  await expect(edit.getByText('10.1.0.0/16')).toBeVisible()
  await field(page, 'Name').fill('front')
  await edit.getByRole('button', { name: 'Update subnet' }).click()
  await expect(notifications(page)).toContainText('Subnet front updated')
  await expect(cell(page, 'front', 'Custom Router').getByRole('link', { name: 'by-hand' })).toBeVisible()
  await rowAction(page, 'front', 'Edit')
  await choose(page, 'Custom router', 'None')
  await edit.getByRole('button', { name: 'Update subnet' }).click()
  await expectRow(page, 'front', { 'Custom Router': '—' })

  // A subnet in use cannot be deleted, and the reason is given.
  await machine('tenant', inside('default', 'front'))
  await rowAction(page, 'front', 'Delete')
  await confirm(page)
  await expect(notifications(page)).toContainText(
    'VPC Subnet cannot be deleted while network interfaces in the subnet exist',
  )
  await api('member', 'DELETE', `/v1/instances/tenant?project=${project}`)
  await rowAction(page, 'front', 'Delete')
  await confirm(page)
  await expect(notifications(page)).toContainText('Subnet front deleted')
  await expect(row(page, 'front')).toBeHidden()
})

test(
  'a block that another user took meanwhile is refused at its field',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project, api }) => {
    const page = await open('member', `/projects/${project}/vpcs/default/subnets-new`)
    await field(page, 'Name').fill('late')
    await page.getByLabel('IPv4 block').fill('10.7.0.0/16')
    // Keeps the form unaware of the new subnet, as without live updates.
    await page.route('**/v1/vpc-subnets?*', (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    )
    await api('member', 'POST', `/v1/vpc-subnets?project=${project}&vpc=default`, {
      ...plain('first'),
      ipv4_block: '10.7.8.0/24',
    })
    await page.getByRole('button', { name: 'Create subnet' }).click()
    await expect(page.getByLabel('IPv4 block')).toHaveAccessibleDescription(
      /(conflicts with an existing subnet|Overlaps with 10\.7\.8\.0\/24)/,
    )
  },
)

test('a gateway shows its attachments and the routes that target it', async ({ open, project, api }) => {
  const at = `project=${project}&vpc=default`
  await api('member', 'POST', `/v1/internet-gateways?${at}`, plain('second'))
  await api('member', 'POST', `/v1/internet-gateway-ip-addresses?${at}&gateway=second`, {
    ...plain('fixed'),
    address: '203.0.113.9',
  })
  const page = await open('member', `/projects/${project}/vpcs/default/internet-gateways`)
  await expect(page).toHaveTitle(/^Internet Gateways \/ default \/ VPCs \//)
  await expect(cell(page, 'default', 'Attached IP Pool')).toContainText('external')
  await expectRow(page, 'default', { 'Attached IP Address': '—' })
  await expectRow(page, 'second', { 'Attached IP Pool': '—' })
  await expect(cell(page, 'second', 'Attached IP Address')).toContainText('203.0.113.9')
  await expectRow(page, 'second', { Routes: '—' })

  // A route created elsewhere is counted at once.
  await api('member', 'POST', `/v1/vpc-routers?${at}`, plain('by-hand'))
  await api('member', 'POST', `/v1/vpc-router-routes?${at}&router=by-hand`, {
    ...plain('away'),
    destination: { type: 'ip_net', value: '198.51.100.0/24' },
    target: { type: 'internet_gateway', value: 'second' },
  })
  await cell(page, 'second', 'Routes').getByRole('link', { name: '1 route' }).click()
  const panel = page.getByRole('dialog', { name: 'Internet gateway' })
  await expect(page).toHaveTitle(/^Edit internet gateway \/ Internet Gateways \//)
  await expect(panel).toContainText('fixed')
  await expect(panel.getByRole('link', { name: '203.0.113.9' })).toBeVisible()
  await expect(panel).toContainText('No IP pool is attached to this internet gateway.')
  await expect(panel.getByRole('table', { name: 'Routes targeting this gateway' })).toContainText('away')
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(/\/internet-gateways$/)
  await row(page, 'default').getByRole('link', { name: 'default', exact: true }).click()
  await expect(panel).toContainText('An address from the attached IP pool will be used.')
  await expect(panel).toContainText('default-v4')
  await visit(page, `${page.url()}-gone`)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test("the map shows every subnet's instances, updates live, and has an equivalent table", async ({
  open,
  project,
  api,
  machine,
}) => {
  const at = `project=${project}&vpc=default`
  await api('member', 'POST', `/v1/vpc-routers?${at}`, plain('by-hand'))
  await api('member', 'POST', `/v1/vpc-subnets?${at}`, {
    ...plain('web'),
    ipv4_block: '10.1.0.0/16',
    custom_router: 'by-hand',
  })
  await machine('walker', inside('default', 'web'))
  const page = await open('member', `/projects/${project}/vpcs/default/map`)
  const drawing = page.getByRole('region', { name: 'Map of VPC default' })
  await expect(drawing.getByRole('link', { name: /^walker, Stopped, 10\.1\./ })).toBeVisible()
  await expect(drawing.getByRole('link', { name: 'Router by-hand' })).toBeVisible()
  await expect(drawing.getByRole('link', { name: 'Internet gateway default' })).toBeVisible()
  await expect(drawing).toContainText('0.0.0.0/0, ::/0')

  await api('member', 'POST', `/v1/instances/walker/start?project=${project}`)
  await expect(drawing.getByRole('link', { name: /^walker, Running/ })).toBeVisible({ timeout: 15_000 })
  await machine('joined', inside('default', 'web'))
  await expect(drawing.getByRole('link', { name: /^joined, Stopped/ })).toBeVisible()

  await page.getByRole('radio', { name: 'Table' }).click()
  await expect(page).toHaveURL(/view=table/)
  await expect(page.getByRole('table', { name: 'Instances' })).toContainText('walker')
  await expect(page.getByRole('table', { name: 'Subnets' })).toContainText('10.1.0.0/16')
  await expect(page.getByRole('table', { name: 'Routes' })).toContainText('default-v4')
  await page.getByRole('radio', { name: 'Drawing' }).click()
  await drawing.getByRole('link', { name: 'Subnet web' }).click()
  await expect(page.getByRole('dialog', { name: 'Edit subnet' })).toBeVisible()
})

test("the map's links can be reached and followed by keyboard alone", async ({ open, project, machine }) => {
  await machine('only')
  const page = await open('member', `/projects/${project}/vpcs/default/firewall-rules`)
  await tabTo(page, page.getByRole('tab', { name: 'Firewall Rules' }))
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('tab', { name: 'Map' })).toHaveAttribute('aria-selected', 'true')
  await tabTo(page, page.getByRole('radio', { name: 'Drawing' }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('table', { name: 'Instances' })).toContainText('only')
  await page.keyboard.press('ArrowLeft')
  await press(page, page.getByRole('link', { name: /^only, Stopped/ }))
  await expect(page).toHaveURL(/\/instances\/only\/networking$/)
  await expect(page.getByRole('heading', { name: 'only' })).toBeFocused()
  // Back to the VPC by its link.
  await press(page, page.getByRole('link', { name: 'default', exact: true }).first())
  await expect(page).toHaveURL(/\/vpcs\/default\/firewall-rules$/)
})

test('a viewer sees everything, and why it is read-only', async ({ open, project }) => {
  const page = await open('viewer', `/projects/${project}/vpcs`)
  await expect(page.getByRole('button', { name: 'New VPC' })).toBeDisabled()
  await openRowMenu(page, 'default')
  await expect(menuItem(page, 'Edit')).toHaveAccessibleDescription(/role/i)
  await expect(menuItem(page, 'Delete')).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'default', exact: true }).click()
  await page.getByRole('button', { name: 'VPC actions' }).click()
  await expect(menuItem(page, 'Delete')).toHaveAccessibleDescription(/role/i)
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Subnets' }).click()
  await expect(page.getByRole('button', { name: 'New subnet' })).toHaveAccessibleDescription(/role/i)
  await openRowMenu(page, 'default')
  await expect(menuItem(page, 'Delete')).toBeDisabled()
  await page.keyboard.press('Escape')
  // A direct link still opens the form.
  await visit(page, `${page.url()}-new`)
  await expect(page.getByRole('button', { name: 'Create subnet' })).toBeDisabled()
})

const definition = (page: Page, label: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .getByRole('definition')

test(
  'a user sees on the page of a VPC whether its network is in force, and why not',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project, api }) => {
    await api('member', 'POST', `/v1/vpcs?project=${project}`, vpcBody('shop'))
    const page = await open('member', `/projects/${project}/vpcs`)
    const since = new Date().toISOString()
    const applied = { state: 'applied', generation: 2, since, problem: null }
    const problem = {
      code: 'network_not_applied',
      message: 'The host refused the rules.',
      next_step: 'Free some memory on the host.',
      details: null,
      time: since,
    }
    let network: object = { ...applied, state: 'pending' }
    await page.route('**/ext/v1/vpcs/shop/network?*', (route) => route.fulfill({ json: { network } }))
    /** As a change of the network does, a change of the VPC makes its page ask again. */
    const becomes = async (next: object): Promise<void> => {
      network = next
      const body = { ...vpcBody('shop'), description: `changed ${JSON.stringify(next).length}` }
      await api('member', 'PUT', `/v1/vpcs/shop?project=${project}`, body)
    }

    await row(page, 'shop').getByRole('link', { name: 'shop' }).first().click()
    await expect(definition(page, 'Network')).toHaveText(/^Pending since .*\d/)
    await becomes({ ...applied, state: 'pending', problem })
    await expect(definition(page, 'Network')).toContainText('Pending since')
    await expect(definition(page, 'Network')).toContainText(
      'The host refused the rules. Free some memory on the host.',
    )
    await becomes(applied)
    await expect(definition(page, 'Network')).toHaveText('Applied')
  },
)

test('the page of a VPC mentions no network on a simulated rack', async ({ open, project }) => {
  const page = await open('member', `/projects/${project}/vpcs/default/subnets`)
  await expect(row(page, 'default')).toBeVisible()
  await expect(definition(page, 'DNS Name')).toContainText('default')
  await expect(definition(page, 'Network')).toHaveCount(0)
})

test('a viewer finds subnets by block, router and use, and learns which term hides them', async ({
  open,
  api,
  project,
}) => {
  const at = `vpc=default&project=${project}`
  await api('member', 'POST', `/v1/vpc-routers?${at}`, plain('detour'))
  for (const [name, ipv4_block, more] of [
    ['web', '10.1.0.0/24', { custom_router: 'detour' }],
    ['data', '10.2.0.0/16', {}],
  ] as const)
    await api('member', 'POST', `/v1/vpc-subnets?${at}`, { ...plain(name), ipv4_block, ...more })
  const page = await open('viewer', `/projects/${project}/vpcs/default/subnets`)
  const main = page.getByRole('main')
  const filter = page.getByRole('combobox', { name: 'Filter subnets' })
  await expect(main).toContainText('3 subnets')
  await filter.fill('block:10.0.0.0/8')
  await filter.press('Enter')
  await expect(row(page, 'default')).toBeHidden()
  await expect(main).toContainText('2 of 3 match')
  await page.getByRole('button', { name: 'IP Block' }).click()
  await expect(page.getByRole('row', { name: /10\.\d/ })).toHaveText([/^web/, /^data/])

  // Routers are offered by name, with how many subnets use them.
  await filter.fill('router:d')
  await page.getByRole('option', { name: 'detour 1' }).click()
  await filter.press('Enter')
  await expect(row(page, 'data')).toBeHidden()
  await expect(row(page, 'web')).toBeVisible()

  await filter.fill('router:detour name:data')
  await filter.press('Enter')
  const hiding = page.getByRole('list', { name: 'What hides them' })
  await expect(hiding.getByRole('listitem')).toHaveText([
    /^Without router:detour, 1 matches/,
    /^Without name:data, 1 matches/,
  ])
  await hiding.getByRole('button', { name: 'Remove router:detour' }).click()
  await expect(row(page, 'data')).toBeVisible()

  await filter.fill('block:house')
  await filter.press('Enter')
  await expect(filter).toHaveAccessibleDescription(/Write an address such as 10\.0\.0\.7/)
  await filter.fill('')
  await filter.press('Enter')
  await page.getByRole('button', { name: 'Export' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Save as CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/default-vpc-subnets.*\.csv$/)
})
