import type { Page } from '@playwright/test'
import { withFleetRole } from '../support/fleet-steps.ts'
import { furnishNetwork } from '../support/network-steps.ts'
import { placeholdersIn } from '../support/placeholders.ts'
import { redirects } from '../support/redirects.ts'
import { screens } from '../support/screens.ts'
import { createSilo } from '../support/silo-scenes.ts'
import {
  choose,
  confirm,
  menuItem,
  notifications,
  openRowMenu,
  row,
  rowAction,
  signIn,
  visit,
} from '../support/steps.ts'
import { notOn, password, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

interface Policy {
  role_assignments: { identity_id: string; identity_type: string; role_name: string }[]
}
type Api = (user: 'admin', method: string, path: string, body?: unknown) => Promise<unknown>

const fleetPolicy = '/v1/system/policy'
const systemPaths = [
  ...Object.values(screens).flatMap((ofArea) => ofArea.map(([, path]) => path)),
  ...redirects.map(({ from }) => from),
  '/system/no-such-page',
].filter((path) => path.startsWith('/system'))

/** A new user of silo demo without any role. */
async function newUser(api: Api, name: string): Promise<string> {
  const body = { external_id: name, password: { mode: 'password', value: password } }
  const made = await api('admin', 'POST', '/v1/system/identity-providers/local/users?silo=demo', body)
  return (made as { id: string }).id
}

/** Everyone else keeps their fleet role. */
async function giveFleetRole(api: Api, id: string, role?: string): Promise<void> {
  const { role_assignments } = (await api('admin', 'GET', fleetPolicy)) as Policy
  const others = role_assignments.filter(({ identity_id }) => identity_id !== id)
  const own = role ? [{ identity_id: id, identity_type: 'silo_user', role_name: role }] : []
  await api('admin', 'PUT', fleetPolicy, { role_assignments: [...others, ...own] })
}

async function fleetRolesOf(api: Api, id: string): Promise<string[]> {
  const { role_assignments } = (await api('admin', 'GET', fleetPolicy)) as Policy
  return role_assignments.filter(({ identity_id }) => identity_id === id).map(({ role_name }) => role_name)
}

const rail = (page: Page) => page.getByRole('navigation', { name: 'Sidebar' })
const areaSwitch = (page: Page) => page.getByRole('button', { name: 'Switch between system and silo' })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 })

test('an operator switches between silo and system, also by the palette', async ({ open }) => {
  const page = await open('admin', '/projects')
  await areaSwitch(page).click()
  await expect(menuItem(page, 'Silo')).toHaveAttribute('aria-current', 'true')
  await menuItem(page, 'System').click()
  await expect(page).toHaveURL(/\/system$/)
  await expect(heading(page, 'Overview')).toBeVisible()
  for (const label of ['Issues', 'Utilization', 'Fleet Access']) {
    await rail(page).getByRole('link', { name: label }).click()
    await expect(heading(page, label)).toBeVisible()
  }

  await page.keyboard.press('Control+k')
  await expect(page.getByRole('option', { name: 'Overview' })).toBeVisible()
  // The current page is not offered.
  await expect(page.getByRole('option', { name: 'Fleet Access' })).toHaveCount(0)
  await page.keyboard.type('projects')
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Projects')).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('manage system')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/system$/)
})

test('the palette lists the system pages, and the rows of the current list', async ({ open }) => {
  const page = await open('admin', '/system/silos')
  const item = (group: string, label: string) =>
    page
      .getByRole('listbox', { name: 'Results' })
      .locator(`:scope > [role=presentation]:text-is("${group}") ~ [role=option]`)
      .filter({ hasText: label })
      .first()
  const search = page.getByRole('combobox', { name: 'Search' })
  const opened = async () => {
    await page.keyboard.press('Control+k')
    await expect(search).toBeFocused()
  }
  await expect(row(page, 'lagoon')).toBeVisible()
  await opened()
  for (const [group, label] of [
    ['Actions', 'New silo'],
    ['Go to silo', 'lagoon'],
    ['System', 'Utilization'],
    ['System', 'Inventory'],
    ['System', 'IP Pools'],
    ["Back to silo 'demo'", 'Projects'],
    ['User', 'Settings'],
  ] as const)
    await expect(item(group, label), `${group}: ${label}`).toBeVisible()
  // The current page is not offered.
  await expect(page.getByRole('option', { name: 'Silos', exact: true })).toHaveCount(0)
  await page.keyboard.type('lagoon')
  await page.keyboard.press('Enter')
  await expect(heading(page, 'lagoon')).toBeVisible()

  await visit(page, '/system/networking/ip-pools')
  await expect(row(page, 'partners')).toBeVisible()
  await opened()
  await expect(item('Go to IP pool', 'partners')).toBeVisible()
  await page.keyboard.type('new ip pool')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Create IP pool' })).toBeVisible()

  await visit(page, '/system/inventory/sleds')
  await expect(row(page, 'GS-002')).toBeVisible()
  await opened()
  await expect(item('Go to sled', 'GS-002')).toBeVisible()
  await page.keyboard.type('GS-002')
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Sled GS-002')).toBeVisible()
})

test('without a fleet role, every system path shows Page not found and sends no request', async ({
  open,
  api,
  project,
}) => {
  test.setTimeout(180_000)
  const fill = await placeholdersIn(api, project)
  const page = await open('viewer', '/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
  await expect(areaSwitch(page)).toHaveCount(0)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  for (const path of systemPaths) {
    await visit(page, fill(path))
    await expect(page.getByRole('heading', { name: 'Page not found' }), path).toBeVisible()
    await expect(page, path).toHaveURL(fill(path))
  }
  expect(asked.filter((path) => /system|fleet/.test(path) && /^\/(v1|ext)\//.test(path))).toEqual([])
})

test('an unknown system path shows Page not found to operators too', async ({ open }) => {
  const page = await open('admin', '/system/no-such-page')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test(
  'an issue is listed while its fault lasts, and then among past issues',
  story,
  async ({ open, api, machine, project }) => {
    const name = `slow-${project.slice(-6)}`
    const { id } = await machine(name)
    const inject = { kind: 'slow_boot', instance_id: id }
    const fault = (await api('admin', 'POST', '/ext/v1/faults', inject)) as { id: string }

    const page = await open('admin', '/system')
    await expect(page.getByRole('region', { name: /^CPU \(/ })).toContainText('Free')
    await page.getByRole('link', { name: 'Fault', exact: true }).click()
    await expect(page).toHaveURL(/\/system\/issues\?state=open&kind=fault$/)
    const issue = page.getByRole('list', { name: 'Issues' }).getByRole('listitem').filter({ hasText: name })
    await expect(issue).toContainText(`Instance ${name} boots slowly.`)
    await expect(issue).toContainText('Warning')
    await expect(issue).toContainText('Wait, or end the fault.')
    await expect(issue).toContainText(`in project ${project}, silo demo`)
    await expect(issue.getByRole('link', { name })).toHaveAttribute(
      'href',
      `/projects/${project}/instances/${name}/storage`,
    )

    // Ended elsewhere: the list follows.
    await api('admin', 'DELETE', `/ext/v1/faults/${fault.id}`)
    await expect(issue).toHaveCount(0)
    await page.getByRole('combobox', { name: 'State' }).selectOption('Past')
    await expect(page).toHaveURL(/state=past/)
    await expect(issue).toContainText('Past')
    await expect(issue).not.toContainText('Wait, or end the fault.')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page).toHaveURL(/\/system\/issues$/)
    await expect(issue).toContainText('Past')
  },
)

test('an unknown filter in the URL shows all issues', async ({ open }) => {
  const page = await open('admin', '/system/issues?state=closed&kind=7')
  await expect(heading(page, 'Issues')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'State' })).toHaveValue('')
  await expect(page.getByRole('combobox', { name: 'Kind' })).toHaveValue('')
})

test('an operator sees the usage of each silo, and the capacity estimate with its factors', async ({
  open,
  machine,
}) => {
  const page = await open('admin', '/system/utilization')
  const used = async () => {
    const text = await row(page, 'demo').innerText()
    return Number(/(\d+) \/ 256/.exec(text)?.[1])
  }
  await expect(row(page, 'demo')).toContainText('/ 256 vCPU')
  await expect(page.getByRole('region', { name: /^CPU \(/ })).toContainText('Quota (Total)')
  const before = await used()
  await machine('eater', { start: true, ncpus: 8 })
  await expect(async () => expect(await used()).toBe(before + 8)).toPass()

  const estimate = page.getByRole('region', { name: 'Capacity estimate' })
  await expect(estimate.getByRole('row', { name: /^CPU/ })).toContainText(/0\.7 × [\d,]+ threads/)
  await expect(estimate.getByRole('row', { name: /^Storage/ })).toContainText('0.909 TiB per TB')
  await openRowMenu(page, 'demo')
  await expect(menuItem(page, 'Copy silo ID')).toBeEnabled()
})

test(
  'an administrator grants a fleet role, changes it and removes it',
  story,
  async ({ open, api, project }) => {
    const name = `f-${project}`
    const id = await newUser(api, name)
    const page = await open('admin', '/system/access')
    await page.getByRole('button', { name: 'Add user or group' }).click()
    const form = page.getByRole('dialog', { name: 'Add user or group' })
    await form.getByRole('button', { name: 'Assign role' }).click()
    await expect(form.getByRole('combobox', { name: 'User or group' })).toHaveAccessibleDescription(
      /User or group is required/,
    )
    await choose(page, 'User or group', name)
    await choose(page, 'Role', 'Viewer')
    await form.getByRole('button', { name: 'Assign role' }).click()
    await expect(notifications(page)).toContainText(`Role assigned to ${name}`)
    const roles = page.getByRole('table', { name: 'Fleet Access' })
    const given = roles.getByRole('row', { name: new RegExp(`^${name}`) })
    await expect(given).toContainText('Fleet viewer')
    // The table of effective roles follows.
    const holders = page.getByRole('table', { name: 'Users with a fleet role' })
    await expect(holders.getByRole('row', { name: new RegExp(`^${name}`) })).toContainText('Fleet viewer')

    await given.getByRole('button', { name: /^Actions for / }).click()
    await menuItem(page, 'Change role').click()
    const change = page.getByRole('dialog', { name: `Change fleet role for ${name}` })
    await choose(page, 'Role', 'Collaborator')
    // A concurrent change is not overwritten silently.
    await giveFleetRole(api, id, 'admin')
    await change.getByRole('button', { name: 'Update role' }).click()
    await expect(change).toContainText('Someone else has changed this role to admin')
    expect(await fleetRolesOf(api, id)).toEqual(['admin'])
    await change.getByRole('button', { name: 'Update role' }).click()
    await expect(given).toContainText('Fleet collaborator')
    expect(await fleetRolesOf(api, id)).toEqual(['collaborator'])

    await given.getByRole('button', { name: /^Actions for / }).click()
    await menuItem(page, 'Delete').click()
    await expect(page.getByRole('dialog', { name: 'Confirm delete role' })).toContainText(
      `delete the collaborator role on the fleet for ${name}?`,
    )
    await confirm(page)
    await expect(given).toHaveCount(0)
    expect(await fleetRolesOf(api, id)).toEqual([])
  },
)

test(
  'role mappings and users of other silos are shown with their silo',
  notOn({ preview: 'leaves silos behind that other tests count' }),
  async ({ open, api, project }) => {
    const silo = `maps-${project}`
    await api('admin', 'POST', '/v1/system/silos', {
      name: silo,
      description: '',
      discoverable: false,
      identity_mode: 'local_only',
      quotas: { cpus: 0, memory: 0, storage: 0 },
      tls_certificates: [],
      mapped_fleet_roles: { admin: ['collaborator'] },
    })
    const chief = { external_id: `chief-${project}`, password: { mode: 'password', value: password } }
    const users = `/v1/system/identity-providers/local/users?silo=${silo}`
    const { id } = (await api('admin', 'POST', users, chief)) as { id: string }
    await giveFleetRole(api, id, 'viewer')
    const page = await open('admin', '/system/access')
    await expect(
      page.getByRole('table', { name: 'Fleet Access' }).getByRole('row', { name: chief.external_id }),
    ).toContainText(`(silo ${silo})`)
    await expect(
      page.getByRole('table', { name: 'Role mappings' }).getByRole('row', { name: silo }),
    ).toContainText('Fleet collaborator')
    await giveFleetRole(api, id)
  },
)

test('a fleet collaborator may create what only a fleet admin may change, and delete a silo', async ({
  open,
  api,
  project,
}) => {
  const name = `c-${project}`
  await furnishNetwork(api)
  await createSilo(api, name, { mapped_fleet_roles: {} })
  await api('admin', 'POST', '/v1/webhook-receivers', {
    name,
    description: '',
    endpoint: 'https://alerts.example.com/hook',
    secrets: ['secret'],
  })
  await withFleetRole(api, 'petra', 'collaborator', async () => {
    const page = await open('petra', '/system/alerts')
    for (const [path, existing, create] of [
      ['/system/alerts', name, 'New alert receiver'],
      ['/system/networking/address-lots', 'uplinks', 'New address lot'],
    ] as const) {
      await visit(page, path)
      await openRowMenu(page, existing)
      await expect(menuItem(page, 'Delete')).toHaveAccessibleDescription(/role admin on the fleet/)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('link', { name: create })).toBeVisible()
    }
    // Only a fleet admin may grant fleet roles, also by a mapping.
    await visit(page, '/system/silos-new')
    const form = page.getByRole('dialog', { name: 'Create silo' })
    await expect(form.getByText('You need the role admin on the fleet.')).toBeVisible()
    for (const role of ['admin', 'viewer'])
      await expect(form.getByRole('checkbox', { name: `Grant fleet ${role} role` })).toBeDisabled()
    await expect(form.getByRole('button', { name: 'Create silo' })).toBeEnabled()
    await visit(page, '/system/silos')
    await rowAction(page, name, 'Delete')
    await confirm(page)
    await expect(notifications(page)).toContainText(`Silo ${name} deleted`)
  })
  await api('admin', 'DELETE', `/v1/alert-receivers/${name}`)
})

test(
  'a fleet viewer sees the system area, and reads which role changes need',
  { ...story, ...notOn({ preview: 'needs a second browser' }) },
  async ({ open, api, project }) => {
    const name = `v-${project}`
    await giveFleetRole(api, await newUser(api, name), 'viewer')
    const page = await open('nobody', '/login/demo/local?redirect_uri=%2Fsystem%2Faccess')
    await signIn(page, name)
    await expect(page).toHaveURL(/\/system\/access$/)
    const add = page.getByRole('button', { name: 'Add user or group' })
    await expect(add).toBeDisabled()
    await expect(add).toHaveAccessibleDescription('You need the role admin on the fleet')
    await page
      .getByRole('table', { name: 'Fleet Access' })
      .getByRole('row', { name: /^admin/ })
      .getByRole('button', { name: /^Actions for / })
      .click()
    await expect(menuItem(page, 'Change role')).toHaveAccessibleDescription(
      'You need the role admin on the fleet',
    )
    await page.keyboard.press('Escape')
    await rail(page).getByRole('link', { name: 'Overview' }).click()
    await expect(heading(page, 'Overview')).toBeVisible()
  },
)
