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
  withFleet,
} from '../support/steps.ts'
import { notOn, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const externalIps = (page: Page) => page.getByRole('table', { name: 'External IPs' })
const interfaces = (page: Page) => page.getByRole('table', { name: 'Network interfaces' })

test(
  'a user attaches addresses to a running instance, and detaches them',
  story,
  async ({ open, project, machine, api }) => {
    const spare = { name: `spare-${project.slice(-6)}`, description: 'for guests' }
    const { ip } = (await api('member', 'POST', `/v1/floating-ips?project=${project}`, spare)) as {
      ip: string
    }
    await machine('door', { start: true, external_ips: [{ type: 'ephemeral' }] })
    const page = await open('member', `/projects/${project}/instances/door/networking`)
    await expect(page).toHaveTitle(/^Networking \/ door \/ Instances \//)
    await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 15_000 })

    // An instance has at most one ephemeral address.
    const attachEphemeral = page.getByRole('button', { name: 'Attach ephemeral IP' })
    await expect(page.getByRole('button', { name: 'Attach floating IP' })).toBeEnabled()
    await expect(attachEphemeral).toHaveCount(0)
    const kinds = externalIps(page).getByRole('row')
    await expect(kinds.nth(1)).toContainText('ephemeral')
    await expect(kinds.nth(2)).toContainText('snat')
    await expect(kinds.nth(2).getByRole('cell').first()).toHaveText(/^198\.51\.100\.\d+–\d+$/)
    await expect(kinds.nth(1).getByRole('cell').nth(2)).toHaveText(/^external/, { useInnerText: true })

    await kinds
      .nth(2)
      .getByRole('button', { name: /^Actions for / })
      .click()
    await expect(menuItem(page, 'Detach')).toHaveAccessibleDescription('SNAT addresses cannot be detached')
    await expect(menuItem(page, 'Copy ID')).toHaveCount(0)
    await expect(menuItem(page, 'Copy IP address')).toBeVisible()
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Attach floating IP' }).click()
    const floating = page.getByRole('dialog', { name: 'Attach floating IP' })
    await expect(floating).toContainText('Instance door will be reachable at the selected address')
    const submit = floating.getByRole('button', { name: 'Attach floating IP' })
    await expect(submit).toHaveAccessibleDescription('Select a floating IP first')
    await floating.getByRole('combobox', { name: 'Floating IP' }).click()
    await expect(page.getByRole('option')).toHaveText(`${spare.name}${ip} / external / for guests`)
    await page.getByRole('option').click()
    await expect(floating).toContainText(`Instance door will be reachable at ${ip}`)
    await submit.click()
    await expect(notifications(page)).toContainText(`IP ${spare.name} attached`)
    await expect(kinds.nth(1)).toContainText(ip)
    await expect(kinds.nth(1)).toContainText('for guests')
    // It comes first among the properties, and no other can be attached.
    await expect(page.getByRole('link', { name: ip }).first()).toHaveAttribute('href', `https://${ip}`)
    await expect(page.getByRole('button', { name: 'Attach floating IP' })).toHaveAccessibleDescription(
      'No floating IP is available',
    )

    await kinds
      .nth(2)
      .getByRole('button', { name: /^Actions for / })
      .click()
    await menuItem(page, 'Detach').click()
    await expect(page.getByRole('dialog', { name: 'Confirm detach ephemeral IP' })).toContainText(
      'no longer be reachable',
    )
    await confirm(page)
    await expect(notifications(page)).toContainText('Ephemeral IP detached')
    await expect(kinds).toHaveCount(3)

    await attachEphemeral.click()
    const ephemeral = page.getByRole('dialog', { name: 'Attach ephemeral IP' })
    await expect(ephemeral.getByRole('combobox', { name: 'IP pool' })).toHaveValue('external')
    await ephemeral.getByRole('combobox').fill('')
    await expect(ephemeral.getByRole('button', { name: 'Attach', exact: true })).toBeDisabled()
    await page.keyboard.press('Escape')
    await choose(page, 'IP pool', /^external/)
    await ephemeral.getByRole('button', { name: 'Attach', exact: true }).click()
    await expect(notifications(page)).toContainText(/IP 198\.51\.100\.\d+ attached/)
    await expect(attachEphemeral).toHaveCount(0)

    await kinds
      .nth(1)
      .getByRole('button', { name: /^Actions for / })
      .click()
    await menuItem(page, 'Detach').click()
    await expect(page.getByRole('dialog', { name: 'Confirm detach floating IP' })).toContainText(spare.name)
    await confirm(page)
    await expect(notifications(page)).toContainText(`Floating IP ${spare.name} detached`)
    await expect(page.getByRole('button', { name: 'Attach floating IP' })).toBeEnabled()
  },
)

test('the instance page shows two addresses and links to the rest', async ({
  open,
  project,
  machine,
  api,
}) => {
  const names = ['one', 'two'].map((name) => `${name}-${project.slice(-6)}`)
  for (const name of names)
    await api('member', 'POST', `/v1/floating-ips?project=${project}`, { name, description: '' })
  await machine('many', {
    external_ips: [{ type: 'ephemeral' }, ...names.map((floating_ip) => ({ type: 'floating', floating_ip }))],
  })
  const page = await open('viewer', `/projects/${project}/instances/many/storage`)
  await expect(page.getByRole('link', { name: /^198\.51\.100\./ })).toHaveCount(2)
  await page.getByRole('link', { name: 'All external IPs' }).click()
  await expect(page).toHaveURL(/\/many\/networking$/)
  await expect(externalIps(page).getByRole('row')).toHaveCount(5)
})

test('the only interface of a stopped instance can be deleted, and another one added', async ({
  open,
  project,
  machine,
}) => {
  await machine('node', { start: true })
  const page = await open('member', `/projects/${project}/instances/node/networking`)
  const add = page.getByRole('button', { name: 'Add network interface' })
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 15_000 })
  const mustStop = 'The instance must be stopped before its network interfaces can change'
  await expect(add).toHaveAccessibleDescription(mustStop)
  await openRowMenu(page, 'net0')
  await expect(menuItem(page, 'Make primary')).toHaveAccessibleDescription(
    /already the primary network interface/,
  )
  await expect(menuItem(page, 'Edit')).toHaveAccessibleDescription(mustStop)
  await expect(menuItem(page, 'Delete')).toHaveAccessibleDescription(mustStop)

  // The open menu updates when the state changes.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await confirm(page)
  await openRowMenu(page, 'net0')
  await expect(menuItem(page, 'Delete')).toBeEnabled({ timeout: 15_000 })
  await menuItem(page, 'Delete').click()
  await expect(page.getByRole('dialog', { name: 'Confirm delete network interface' })).toContainText('net0')
  await confirm(page)
  await expect(notifications(page)).toContainText('Network interface net0 deleted')
  await expect(page.getByText('No network interfaces')).toBeVisible()
  // Without an interface, no external address can be attached.
  await expect(page.getByRole('button', { name: 'Attach ephemeral IP' })).toHaveCount(0)

  await add.click()
  const form = page.getByRole('dialog', { name: 'Add network interface' })
  const submit = form.getByRole('button', { name: 'Add network interface' })
  await submit.click()
  await expect(form.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(/Name is required/)
  await expect(form.getByRole('combobox', { name: 'VPC' })).toHaveAccessibleDescription('VPC is required')
  await expect(form.getByRole('combobox', { name: 'Subnet' })).toBeDisabled()
  await form.getByLabel('Name', { exact: true }).fill('front')
  await choose(page, 'VPC', /^default/)
  await choose(page, 'Subnet', /^default/)
  await form.getByLabel('IPv4 address').fill('x')
  await submit.click()
  await expect(form.getByLabel('IPv4 address')).toHaveAccessibleDescription(/Not a valid IP address/)
  await form.getByLabel('IPv4 address').fill('10.9.8.7')
  await submit.click()
  await expect(form.getByRole('alert')).toContainText(/10\.9\.8\.7 is outside subnet/)
  await form.getByLabel('IPv4 address').fill('   ')
  await submit.click()
  await expect(notifications(page)).toContainText('Network interface front added')
  await expect(row(page, 'front')).toContainText('primary')
  await expect(cell(page, 'front', 'Private IP')).toContainText(/172\.30\.0\.\d+/)
  await expectRow(page, 'front', { VPC: 'default', Subnet: 'default', 'Transit IPs': '—' })
  await expect(page.getByRole('button', { name: 'Attach ephemeral IP' })).toBeVisible()
})

test('a floating IP that another user attaches meanwhile is no longer selected', async ({
  open,
  project,
  machine,
  api,
}) => {
  await machine('door')
  await machine('other')
  const name = `taken-${project.slice(-6)}`
  const floatingIps = '/v1/floating-ips'
  await api('member', 'POST', `${floatingIps}?project=${project}`, { name, description: '' })
  const page = await open('member', `/projects/${project}/instances/door/networking`)
  await page.getByRole('button', { name: 'Attach floating IP' }).click()
  const dialog = page.getByRole('dialog', { name: 'Attach floating IP' })
  await choose(page, 'Floating IP', new RegExp(name))
  const attach = `${floatingIps}/${name}/attach?project=${project}`
  await api('member', 'POST', attach, { kind: 'instance', parent: 'other' })
  await expect(dialog.getByRole('combobox')).toHaveValue('')
  await expect(dialog.getByRole('button', { name: 'Attach floating IP' })).toHaveAccessibleDescription(
    'Select a floating IP first',
  )
})

test('transit IPs can be added to an interface', async ({ open, project, machine }) => {
  await machine('router')
  const page = await open('member', `/projects/${project}/instances/router/networking`)
  await rowAction(page, 'net0', 'Edit')
  const form = page.getByRole('dialog', { name: 'Edit network interface' })
  const net = form.getByLabel('Transit IPs').first()
  const add = form.getByRole('button', { name: 'Add transit IP' })
  const clear = form.getByRole('button', { name: 'Clear' })
  await expect(add).toBeDisabled()
  await expect(clear).toBeDisabled()

  // Errors appear on Add, and disappear on typing or Clear.
  await net.fill('172.30.0.0')
  await expect(net).not.toHaveAttribute('aria-invalid')
  await add.click()
  await expect(net).toHaveAccessibleDescription(/Must contain an IP address and a width, separated by a \//)
  await net.fill('172.30.0.0/x')
  await expect(net).not.toHaveAttribute('aria-invalid')
  await add.click()
  await expect(net).toHaveAccessibleDescription(/Width must be an integer/)
  await clear.click()
  await expect(net).toHaveValue('')
  await expect(net).not.toHaveAttribute('aria-invalid')
  await net.fill('172.30.0.0/33')
  await net.press('Enter')
  await expect(net).toHaveAccessibleDescription(/Max width for IPv4 is 32/)
  await net.fill('172.30.0.0/22')
  await net.press('Enter')
  await expect(net).toHaveValue('')
  await expect(form.getByRole('table', { name: 'Transit IPs' })).toContainText('172.30.0.0/22')
  await net.fill('172.30.0.0/22')
  await add.click()
  await expect(net).toHaveAccessibleDescription(/Transit IP already in list/)
  await net.fill('10.1.0.0/16')
  await add.click()
  await net.fill('10.2.0.0/16')
  await add.click()
  await form.getByRole('button', { name: 'remove IP 10.2.0.0/16' }).click()

  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await form.getByLabel('Name', { exact: true }).fill('through')
  await net.fill('10.3.0.0/16')
  await form.getByRole('button', { name: 'Update network interface' }).click()
  await expect(net).toHaveAccessibleDescription(/This is not added yet/)
  await clear.click()
  await form.getByRole('button', { name: 'Update network interface' }).click()
  await expect(notifications(page)).toContainText('Network interface through updated')
  await expectRow(page, 'through', { 'Transit IPs': '172.30.0.0/22+1' })
  await row(page, 'through').getByRole('button', { name: '+1' }).hover()
  await expect(page.getByRole('tooltip').filter({ visible: true })).toHaveText('Other transit IPs10.1.0.0/16')
})

test('another interface can be made primary, and then the first can be deleted', async ({
  open,
  project,
  machine,
  api,
}) => {
  const subnet = { name: 'back', description: '', ipv4_block: '172.31.0.0/22' }
  await api('member', 'POST', `/v1/vpc-subnets?project=${project}&vpc=default`, subnet)
  await machine('twin')
  const page = await open('member', `/projects/${project}/instances/twin/networking`)
  await page.getByRole('button', { name: 'Add network interface' }).click()
  const form = page.getByRole('dialog', { name: 'Add network interface' })
  await form.getByLabel('Name', { exact: true }).fill('net1')
  await choose(page, 'VPC', /^default/)
  await choose(page, 'Subnet', /^back/)
  await form.getByRole('button', { name: 'Add network interface' }).click()
  await expectRow(page, 'net1', { Subnet: 'back' })

  await rowAction(page, 'net1', 'Edit')
  await page.getByLabel('Transit IPs').first().fill('10.1.0.0/16')
  await page.getByLabel('Transit IPs').first().press('Enter')
  await page.getByRole('button', { name: 'Update network interface' }).click()
  await expectRow(page, 'net1', { 'Transit IPs': '10.1.0.0/16' })

  await openRowMenu(page, 'net0')
  await expect(menuItem(page, 'Delete')).toHaveAccessibleDescription(/Make another one primary first/)
  await page.keyboard.press('Escape')
  await rowAction(page, 'net1', 'Make primary')
  await expect(notifications(page)).toContainText('Network interface net1 is now the primary one')
  await expect(row(page, 'net1')).toContainText('primary')
  await expectRow(page, 'net0', { Name: 'net0' })
  // Its transit IPs are unchanged.
  await expectRow(page, 'net1', { 'Transit IPs': '10.1.0.0/16' })
  await rowAction(page, 'net0', 'Delete')
  await confirm(page)
  await expect(notifications(page)).toContainText('Network interface net0 deleted')
  await expect(interfaces(page).getByRole('row')).toHaveCount(2)
})

test('a viewer sees addresses and interfaces, and why they are read-only', async ({
  open,
  project,
  machine,
}) => {
  await machine('seen')
  const page = await open('viewer', `/projects/${project}/instances/seen/networking`)
  for (const name of ['Attach ephemeral IP', 'Attach floating IP', 'Add network interface'])
    await expect(page.getByRole('button', { name })).toHaveAccessibleDescription(/role/i)
  await openRowMenu(page, 'net0')
  for (const name of ['Make primary', 'Edit', 'Delete'])
    await expect(menuItem(page, name)).toHaveAccessibleDescription(/role/i)
  await page.keyboard.press('Escape')
  await expect(interfaces(page)).toContainText('172.30.0.')
})

test('an address can be attached and detached by keyboard alone', async ({ open, project, machine }) => {
  await machine('typed')
  const page = await open('member', `/projects/${project}/instances/typed/storage`)
  await tabTo(page, page.getByRole('tab', { name: 'Storage' }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Networking' })).toBeFocused()
  await press(page, page.getByRole('button', { name: 'Attach ephemeral IP' }))
  const dialog = page.getByRole('dialog', { name: 'Attach ephemeral IP' })
  await press(page, dialog.getByRole('button', { name: 'Attach', exact: true }))
  await expect(notifications(page)).toContainText(/attached/)
  await press(
    page,
    externalIps(page)
      .getByRole('row', { name: /ephemeral/ })
      .getByRole('button', { name: /^Actions for / }),
  )
  await page.keyboard.press('End')
  await expect(menuItem(page, 'Detach')).toBeFocused()
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('button', { name: 'Confirm' }))
  await expect(page.getByRole('button', { name: 'Attach ephemeral IP' })).toBeVisible()
})

test('missing network settings of a new instance are reported before it is submitted', async ({
  open,
  project,
  api,
}) => {
  const spare = { name: `spare-${project.slice(-6)}`, description: '' }
  const { ip } = (await api('member', 'POST', `/v1/floating-ips?project=${project}`, spare)) as { ip: string }
  const page = await open('member', `/projects/${project}/instances-new`)
  await page.getByLabel('Name', { exact: true }).fill('planned')
  await choose(page, 'Image', /alpine-3-22/)
  await page.getByText('Networking', { exact: true }).click()
  await page.getByRole('radiogroup', { name: 'Network interface' }).getByLabel('Custom').check()
  await page.getByRole('combobox', { name: 'IP pool for ephemeral IP' }).fill('')
  const submit = page.getByRole('button', { name: 'Create instance' })
  await submit.click()
  await expect(page.getByText('Add at least one network interface, or choose None')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'IP pool for ephemeral IP' })).toHaveAccessibleDescription(
    'IP pool for ephemeral IP is required',
  )

  await page.getByLabel('Allocate and attach an ephemeral IP address').uncheck()
  const form = page.getByRole('dialog', { name: 'Add network interface' })
  for (const name of ['front', 'back']) {
    await page.getByRole('button', { name: 'Add network interface' }).click()
    await form.getByLabel('Name', { exact: true }).fill(name)
    await choose(page, 'VPC', /^default/)
    await choose(page, 'Subnet', /^default/)
    await form.getByRole('button', { name: 'Add network interface' }).click()
  }
  await expect(form.getByRole('combobox', { name: 'Subnet' })).toHaveAccessibleDescription(
    'Each interface must be in a distinct VPC Subnet',
  )
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Leave form' }).click()

  await page.getByRole('button', { name: 'Attach floating IP' }).click()
  await choose(page, 'Floating IP', new RegExp(spare.name))
  await expect(page.getByRole('combobox', { name: 'Floating IP' })).toHaveValue(`${spare.name} (${ip})`)
  await page.getByRole('button', { name: 'Attach', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Attach floating IP' })).toHaveAccessibleDescription(
    'No floating IP is available',
  )
  await submit.click()
  await expect(page.getByRole('heading', { name: 'planned' })).toBeVisible()
  await page.getByRole('tab', { name: 'Networking' }).click()
  await expect(row(page, 'front')).toContainText('primary')
  await expect(externalIps(page)).toContainText(ip)
  await expect(externalIps(page)).not.toContainText('ephemeral')
})

test(
  'a new instance gets addresses of both IP versions, or of one, and packets of each are checked',
  story,
  async ({ open, project }) => {
    const page = await open('member', `/projects/${project}/instances-new`)
    const create = async (name: string, version?: string) => {
      await page.getByLabel('Name', { exact: true }).fill(name)
      await choose(page, 'Image', /alpine-3-22/)
      await page.getByText('Networking', { exact: true }).click()
      const versions = page.getByRole('radiogroup', { name: 'IP versions' })
      await expect(versions.getByRole('radio', { name: 'IPv4 and IPv6' })).toBeChecked()
      if (version) await versions.getByRole('radio', { name: version }).check()
      const ephemeral = page.getByRole('checkbox', { name: 'Allocate and attach an ephemeral IP address' })
      if (version === 'IPv6 only') {
        await expect(ephemeral).toBeDisabled()
        await expect(page.getByText('The primary network interface has no IPv4 address.')).toBeVisible()
      } else await expect(ephemeral).toBeEnabled()
      await page.getByRole('button', { name: 'Create instance' }).click()
      await expect(page.getByRole('heading', { name })).toBeVisible()
    }
    await create('both')
    await visit(page, `/projects/${project}/instances-new`)
    await create('six', 'IPv6 only')
    await page.getByRole('tab', { name: 'Networking' }).click()
    await expect(cell(page, 'net0', 'Private IP')).toHaveText(/^fd[0-9a-f:]+::6$/)
    await visit(page, `/projects/${project}/instances/both/networking`)
    await expect(cell(page, 'net0', 'Private IP')).toContainText(/172\.30\.0\.5/)
    await expect(cell(page, 'net0', 'Private IP')).toContainText(/fd[0-9a-f:]+::5/)

    // The default rules of a VPC let its instances reach each other, and ICMP from outside is of IPv4.
    const question = (to: string, packet: string) =>
      `/projects/${project}/vpcs/default/firewall-rules?from=instance:both&to=${to}&packet=${packet}`
    await visit(page, question('instance:six', 'icmp6:128'))
    const verdict = page.getByRole('region', { name: 'Would this packet pass?' }).getByRole('status')
    await expect(verdict).toContainText('Passes')
    await visit(page, question('instance:six', 'icmp:8'))
    await expect(verdict).toContainText('An instance at an end of it has no IPv4 address in this VPC.')
  },
)

test(
  'where nothing outside reaches an instance, addresses cannot be attached, and every control says why',
  notOn({ preview: 'mocks answers, which the preview gives inside the page' }),
  async ({ open, project, api, machine }) => {
    const why = 'This installation has no addresses that are reachable from outside'
    await machine('box')
    const at = (path: string) => `/v1/${path}?project=${project}`
    await api('member', 'POST', at('floating-ips'), { name: 'door', description: '' })
    const page = await open('member', `/projects/${project}/instances`)
    await withFleet(page, { is_simulated: false, lacks: ['external_addresses'] })

    await visit(page, `/projects/${project}/instances/box/networking`)
    for (const kind of ['ephemeral', 'floating'])
      await expect(page.getByRole('button', { name: `Attach ${kind} IP` }), kind).toHaveAccessibleDescription(
        why,
      )

    await visit(page, `/projects/${project}/floating-ips`)
    await openRowMenu(page, 'door')
    await expect(menuItem(page, 'Attach')).toHaveAccessibleDescription(why)

    await visit(page, `/projects/${project}/instances-new`)
    await page.getByText('Networking', { exact: true }).click()
    const ephemeral = page.getByRole('checkbox', { name: 'Allocate and attach an ephemeral IP address' })
    await expect(ephemeral).toBeDisabled()
    await expect(ephemeral).not.toBeChecked()
    await expect(page.getByText(`${why}.`)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Attach floating IP' })).toHaveAccessibleDescription(why)
  },
)

test('a user learns why an address does not work, and mends it', async ({ open, project, machine, api }) => {
  const inGateway = `project=${project}&vpc=default&gateway=default`
  await machine('door', { external_ips: [{ type: 'ephemeral' }] })
  const pools = (await api('member', 'GET', `/v1/internet-gateway-ip-pools?${inGateway}`)) as {
    items: { id: string; name: string; ip_pool_id: string }[]
  }
  const page = await open('member', `/projects/${project}/instances/door/networking`)
  await expect(externalIps(page).getByRole('row').nth(1)).toContainText('ephemeral')
  const note = page.getByText(/No internet gateway of the VPC default carries \d/)
  await expect(note).toHaveCount(0)
  for (const { id } of pools.items)
    await api('member', 'DELETE', `/v1/internet-gateway-ip-pools/${id}?cascade=true`)
  await expect(note.first()).toContainText('Attach its IP pool to an internet gateway')

  await page.getByRole('link', { name: 'Internet gateways of default' }).first().click()
  await expect(page).toHaveURL(`/projects/${project}/vpcs/default/internet-gateways`)
  for (const { name, ip_pool_id } of pools.items)
    await api('member', 'POST', `/v1/internet-gateway-ip-pools?${inGateway}`, {
      name,
      description: '',
      ip_pool: ip_pool_id,
    })
  await page.goBack()
  await expect(externalIps(page).getByRole('row').nth(1)).toContainText('ephemeral')
  await expect(note).toHaveCount(0)
})
