import type { Page } from '@playwright/test'
import { asFleetViewer } from '../support/fleet-steps.ts'
import type { Api } from '../support/scenes.ts'
import { confirm, menuItem, notifications, openRowMenu, row, rowAction, visit } from '../support/steps.ts'
import { notOn, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const sleds = '/system/inventory/sleds'

interface SledUse {
  sled: { id: string; baseboard: { serial: string } }
  instances: { name: string; project_name: string }[]
}

const usesOf = async (api: Api): Promise<SledUse[]> =>
  ((await api('admin', 'GET', '/ext/v1/system/sleds')) as { items: SledUse[] }).items

/** The sled that runs an instance of the project. */
async function sledOf(api: Api, project: string): Promise<SledUse['sled']> {
  let found: SledUse | undefined
  await expect(async () => {
    found = (await usesOf(api)).find(({ instances }) =>
      instances.some(({ project_name }) => project_name === project),
    )
    expect(found).toBeDefined()
  }).toPass()
  if (!found) throw new Error(`no sled runs an instance of ${project}`)
  return found.sled
}

const policyOf = (sled: string): string => `/v1/system/hardware/sleds/${sled}/provision-policy`

/** Places what is started meanwhile on one sled. */
async function onlyOn(api: Api, id: string, start: () => Promise<unknown>): Promise<void> {
  const { items } = (await api('admin', 'GET', '/v1/system/hardware/sleds?limit=100')) as {
    items: { id: string; policy: { provision_policy: string } }[]
  }
  const others = items.filter((each) => each.id !== id && each.policy.provision_policy === 'provisionable')
  for (const other of others) await api('admin', 'PUT', policyOf(other.id), { state: 'non_provisionable' })
  try {
    await start()
  } finally {
    for (const other of others)
      await api('admin', 'PUT', policyOf(other.id), { state: 'provisionable' }).catch(() => undefined)
  }
}

const openMenu = (page: Page) => page.getByRole('button', { name: 'Sled actions' }).click()

test("an operator views sleds, disks and switches, and changes a sled's provision policy", async ({
  open,
}) => {
  const page = await open('admin', sleds)
  await expect(page).toHaveTitle(/^Sleds \/ Inventory \//)
  await expect(row(page, 'GS-003')).toContainText(/Provisionable.*Active/)
  await rowAction(page, 'GS-003', 'Make not provisionable')
  await confirm(page)
  await expect(notifications(page)).toContainText('Sled GS-003 is not provisionable now')
  await expect(row(page, 'GS-003')).toContainText('Not provisionable')
  await rowAction(page, 'GS-003', 'Make provisionable')
  await confirm(page)
  await expect(row(page, 'GS-003')).not.toContainText('Not provisionable')

  await page.getByRole('tab', { name: 'Disks' }).click()
  await expect(page.getByRole('table', { name: 'Disks', exact: true }).getByRole('row').nth(1)).toContainText(
    /[UM]\.2/,
  )
  await page.getByRole('tab', { name: 'Switches' }).click()
  await expect(row(page, 'GW-001')).toContainText('gantry-switch')
})

test(
  'an operator drains a sled, sees where its instances moved, and makes it provisionable again',
  story,
  async ({ open, project, machine, api }) => {
    await machine('guest', { start: true })
    const { id, baseboard } = await sledOf(api, project)
    const page = await open('admin', `${sleds}/${id}`)
    await expect(page).toHaveURL(`${sleds}/${id}/instances`)
    await expect(page.getByRole('table', { name: 'Instances' })).toContainText(`demo / ${project}`)
    await openMenu(page)
    await menuItem(page, 'Drain').click()
    const dialog = page.getByRole('dialog', { name: 'Drain sled' })
    await expect(dialog.getByRole('radio', { name: /^Move them/ })).toBeChecked()
    await dialog.getByRole('button', { name: 'Drain', exact: true }).click()
    await expect(notifications(page)).toContainText(`Drain of sled ${baseboard.serial} started`)
    const drained = page.getByRole('table', { name: 'Drained instances' })
    await expect(drained.getByRole('row').filter({ hasText: project })).toContainText(/Moved.*To GS-\d+/, {
      timeout: 45_000,
    })
    await expect(page.getByRole('heading', { name: 'Drain done' })).toBeVisible({ timeout: 45_000 })
    const running = page.getByRole('table', { name: 'Instances', exact: true })
    await expect(running.getByRole('row').filter({ hasText: project })).toHaveCount(0)
    await expect(page.getByText('Not provisionable', { exact: true })).toBeVisible()
    await openMenu(page)
    await menuItem(page, 'Make provisionable').click()
    await confirm(page)
    await expect(page.getByText('Provisionable', { exact: true })).toBeVisible()
  },
)

test('an operator adds an uninitialised sled', async ({ open }) => {
  const page = await open('admin', sleds)
  const waiting = page.getByRole('table', { name: 'Uninitialized sleds' }).getByRole('row')
  const serial = await waiting.nth(1).getByRole('cell').first().innerText()
  await waiting
    .nth(1)
    .getByRole('button', { name: /^Actions for / })
    .click()
  await menuItem(page, 'Add sled').click()
  await expect(page.getByRole('dialog', { name: 'Add sled' })).toContainText(serial)
  await confirm(page)
  await expect(notifications(page)).toContainText(`Sled ${serial} is being added`)
  await expect(page.getByRole('table', { name: 'Sleds', exact: true })).toContainText(serial, {
    timeout: 30_000,
  })
  await visit(page, '/system/inventory/racks')
  await expect(page.getByRole('region', { name: 'Members' })).toContainText('confirmed')
})

test('an operator adopts a disk', async ({ open }) => {
  const page = await open('admin', '/system/inventory/disks')
  const unused = page.getByRole('table', { name: 'Unadopted disks' })
  const row = unused.getByRole('row', { name: /NU-77004/ })
  await row.getByRole('button', { name: /^Actions for / }).click()
  await menuItem(page, 'Adopt disk').click()
  const dialog = page.getByRole('dialog', { name: 'Adopt disk' })
  await expect(dialog).toContainText('NU-77004')
  await dialog.getByRole('button', { name: 'Adopt disk' }).click()
  await expect(notifications(page)).toContainText('Adoption of disk NU-77004 requested')
  await expect(row).toHaveCount(0, { timeout: 30_000 })
})

test('selecting an anti-affinity group highlights the sleds of its members', async ({
  open,
  project,
  machine,
  api,
}) => {
  await api('member', 'POST', `/v1/anti-affinity-groups?project=${project}`, {
    name: 'apart',
    description: '',
    policy: 'fail',
    failure_domain: 'sled',
  })
  for (const name of [`left-${project}`, `right-${project}`])
    await machine(name, { hostname: 'host', start: true, anti_affinity_groups: ['apart'] })
  const page = await open('admin', '/system/inventory/racks')
  const sidebar = page.getByRole('navigation', { name: 'Sidebar navigation' })
  await expect(sidebar.getByRole('link', { name: 'Inventory' })).toHaveAttribute('aria-current', 'page')
  const left = page.getByRole('button', { name: `left-${project}` })
  await expect(left).toBeVisible()
  await expect(page.getByRole('button', { name: `right-${project}` })).toBeVisible()
  await expect(page.locator('li[data-lit]')).toHaveCount(0)
  await left.focus()
  await expect(page.locator('li[data-lit]')).toHaveCount(2)
  await page.getByRole('tab', { name: 'Rack' }).focus()
  await expect(page.locator('li[data-lit]')).toHaveCount(0)

  // The list of groups beside the rack does the same.
  const groups = page.getByRole('list', { name: 'Anti-affinity groups' })
  const group = groups.getByRole('listitem').filter({ hasText: `demo / ${project}: 2 instances` })
  await group.getByRole('button', { name: 'apart' }).hover()
  await expect(page.locator('li[data-lit]')).toHaveCount(2)
  await page.mouse.move(0, 0)
  await expect(page.locator('li[data-lit]')).toHaveCount(0)

  // So does the list of a sled's instances.
  const { id } = await sledOf(api, project)
  await visit(page, `${sleds}/${id}/instances`)
  const strip = page.getByRole('list', { name: 'Sleds of the rack' })
  await page.getByRole('link', { name: /^(left|right)-q/ }).hover()
  await expect(strip.locator('li[data-lit]')).toHaveCount(2)
  await page.mouse.move(0, 0)
  await expect(strip.locator('li[data-lit]')).toHaveCount(0)
})

test(
  'a fleet viewer reads why they cannot change a sled, and other users get Page not found',
  notOn({ preview: 'needs two browsers' }),
  async ({ open, api }) => {
    await asFleetViewer(api, 'petra', async () => {
      const page = await open('petra', sleds)
      const why = /You need the role admin on the fleet/
      await openRowMenu(page, 'GS-002')
      await expect(menuItem(page, 'Make not provisionable')).toHaveAccessibleDescription(why)
      await expect(menuItem(page, 'Drain')).toHaveAccessibleDescription(why)
    })
    const stranger = await open('viewer', sleds)
    await expect(stranger.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  },
)

test(
  'starting a drain that another operator already started shows that drain',
  notOn({ preview: 'depends on concurrent work of a server' }),
  async ({ open, api }) => {
    const first = (await usesOf(api)).find(({ sled }) => sled.baseboard.serial === 'GS-001')
    if (!first) throw new Error('there is no sled GS-001')
    const { id } = first.sled
    const page = await open('admin', `${sleds}/${id}/instances`)
    await openMenu(page)
    await menuItem(page, 'Drain').click()
    const dialog = page.getByRole('dialog', { name: 'Drain sled' })
    await dialog.getByRole('radio', { name: 'Stop them' }).check()
    await api('admin', 'POST', `/ext/v1/system/sleds/${id}/drains`, { mode: 'move' })
    await dialog.getByRole('button', { name: 'Drain', exact: true }).click()
    await expect(page.getByRole('heading', { name: /^Drain (in progress|done)$/ }).first()).toBeVisible()
    await visit(page, sleds)
    await expect(row(page, 'GS-001')).toContainText('Not provisionable')
  },
)

test('an operator cancels a drain that no other sled has room for', async ({
  open,
  project,
  machine,
  api,
}) => {
  await machine('stuck', { start: true })
  const { id } = await sledOf(api, project)
  await onlyOn(api, id, async () => {
    await api('admin', 'POST', `/ext/v1/system/sleds/${id}/drains`, { mode: 'move' })
    const page = await open('admin', `${sleds}/${id}/instances`)
    await expect(page.getByRole('heading', { name: 'Drain in progress' })).toBeVisible()
    await expect(page.getByRole('progressbar', { name: 'Drain' })).toHaveAttribute('aria-valuenow', '0')
    await openMenu(page)
    await expect(menuItem(page, 'Drain')).toHaveAccessibleDescription(/being drained. Cancel the drain first/)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Cancel drain' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel drain' })
    await dialog.getByRole('button', { name: 'Cancel drain' }).click()
    await expect(notifications(page)).toContainText('Drain canceled')
    await expect(page.getByRole('heading', { name: 'Drain canceled' })).toBeVisible()
    await expect(page.getByText('Not provisionable', { exact: true })).toBeVisible()
  })
  await api('admin', 'PUT', policyOf(id), { state: 'provisionable' })
})

test(
  'a lost sled is lost in the overview, in the list and on its page, until an operator marks it as back',
  story,
  async ({ open, api }) => {
    const lost = (await usesOf(api)).find(({ sled }) => sled.baseboard.serial === 'GS-009')
    if (!lost) throw new Error('there is no sled GS-009')
    await api('admin', 'POST', '/ext/v1/faults', { kind: 'sled_lost', sled_id: lost.sled.id })

    const page = await open('admin', '/system')
    const issue = page
      .getByRole('list', { name: 'Worst issues' })
      .getByRole('listitem')
      .filter({ hasText: 'Sled GS-009 is unreachable' })
    await issue.getByRole('button', { name: /^More actions/ }).click()
    await menuItem(page, 'Acknowledge').click()
    const dialog = page.getByRole('dialog', { name: 'Acknowledge issue' })
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Cable pulled, on my way')
    await dialog.getByRole('button', { name: 'Acknowledge' }).click()
    await expect(issue).toContainText('Seen by admin')
    await expect(issue).toContainText('Cable pulled, on my way')

    await issue.getByRole('link', { name: 'Open sled' }).click()
    await expect(page.getByRole('heading', { name: 'Sled GS-009' })).toBeVisible()
    await expect(page.getByRole('alert')).toContainText('Lost since')
    await expect(page.getByText('not while it is lost')).toBeVisible()
    await visit(page, sleds)
    await expect(row(page, 'GS-009')).toContainText('Lost')
    await visit(page, '/system/inventory/racks')
    await expect(page.getByRole('listitem').filter({ hasText: 'GS-009' }).first()).toContainText('Lost')

    await visit(page, `${sleds}/${lost.sled.id}/instances`)
    await page.getByRole('button', { name: 'Mark as back…' }).click()
    await confirm(page)
    await expect(notifications(page)).toContainText('Sled GS-009 is back')
    await expect(page.getByText('Lost since')).toHaveCount(0)
    await visit(page, '/system')
    await expect(issue).toHaveCount(0)
  },
)

test(
  'an operator starts what a lost sled took down on other sleds, and removes the sled for good',
  story,
  async ({ open, project, machine, api }) => {
    const { items: waiting } = (await api('admin', 'GET', '/v1/system/hardware/sleds-uninitialized')) as {
      items: { baseboard: { serial: string; part: string } }[]
    }
    const { serial = '', part = '' } = waiting.at(-1)?.baseboard ?? {}
    const { id } = (await api('admin', 'POST', '/v1/system/hardware/sleds', { serial, part })) as {
      id: string
    }
    await onlyOn(api, id, () => machine('guest', { start: true, auto_restart_policy: 'never' }))
    await api('admin', 'POST', '/ext/v1/faults', { kind: 'sled_lost', sled_id: id })

    const page = await open('admin', `${sleds}/${id}/instances`)
    await expect(page.getByRole('heading', { name: '1 instance ran here' })).toBeVisible()
    const taken = page.getByRole('table', { name: 'What the loss took down' }).getByRole('row').nth(1)
    await expect(taken).toContainText(/guest.*Failed/)
    await page.getByRole('button', { name: 'Start on other sleds…' }).click()
    await expect(page.getByRole('dialog', { name: 'Start 1 instance on other sleds' })).toContainText('guest')
    await confirm(page)
    await expect(
      page.getByRole('status').filter({ hasText: '1 instance started on other sleds' }),
    ).toBeVisible()
    await expect(taken).toContainText(/Running.*GS-0/, { timeout: 45_000 })
    await expect(page.getByRole('button', { name: 'Start on other sleds…' })).toHaveAccessibleDescription(
      'None of these instances is failed',
    )

    await page.getByRole('button', { name: 'Remove for good…' }).click()
    await expect(page.getByRole('dialog', { name: 'Remove sled for good' })).toContainText(
      `Remove sled ${serial}?`,
    )
    await confirm(page)
    await expect(notifications(page)).toContainText(`Sled ${serial} removed for good`)
    await expect(page.getByText('It never returns to service')).toBeVisible()
    await expect(page.getByText('Decommissioned', { exact: true })).toBeVisible()
    await expect(taken).toContainText(new RegExp(`guest.*${project}`))
    await openMenu(page)
    await expect(menuItem(page, 'Remove for good')).toHaveAccessibleDescription(/removed for good already/)
    await visit(page, sleds)
    await expect(row(page, 'GS-001')).toBeVisible()
    await expect(row(page, serial)).toHaveCount(0)
  },
)
