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
} from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const tab = (project: string): string => `/projects/${project}/vpcs/default/routers`
const inVpc = (project: string): string => `project=${project}&vpc=default`

const fields = (name: string, description = '') => ({ name, description })
const route = (name: string, destination: object, target: object) => ({
  ...fields(name),
  destination,
  target,
})

test(
  'a user creates, renames and deletes a router; the system router stays',
  story,
  async ({ open, project }) => {
    const page = await open('member', tab(project))
    await expect(page).toHaveTitle(/^Routers \/ default \/ VPCs \/ q-.* \/ Projects \//)
    await expect(cell(page, 'system', 'Description')).toContainText(
      'Routes are automatically added to this router',
    )
    await page.getByRole('link', { name: 'New router' }).click()
    const create = page.getByRole('dialog', { name: 'Create router' })
    await expect(page).toHaveTitle(/^New router \/ Routers \/ default \//)
    const submit = create.getByRole('button', { name: 'Create router' })
    await submit.click()
    const name = create.getByLabel('Name', { exact: true })
    await expect(name).toHaveAccessibleDescription('Name is required')
    await name.fill('system')
    await submit.click()
    await expect(name).toHaveAccessibleDescription(/router name already exists/)
    await name.fill('edge')
    await create.getByLabel('Description').fill('ways out')
    await submit.click()
    await expect(notifications(page)).toContainText('Router edge created')
    await expect(page).toHaveURL(new RegExp(`${tab(project)}$`))
    await expectRow(page, 'edge', { Description: 'ways out' })

    await rowAction(page, 'edge', 'Edit')
    const edit = page.getByRole('dialog', { name: 'Edit router' })
    await expect(edit.getByLabel('Description')).toHaveValue('ways out')
    await edit.getByLabel('Name', { exact: true }).fill('rim')
    await edit.getByRole('button', { name: 'Update router' }).click()
    await expect(notifications(page)).toContainText('Router rim updated')
    await expect(row(page, 'edge')).toBeHidden()

    await openRowMenu(page, 'system')
    await expect(menuItem(page, 'Edit')).toBeEnabled()
    await expect(menuItem(page, 'Delete')).toHaveAccessibleDescription('System routers cannot be deleted')
    await page.keyboard.press('Escape')
    await rowAction(page, 'rim', 'Delete')
    await expect(page.getByRole('dialog', { name: 'Confirm delete router' })).toContainText(
      'Its routes are deleted with it',
    )
    await confirm(page)
    await expect(notifications(page)).toContainText('Router rim deleted')
    await expect(row(page, 'rim')).toBeHidden()
  },
)

test(
  'a user adds routes of every kind to a custom router, edits one and deletes one',
  story,
  async ({ open, project, machine, api }) => {
    await machine('gate')
    await api('member', 'POST', `/v1/vpc-routers?${inVpc(project)}`, fields('edge', 'ways out'))
    const page = await open('member', tab(project))
    await page.getByRole('link', { name: 'edge' }).click()
    await expect(page.getByRole('heading', { name: 'edge' })).toBeVisible()
    await expect(page).toHaveTitle(/^Routes \/ edge \/ Routers \/ default \/ VPCs \//)
    await expect(page.getByRole('definition').filter({ hasText: 'custom' })).toBeVisible()
    await expect(page.getByText('Add a route to see it here')).toBeVisible()
    await page.getByRole('link', { name: 'Add route' }).click()

    const create = page.getByRole('dialog', { name: 'Create route' })
    await expect(page).toHaveTitle(/^New route \/ Routes \/ edge \//)
    const submit = create.getByRole('button', { name: 'Create route' })
    const name = create.getByLabel('Name', { exact: true })
    const destination = create.getByLabel('Destination value')
    const target = create.getByLabel('Target value')
    await name.fill('one')
    await submit.click()
    await expect(destination).toHaveAccessibleDescription(/Not a valid IP address/)
    await expect(target).toHaveAccessibleDescription(/Not a valid IP address/)
    await expect(create.getByLabel('Destination type').getByRole('option')).toHaveText([
      'IP',
      'IP network',
      'Subnet',
    ])
    await expect(create.getByLabel('Target type').getByRole('option')).toHaveText([
      'IP',
      'Instance',
      'Internet gateway',
      'Drop',
    ])

    // Another type clears the value and has its own validation.
    await create.getByLabel('Destination type').selectOption('IP network')
    await expect(destination).not.toHaveAttribute('aria-invalid')
    await destination.fill('10.0.0.1')
    await expect(destination).toHaveAccessibleDescription(
      /Must contain an IP address and a width, separated by a \//,
    )
    await destination.fill('10.0.0.0/x')
    await expect(destination).toHaveAccessibleDescription(/Width must be an integer/)
    await destination.fill('10.0.0.0/33')
    await expect(destination).toHaveAccessibleDescription(/Max width for IPv4 is 32/)
    await destination.fill('fd00::/129')
    await expect(destination).toHaveAccessibleDescription(/Max width for IPv6 is 128/)
    await create.getByLabel('Destination type').selectOption('Subnet')
    await expect(destination).toHaveValue('')
    await expect(destination).not.toHaveAttribute('aria-invalid')
    await target.fill('10.0.1.5')
    await submit.click()
    await expect(destination).toHaveAccessibleDescription('Destination value is required')
    await choose(page, 'Destination value', /^default/)
    await create.getByLabel('Target type').selectOption('Instance')
    await expect(target).toHaveValue('')
    await submit.click()
    await expect(target).toHaveAccessibleDescription('Target value is required')
    await choose(page, 'Target value', /^gate/)
    await submit.click()
    await expect(notifications(page)).toContainText('Route one created')
    await expect(page).toHaveURL(/\/routers\/edge$/)
    await expectRow(page, 'one', { Kind: 'custom', Destination: 'VPC subnetdefault', Target: 'Instancegate' })

    // Mixed IP versions are refused before submitting, a taken name by the server.
    await page.getByRole('link', { name: 'New route' }).click()
    await name.fill('one')
    await destination.fill('10.0.0.1')
    await target.fill('fd00::2')
    await submit.click()
    await expect(target).toHaveAccessibleDescription(
      /Cannot mix explicit IPv4 and IPv6 addresses between destination and target/,
    )
    await create.getByLabel('Target type').selectOption('Drop')
    await expect(target).toBeHidden()
    await submit.click()
    await expect(name).toHaveAccessibleDescription(/name already exists/)
    await name.fill('two')
    await submit.click()
    await expectRow(page, 'two', { Destination: 'IP10.0.0.1', Target: 'Drop' })

    await page.getByRole('link', { name: 'New route' }).click()
    await name.fill('alpha')
    await create.getByLabel('Destination type').selectOption('IP network')
    await destination.fill('10.0.0.1/32')
    await expect(create.getByText('Route two of this router has the same destination.')).toBeVisible()
    await create.getByLabel('Target type').selectOption('Internet gateway')
    await choose(page, 'Target value', /^default/)
    await submit.click()
    await expectRow(page, 'alpha', { Destination: 'IP network10.0.0.1/32', Target: 'Gatewaydefault' })

    await rowAction(page, 'two', 'Edit')
    const edit = page.getByRole('dialog', { name: 'Edit route' })
    await expect(edit.getByLabel('Destination value')).toHaveValue('10.0.0.1')
    await expect(edit.getByText('Route alpha of this router has the same destination.')).toBeVisible()
    await edit.getByLabel('Destination value').fill('10.0.0.2')
    await edit.getByLabel('Name', { exact: true }).fill('second')
    await edit.getByRole('button', { name: 'Update route' }).click()
    await expect(notifications(page)).toContainText('Route second updated')
    await expectRow(page, 'second', { Destination: 'IP10.0.0.2', Target: 'Drop' })

    await rowAction(page, 'second', 'Delete')
    await expect(page.getByRole('dialog', { name: 'Confirm remove route' })).toContainText('second')
    await confirm(page)
    await expect(notifications(page)).toContainText('Route deleted')
    await expect(row(page, 'second')).toBeHidden()
  },
)

test("a default route's target can be changed, but nothing else in the system router", async ({
  open,
  project,
  api,
}) => {
  const page = await open('member', `${tab(project)}/system`)
  await expectRow(page, 'default-v4', { Kind: 'default', Destination: 'IP network0.0.0.0/0' })
  await expectRow(page, 'default vpc subnet', { Kind: 'vpc subnet' })
  await expect(page.getByRole('link', { name: 'New route' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'New route' })).toHaveAccessibleDescription(
    'User-provided routes cannot be added to a system router',
  )
  await openRowMenu(page, 'default vpc subnet')
  const untouchable = 'VPC subnet routes within the system router cannot be modified'
  await expect(menuItem(page, 'Edit')).toHaveAccessibleDescription(untouchable)
  await expect(menuItem(page, 'Delete')).toHaveAccessibleDescription('System routes cannot be deleted')
  await page.keyboard.press('Escape')

  await openRowMenu(page, 'default-v6')
  await expect(menuItem(page, 'Delete')).toHaveAccessibleDescription('System routes cannot be deleted')
  await menuItem(page, 'Edit').click()
  const edit = page.getByRole('dialog', { name: 'Edit route' })
  await expect(edit.getByText('Only the target of a default route can be changed.')).toBeVisible()
  await expect(edit.getByLabel('Name', { exact: true })).toBeDisabled()
  await expect(edit.getByLabel('Destination value')).toBeDisabled()
  await edit.getByLabel('Target type').selectOption('Drop')
  await edit.getByRole('button', { name: 'Update route' }).click()
  await expect(notifications(page)).toContainText('Route default-v6 updated')
  await expectRow(page, 'default-v6', { Destination: 'IP network::/0', Target: 'Drop' })
  const { description } = (await api(
    'member',
    'GET',
    `/v1/vpc-router-routes/default-v6?${inVpc(project)}&router=system`,
  )) as { description: string }
  expect(description).toBe('The default route of a vpc')

  // Direct links open forms that are read-only.
  await visit(page, `${tab(project)}/system/routes/default/edit`)
  await expect(edit.getByText(`${untouchable}.`)).toBeVisible()
  for (const label of ['Destination type', 'Destination value', 'Target type', 'Target value'])
    await expect(edit.getByLabel(label)).toBeDisabled()
  await expect(edit.getByLabel('Target value')).toHaveValue('default')
  await expect(edit.getByRole('button', { name: 'Update route' })).toHaveAccessibleDescription(untouchable)
  await visit(page, `${tab(project)}/system/routes-new`)
  await expect(page.getByRole('button', { name: 'Create route' })).toBeDisabled()
  await visit(page, `${tab(project)}/nowhere`)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('changes to a router by another user appear at once', async ({ open, project, api }) => {
  await api('member', 'POST', `/v1/vpc-routers?${inVpc(project)}`, fields('edge'))
  const page = await open('member', `${tab(project)}/edge`)
  await expect(page.getByText('No routes')).toBeVisible()
  const routes = `/v1/vpc-router-routes?${inVpc(project)}&router=edge`
  await api('member', 'POST', routes, route('in', { type: 'ip', value: '10.0.0.1' }, { type: 'drop' }))
  await expect(row(page, 'in')).toContainText('Drop')

  // On a conflict about the same route, the second user is notified and decides.
  await rowAction(page, 'in', 'Edit')
  const edit = page.getByRole('dialog', { name: 'Edit route' })
  await edit.getByLabel('Description').fill('mine')
  await api('member', 'PUT', `/v1/vpc-router-routes/in?${inVpc(project)}&router=edge`, {
    destination: { type: 'ip', value: '10.0.0.9' },
    target: { type: 'drop' },
  })
  const submit = edit.getByRole('button', { name: 'Update route' })
  await submit.click()
  await expect(edit.getByRole('alert')).toContainText(/changed/i)
  await submit.click()
  await expect(notifications(page)).toContainText('Route in updated')
  await expectRow(page, 'in', { Destination: 'IP10.0.0.9' })

  await api('member', 'DELETE', `/v1/vpc-routers/edge?${inVpc(project)}`)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('a viewer sees routers and routes, and why they are read-only', async ({ open, project, api }) => {
  await api('member', 'POST', `/v1/vpc-routers?${inVpc(project)}`, fields('edge'))
  await api(
    'member',
    'POST',
    `/v1/vpc-router-routes?${inVpc(project)}&router=edge`,
    route('out', { type: 'ip_net', value: '10.0.0.0/8' }, { type: 'ip', value: '10.0.1.5' }),
  )
  const page = await open('viewer', tab(project))
  await expect(page.getByRole('button', { name: 'New router' })).toHaveAccessibleDescription(/role/i)
  await openRowMenu(page, 'edge')
  await expect(menuItem(page, 'Edit')).toHaveAccessibleDescription(/role/i)
  await expect(menuItem(page, 'Delete')).toHaveAccessibleDescription(/role/i)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'edge' }).click()
  await expect(page.getByRole('button', { name: 'New route' })).toHaveAccessibleDescription(/role/i)
  await openRowMenu(page, 'out')
  await expect(menuItem(page, 'Edit')).toHaveAccessibleDescription(/role/i)
  await expect(menuItem(page, 'Delete')).toHaveAccessibleDescription(/role/i)
  await page.keyboard.press('Escape')
  await visit(page, `${page.url()}/routes/out/edit`)
  await expect(page.getByRole('button', { name: 'Update route' })).toBeDisabled()
})

test('a router and a route can be created by keyboard alone', async ({ open, project, machine }) => {
  await machine('only')
  const page = await open('member', tab(project))
  await expect(row(page, 'system')).toBeVisible()
  await press(page, page.getByRole('link', { name: 'New router' }))
  await tabTo(page, page.getByLabel('Name', { exact: true }))
  await page.keyboard.type('by-hand')
  await press(page, page.getByRole('button', { name: 'Create router' }))
  await press(page, page.getByRole('link', { name: 'by-hand' }))
  await expect(page.getByRole('heading', { name: 'by-hand' })).toBeVisible()
  await press(page, page.getByRole('link', { name: 'New route' }))
  await tabTo(page, page.getByLabel('Name', { exact: true }))
  await page.keyboard.type('way')
  await tabTo(page, page.getByLabel('Destination type'))
  await page.keyboard.press('ArrowDown')
  await expect(page.getByLabel('Destination type')).toHaveValue('ip_net')
  await tabTo(page, page.getByLabel('Destination value'))
  await page.keyboard.type('10.0.0.0/8')
  await tabTo(page, page.getByLabel('Target type'))
  await page.keyboard.press('ArrowDown')
  await tabTo(page, page.getByRole('combobox', { name: 'Target value' }))
  await page.keyboard.type('on')
  await expect(page.getByRole('option', { name: /^only/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('button', { name: 'Create route' }))
  await expect(row(page, 'way')).toContainText('only')

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill('new route')
  await expect(page.getByRole('option', { name: 'New route' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Create route' })).toBeVisible()
})
