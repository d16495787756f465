import { asFleetViewer } from '../support/fleet-steps.ts'
import { furnishNetwork } from '../support/network-steps.ts'
import { confirm, notifications, row, rowAction, visit } from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const fabric = '/system/networking/fabric'
const list = '/system/networking/allow-list'

// They change the only uplink and the only allow list.
test.describe.configure({ mode: 'serial' })

test('an operator sees an uplink come up with its peer', async ({ open, api }) => {
  await furnishNetwork(api)
  const page = await open('admin', fabric)
  await expect(row(page, 'switch0 qsfp0')).toContainText('phy0 up', { timeout: 20_000 })
  await expect(row(page, 'switch0 qsfp0')).toContainText('established', { timeout: 20_000 })
  await expect(row(page, 'switch0 qsfp0')).toContainText('edge-1, ethernet-1')
  await expect(row(page, 'switch0 qsfp0')).toContainText('1 network announced, 2 learned')
  await expect(page.getByRole('listitem').filter({ hasText: 'qsfp0: up' })).toHaveCount(1)
})

test('an operator learns what clearing the only uplink would cut off, tries it, and reverts it', async ({
  open,
  api,
}) => {
  await furnishNetwork(api)
  const page = await open('admin', fabric)
  await expect(row(page, 'switch0 qsfp0')).toContainText('established', { timeout: 20_000 })
  await rowAction(page, 'switch0 qsfp0', 'Clear settings')
  const dialog = page.getByRole('dialog', { name: 'Clear settings of switch0 qsfp0' })
  await expect(dialog).toContainText('The BGP session with 203.0.113.1 on switch0 qsfp0')
  await expect(dialog).toContainText('No other uplink is up: the rack would be cut off.')
  await dialog.getByRole('button', { name: 'Apply for 60 seconds' }).click()
  await expect(page.getByRole('heading', { name: 'No configured ports' })).toBeVisible()
  await expect(page.getByText('The change of port switch0 qsfp0 waits for confirmation')).toBeVisible()
  await page.getByRole('button', { name: 'Revert now' }).click()
  await expect(notifications(page)).toContainText('Change of port switch0 qsfp0 reverted')
  await expect(row(page, 'switch0 qsfp0')).toContainText('uplink')
  await expect(page.getByText('waits for confirmation')).toHaveCount(0)
  await expect(notifications(page)).not.toContainText('was not confirmed')
})

test('a change that is undone before it is confirmed says so, instead of vanishing as if it had been', async ({
  open,
  api,
}) => {
  await furnishNetwork(api)
  const page = await open('admin', fabric)
  await rowAction(page, 'switch0 qsfp0', 'Clear settings')
  await page.getByRole('button', { name: 'Apply for 60 seconds' }).click()
  await expect(page.getByText('The change of port switch0 qsfp0 waits for confirmation')).toBeVisible()
  const trials = '/ext/v1/system/networking/trials'
  const { items } = (await api('admin', 'GET', trials)) as { items: { id: string; state: string }[] }
  const running = items.find(({ state }) => state === 'running')
  await api('admin', 'POST', `${trials}/${running?.id}/revert`)
  await expect(notifications(page)).toContainText('The change of port switch0 qsfp0 was not confirmed')
  await expect(page.getByText('waits for confirmation')).toHaveCount(0)
})

test('an operator applies settings to another port, where no cable is', async ({ open, api }) => {
  await furnishNetwork(api)
  const page = await open('admin', fabric)
  await page.getByRole('button', { name: 'Apply settings' }).click()
  const choose = page.getByRole('dialog', { name: 'Apply settings to a port' })
  await choose.getByRole('combobox', { name: 'Port' }).selectOption('switch1 qsfp9')
  await choose.getByRole('combobox', { name: 'Settings' }).selectOption('spare')
  await choose.getByRole('button', { name: 'Review change' }).click()
  const review = page.getByRole('dialog', { name: 'Apply spare to switch1 qsfp9' })
  await expect(review).toContainText('Nothing would be disconnected.')
  await review.getByRole('button', { name: 'Cancel' }).click()
  await choose.getByRole('button', { name: 'Review change' }).click()
  await review.getByRole('button', { name: 'Apply for 60 seconds' }).click()
  await page.getByRole('button', { name: 'Confirm change' }).click()
  await expect(page.getByText('waits for confirmation')).toHaveCount(0)
  await expect(row(page, 'switch1 qsfp9')).toContainText('spare')
})

test('an operator restricts who may reach the API, and confirms it', async ({ open, api }) => {
  const page = await open('admin', list)
  await expect(page.getByText('Any address may reach the API and the console.')).toBeVisible()
  await page.getByRole('button', { name: 'Edit allow list' }).click()
  const form = page.getByRole('dialog', { name: 'Edit allow list' })
  await form.getByRole('radio', { name: 'Only these networks' }).check()
  await form.getByRole('button', { name: 'Review change' }).click()
  await expect(form).toContainText('Enter at least one network')
  const networks = form.getByRole('textbox', { name: 'Networks' })
  await networks.fill('192.0.2.0/24\n127.0.0.0/8')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await form.getByRole('button', { name: 'Review change' }).click()
  const review = page.getByRole('dialog', { name: 'Change allow list' })
  await review.getByRole('button', { name: 'Cancel' }).click()
  await expect(networks).toHaveValue('192.0.2.0/24\n127.0.0.0/8')
  await form.getByRole('button', { name: 'Review change' }).click()
  await review.getByRole('button', { name: 'Apply for 60 seconds' }).click()
  await expect(form).toHaveCount(0)
  // Both dialogs close at once, and keyboards continue from the page.
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page.getByText('192.0.2.0/24')).toBeVisible()
  await expect(notifications(page)).toContainText('Change applied for 60 seconds')
  await page.getByRole('button', { name: 'Confirm change' }).click()
  await expect(notifications(page)).toContainText('Change of the allow list confirmed')
  await expect(page.getByText('waits for confirmation')).toHaveCount(0)
  await api('admin', 'PUT', '/v1/system/networking/allow-list', { allowed_ips: { allow: 'any' } })
  await expect(page.getByText('Any address may reach the API and the console.')).toBeVisible()
})

test('a change of the allow list does not overwrite what another operator changed meanwhile', async ({
  open,
  api,
}) => {
  const path = '/v1/system/networking/allow-list'
  const page = await open('admin', list)
  await page.getByRole('button', { name: 'Edit allow list' }).click()
  const form = page.getByRole('dialog', { name: 'Edit allow list' })
  await form.getByRole('radio', { name: 'Only these networks' }).check()
  await form.getByRole('textbox', { name: 'Networks' }).fill('192.0.2.0/24')
  const theirs = { allow: 'list', ips: ['198.51.100.0/24'] }
  await api('admin', 'PUT', path, { allowed_ips: theirs })
  // The page behind the form has it already; the form was opened before.
  await expect(page.getByText('198.51.100.0/24')).toBeVisible()
  await form.getByRole('button', { name: 'Review change' }).click()
  const review = page.getByRole('dialog', { name: 'Change allow list' })
  await review.getByRole('button', { name: 'Apply for 60 seconds' }).click()
  await expect(review).toContainText('changed since')
  expect(await api('admin', 'GET', path)).toMatchObject({ allowed_ips: theirs })
  // Sent again after that, it is deliberate.
  await review.getByRole('button', { name: 'Apply for 60 seconds' }).click()
  // Its hint names the same network.
  await expect(form).toBeHidden()
  await expect(page.getByText('192.0.2.0/24')).toBeVisible()
  await page.getByRole('button', { name: 'Revert now' }).click()
  await expect(page.getByText('198.51.100.0/24')).toBeVisible()
  await api('admin', 'PUT', path, { allowed_ips: { allow: 'any' } })
})

test(
  'an operator creates an address lot, and sees why one in use cannot be deleted',
  story,
  async ({ open, api }) => {
    await furnishNetwork(api)
    const page = await open('admin', '/system/networking/address-lots')
    await page.getByRole('link', { name: 'New address lot' }).click()
    const form = page.getByRole('dialog', { name: 'Create address lot' })
    await form.getByRole('textbox', { name: 'Name' }).fill('harbour')
    await form.getByRole('textbox', { name: 'Blocks' }).fill('198.18.0.9-198.18.0.1')
    await form.getByRole('button', { name: 'Create address lot' }).click()
    await expect(form).toContainText('Invalid range, first must be <= last')
    await form.getByRole('textbox', { name: 'Blocks' }).fill('198.18.0.1-198.18.0.9')
    await form.getByRole('button', { name: 'Create address lot' }).click()
    await expect(row(page, 'harbour')).toContainText('Switches')
    await rowAction(page, 'harbour', 'Delete')
    await confirm(page)
    await expect(row(page, 'harbour')).toHaveCount(0)
    await rowAction(page, 'uplinks', 'Delete')
    await confirm(page)
    await expect(notifications(page)).toContainText('Lot is in use')
  },
)

test('an operator creates port settings with a link, an address and a peer', async ({ open, api }) => {
  await furnishNetwork(api)
  const page = await open('admin', '/system/networking/port-settings-new')
  const form = page.getByRole('dialog', { name: 'Create port settings' })
  await form.getByRole('textbox', { name: 'Name' }).fill('second')
  await expect(form.getByRole('button', { name: 'Add address' })).toBeDisabled()
  await form.getByRole('button', { name: 'Add link' }).click()
  await page.getByRole('dialog', { name: 'Add link' }).getByRole('button', { name: 'Add link' }).click()
  await form.getByRole('button', { name: 'Add address' }).click()
  const address = page.getByRole('dialog', { name: 'Add address' })
  await address.getByRole('combobox', { name: 'Address lot' }).click()
  await page.getByRole('option', { name: 'uplinks' }).click()
  await address.getByRole('textbox', { name: 'Address' }).fill('203.0.113.6')
  await address.getByRole('button', { name: 'Add address' }).click()
  await expect(address).toContainText('Must contain an IP address and a width')
  await address.getByRole('textbox', { name: 'Address' }).fill('203.0.113.6/30')
  await address.getByRole('button', { name: 'Add address' }).click()
  await form.getByRole('button', { name: 'Add BGP peer' }).click()
  const peer = page.getByRole('dialog', { name: 'Add BGP peer' })
  await peer.getByRole('combobox', { name: 'BGP configuration' }).click()
  await page.getByRole('option', { name: 'peering' }).click()
  await peer.getByRole('textbox', { name: 'Peer address' }).fill('127.0.0.1')
  await peer.getByRole('button', { name: 'Add BGP peer' }).click()
  await expect(peer).toContainText('Must not be a loopback address')
  await peer.getByRole('textbox', { name: 'Peer address' }).fill('203.0.113.5')
  await peer.getByRole('button', { name: 'Add BGP peer' }).click()
  await form.getByRole('button', { name: 'Add BGP peer' }).click()
  await peer.getByRole('combobox', { name: 'BGP configuration' }).click()
  await page.getByRole('option', { name: 'peering' }).click()
  await peer.getByRole('radio', { name: 'Whichever router is at the other end of the link' }).click()
  await expect(peer.getByRole('textbox', { name: 'Peer address' })).toHaveCount(0)
  await peer.getByRole('spinbutton', { name: 'Router lifetime' }).fill('9001')
  await peer.getByRole('button', { name: 'Add BGP peer' }).click()
  await expect(peer).toContainText('9000')
  await peer.getByRole('spinbutton', { name: 'Router lifetime' }).fill('600')
  await peer.getByRole('button', { name: 'Add BGP peer' }).click()
  await expect(form.getByRole('button', { name: 'Remove phy0 Unnumbered' })).toBeVisible()
  await form.getByRole('button', { name: 'Create port settings' }).click()
  await page.getByRole('link', { name: 'second' }).click()
  await expect(page.getByRole('table', { name: 'Addresses' })).toContainText('203.0.113.6/30')
  const peers = page.getByRole('table', { name: 'BGP peers' })
  await expect(peers).toContainText('peering')
  await expect(peers).toContainText('203.0.113.5')
  await expect(peers).toContainText('Unnumbered')
  await expect(page.getByText('No port', { exact: true })).toBeVisible()
  await api('admin', 'DELETE', '/v1/system/networking/switch-port-settings?port_settings=second')
})

test('an operator replaces settings in use as a trial, and learns what would be lost', async ({
  open,
  api,
}) => {
  await furnishNetwork(api)
  const page = await open('admin', '/system/networking/port-settings/uplink/edit')
  const form = page.getByRole('dialog', { name: 'Replace uplink' })
  await form.getByRole('button', { name: 'Remove phy0 203.0.113.1' }).click()
  await form.getByRole('button', { name: 'Review change' }).click()
  const review = page.getByRole('dialog', { name: 'Replace settings uplink' })
  await expect(review).toContainText('The BGP session with 203.0.113.1 on switch0 qsfp0')
  await review.getByRole('button', { name: 'Cancel' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await form.getByRole('button', { name: 'Review change' }).click()
  await review.getByRole('button', { name: 'Apply for 60 seconds' }).click()
  await expect(page.getByText('The change of settings uplink waits for confirmation')).toBeVisible()
  await expect(page.getByText('No BGP peers')).toBeVisible()
  await page.getByRole('button', { name: 'Revert now' }).click()
  await expect(page.getByRole('table', { name: 'BGP peers' })).toContainText('203.0.113.1')
})

test('settings that another operator replaced meanwhile are shown before they are replaced', async ({
  open,
  api,
}) => {
  await furnishNetwork(api)
  const page = await open('admin', '/system/networking/port-settings/spare/edit')
  const form = page.getByRole('dialog', { name: 'Replace spare' })
  const description = form.getByRole('textbox', { name: 'Description' })
  await expect(description).toHaveValue('')
  const settings = {
    name: 'spare',
    description: 'theirs',
    port_config: { geometry: 'qsfp28x1' },
    links: [],
    addresses: [],
  }
  const trials = '/ext/v1/system/networking/trials'
  const { id } = (await api('admin', 'POST', trials, { type: 'switch_port_settings', settings })) as {
    id: string
  }
  await form.getByRole('button', { name: 'Review change' }).click()
  const review = page.getByRole('dialog', { name: 'Replace settings spare' })
  await review.getByRole('button', { name: 'Apply for 60 seconds' }).click()
  await expect(review).toContainText('changed since')
  // Refused again, for another reason: the form still shows what has changed.
  await review.getByRole('button', { name: 'Apply for 60 seconds' }).click()
  await expect(review).toContainText('waiting for confirmation')
  await review.getByRole('button', { name: 'Cancel' }).click()
  await expect(form).toContainText('changed since')
  await expect(description).toHaveValue('theirs')
  await api('admin', 'POST', `${trials}/${id}/revert`)
})

test('an operator enables a BFD session, sees it come up, and disables it', async ({ open, api }) => {
  await furnishNetwork(api)
  const page = await open('admin', '/system/networking/bfd-new')
  const form = page.getByRole('dialog', { name: 'Enable BFD session' })
  await form.getByRole('textbox', { name: 'Peer address' }).fill('203.0.113')
  await form.getByRole('button', { name: 'Enable BFD session' }).click()
  await expect(form).toContainText('Not a valid IP address')
  await form.getByRole('textbox', { name: 'Peer address' }).fill('203.0.113.1')
  await form.getByRole('button', { name: 'Enable BFD session' }).click()
  await expect(row(page, '203.0.113.1').getByText('up', { exact: true })).toBeVisible({ timeout: 20_000 })
  await rowAction(page, '203.0.113.1', 'Disable')
  await confirm(page)
  await expect(page.getByRole('heading', { name: 'No BFD sessions' })).toBeVisible()
})

test('an operator creates a loopback address, and a taken one is refused', async ({ open, api }) => {
  await furnishNetwork(api)
  const page = await open('admin', '/system/networking/loopback-addresses-new')
  const form = page.getByRole('dialog', { name: 'Create loopback address' })
  await form.getByRole('combobox', { name: 'Address lot' }).click()
  await page.getByRole('option', { name: 'uplinks' }).click()
  // The address of the uplink.
  await form.getByRole('textbox', { name: 'Address' }).fill('203.0.113.2/32')
  await form.getByRole('button', { name: 'Create loopback address' }).click()
  await expect(form.getByRole('alert')).toContainText(/address unavailable/i)
  await form.getByRole('textbox', { name: 'Address' }).fill('203.0.113.251/32')
  await form.getByRole('button', { name: 'Create loopback address' }).click()
  await expect(row(page, '203.0.113.251/32')).toContainText('switch0')
  await rowAction(page, '203.0.113.251/32', 'Delete')
  await confirm(page)
  await expect(row(page, '203.0.113.251/32')).toHaveCount(0)
})

test('an operator reads the LLDP neighbor of a port, and changes what the port announces', async ({
  open,
  api,
}) => {
  await furnishNetwork(api)
  const page = await open('admin', fabric)
  await expect(row(page, 'switch0 qsfp0')).toContainText('phy0 up', { timeout: 20_000 })
  await rowAction(page, 'switch0 qsfp0', 'View LLDP')
  const panel = page.getByRole('dialog', { name: 'LLDP', exact: true })
  await expect(panel.getByRole('table', { name: 'Neighbors' })).toContainText('edge-1')
  await panel.getByRole('button', { name: 'Edit configuration' }).click()
  const form = page.getByRole('dialog', { name: 'Edit LLDP configuration' })
  await form.getByRole('textbox', { name: 'System name' }).fill('rack-north')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(panel).toContainText('rack-north')
})

test('an operator reads the blocks of an address lot', async ({ open, api }) => {
  await furnishNetwork(api)
  const page = await open('admin', '/system/networking/address-lots')
  await page.getByRole('link', { name: 'uplinks' }).click()
  await expect(row(page, '203.0.113.0')).toContainText('203.0.113.255')
})

test('an operator reads what a BGP session announced and learned, and its messages', async ({
  open,
  api,
}) => {
  await furnishNetwork(api)
  const page = await open('admin', '/system/networking/bgp')
  await expect(row(page, '203.0.113.1')).toContainText('established', { timeout: 20_000 })
  await page.getByRole('link', { name: '203.0.113.1' }).click()
  const panel = page.getByRole('dialog', { name: '203.0.113.1' })
  await expect(panel.getByRole('table', { name: 'Announced networks' })).toContainText('203.0.113.128/25')
  await expect(panel.getByRole('table', { name: 'Learned networks' }).getByRole('row')).toHaveCount(3)
  await expect(panel.getByRole('table', { name: 'Messages' })).toContainText('open received')
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
})

test('an operator announces a network with a new configuration', async ({ open, api }) => {
  await furnishNetwork(api)
  const page = await open('admin', '/system/networking/announce-sets')
  await expect(row(page, 'announced')).toContainText('203.0.113.128/25')
  await page.getByRole('link', { name: 'New announce set' }).click()
  const form = page.getByRole('dialog', { name: 'Create announce set' })
  await form.getByRole('textbox', { name: 'Name' }).fill('harbour')
  await form.getByRole('textbox', { name: 'Networks' }).fill('192.0.2.0/24')
  await form.getByRole('button', { name: 'Create announce set' }).click()
  await expect(form).toContainText('192.0.2.0/24 is not in any block of an address lot')
  await form.getByRole('textbox', { name: 'Networks' }).fill('203.0.113.64/26')
  await form.getByRole('button', { name: 'Create announce set' }).click()
  await expect(row(page, 'harbour')).toContainText('203.0.113.64/26')

  await rowAction(page, 'harbour', 'Replace networks')
  const edit = page.getByRole('dialog', { name: 'Replace networks of harbour' })
  await edit.getByRole('textbox', { name: 'Networks' }).fill('203.0.113.96/27')
  await edit.getByRole('button', { name: 'Replace networks' }).click()
  await expect(row(page, 'harbour')).toContainText('203.0.113.96/27')

  await visit(page, '/system/networking/bgp-new')
  const config = page.getByRole('dialog', { name: 'Create BGP configuration' })
  await config.getByRole('textbox', { name: 'Name' }).fill('coast')
  await config.getByRole('spinbutton', { name: 'AS number' }).fill('64501')
  await config.getByRole('combobox', { name: 'Announce set' }).click()
  await page.getByRole('option', { name: 'harbour' }).click()
  await config.getByRole('button', { name: 'Create BGP configuration' }).click()
  await expect(row(page, 'coast')).toContainText('64501')
  await rowAction(page, 'coast', 'Edit')
  const change = page.getByRole('dialog', { name: 'Edit BGP configuration' })
  await change.getByRole('textbox', { name: 'Description' }).fill('to the coast')
  await change.getByRole('spinbutton', { name: 'Maximum paths' }).fill('40')
  await change.getByRole('button', { name: 'Update BGP configuration' }).click()
  await expect(change.getByText('Must be a whole number from 1 to 32')).toBeVisible()
  await change.getByRole('spinbutton', { name: 'Maximum paths' }).fill('4')
  await change.getByRole('button', { name: 'Update BGP configuration' }).click()
  await expect(change).toBeHidden()
  await expect(row(page, 'coast')).toContainText('4')
  await visit(page, '/system/networking/announce-sets')
  await rowAction(page, 'harbour', 'Delete')
  await confirm(page)
  await expect(notifications(page)).toContainText('Announce set in use')
  await visit(page, '/system/networking/bgp')
  await rowAction(page, 'coast', 'Delete')
  await confirm(page)
  await expect(row(page, 'coast')).toHaveCount(0)
  await rowAction(page, 'peering', 'Delete')
  await confirm(page)
  await expect(notifications(page)).toContainText('BGP Config is in use')
  await api('admin', 'DELETE', '/v1/system/networking/bgp-announce-set/harbour')
})

test('an operator who replaces the networks of an announce set learns that a colleague just did', async ({
  open,
  api,
}) => {
  await furnishNetwork(api)
  const networking = '/v1/system/networking'
  const blocks = (await api('admin', 'GET', `${networking}/address-lot/uplinks/blocks`)) as {
    items: { id: string }[]
  }
  const replace = (network: string) =>
    api('admin', 'PUT', `${networking}/bgp-announce-set`, {
      name: 'quay',
      description: '',
      announcement: [{ address_lot_block: blocks.items[0]?.id, network }],
    })
  await replace('203.0.113.64/26')
  const page = await open('admin', '/system/networking/announce-sets/quay/edit')
  const form = page.getByRole('dialog', { name: 'Replace networks of quay' })
  const save = form.getByRole('button', { name: 'Replace networks' })
  await form.getByRole('textbox', { name: 'Networks' }).fill('203.0.113.96/27')
  await replace('203.0.113.64/27')
  await save.click()
  await expect(form).toContainText('changed since')
  await save.click()
  await expect(row(page, 'quay')).toContainText('203.0.113.96/27')
  await api('admin', 'DELETE', `${networking}/bgp-announce-set/quay`)
})

test('a fleet viewer sees both pages, and learns why the buttons are disabled', async ({ open, api }) => {
  await furnishNetwork(api)
  await asFleetViewer(api, 'petra', async () => {
    const page = await open('petra', fabric)
    await expect(row(page, 'switch0 qsfp0')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Apply settings' })).toBeDisabled()
    await visit(page, list)
    await expect(page.getByRole('button', { name: 'Edit allow list' })).toBeDisabled()
  })
})
