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

interface FloatingIp {
  id: string
  ip: string
}

const list = (project: string): string => `/projects/${project}/floating-ips`
const fields = (name: string, more: object = {}) => ({ name, description: '', ...more })

test(
  'a user allocates an address from the default pool, moves it between instances and releases it',
  story,
  async ({ open, project, machine }) => {
    await machine('left')
    await machine('right')
    const page = await open('member', list(project))
    await expect(page).toHaveTitle(/^Floating IPs \/ q-.* \/ Projects \//)
    await expect(page.getByText('No floating IPs')).toBeVisible()
    await expect(page.getByText('Create a floating IP to see it here')).toBeVisible()
    const rail = page.getByRole('navigation', { name: 'Sidebar navigation' })
    await expect(rail.getByRole('link', { name: 'Floating IPs' })).toHaveAttribute('aria-current', 'page')
    await page.getByRole('link', { name: 'New floating IP' }).first().click()

    const create = page.getByRole('dialog', { name: 'Create floating IP' })
    await expect(page).toHaveTitle(/^New floating IP \/ Floating IPs \//)
    await expect(create.getByRole('combobox', { name: 'IP pool' })).toBeHidden()
    await create.getByRole('button', { name: 'Create floating IP' }).click()
    await expect(create.getByLabel('Name', { exact: true })).toHaveAccessibleDescription('Name is required')
    await create.getByLabel('Name', { exact: true }).fill('door')
    await create.getByLabel('Description').fill('where guests come in')
    await create.getByRole('button', { name: 'Create floating IP' }).click()
    await expect(notifications(page)).toContainText('Floating IP door created')
    await expect(page).toHaveURL(/\/floating-ips$/)
    await expect(row(page, 'door').getByRole('link')).toHaveAttribute(
      'href',
      `/projects/${project}/floating-ips/door`,
    )
    await expectRow(page, 'door', {
      Description: 'where guests come in',
      'IP address': /^198\.51\.100\.\d+$/,
    })
    await expect(cell(page, 'door', 'IP pool')).toHaveText(/^external/, { useInnerText: true })
    await expectRow(page, 'door', { 'Attached to instance': '—' })
    const ip = await cell(page, 'door', 'IP address').innerText()

    await openRowMenu(page, 'door')
    await expect(page.getByRole('menuitem')).toHaveText([
      'Copy ID',
      'View activity',
      'Edit',
      'Attach',
      'Edit tags',
      'Protect',
      'Delete',
    ])
    await menuItem(page, 'Attach').click()
    const attach = page.getByRole('dialog', { name: 'Attach floating IP' })
    await expect(attach).toContainText(`The instance will be reachable at ${ip}`)
    const submit = attach.getByRole('button', { name: 'Attach', exact: true })
    await expect(submit).toHaveAccessibleDescription('Select an instance first')
    await attach.getByRole('combobox', { name: 'Instance' }).click()
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['leftStopped', 'rightStopped'])
    await page.getByRole('option', { name: /^left/ }).click()
    await submit.click()
    await expect(notifications(page)).toContainText('Floating IP door attached')
    await expectRow(page, 'door', { 'Attached to instance': 'left' })

    await openRowMenu(page, 'door')
    await expect(menuItem(page, 'Delete')).toHaveAccessibleDescription(
      'The floating IP must be detached before it can be deleted',
    )
    await menuItem(page, 'Detach').click()
    const detach = page.getByRole('dialog', { name: 'Detach floating IP' })
    await expect(detach).toContainText('Are you sure you want to detach door from left?')
    await expect(detach).toContainText(ip)
    await confirm(page)
    await expect(notifications(page)).toContainText('Floating IP door detached')
    await expectRow(page, 'door', { 'Attached to instance': '—' })

    await rowAction(page, 'door', 'Attach')
    await choose(page, 'Instance', /^right/)
    await submit.click()
    await cell(page, 'door', 'Attached to instance').getByRole('link', { name: 'right' }).click()
    await expect(page).toHaveURL(/\/instances\/right\/networking$/)
    await expect(page.getByRole('table', { name: 'External IPs' })).toContainText(ip)
    await page.goBack()
    await rowAction(page, 'door', 'Detach')
    await confirm(page)
    await expectRow(page, 'door', { 'Attached to instance': '—' })

    await rowAction(page, 'door', 'Delete')
    const question = page.getByRole('dialog', { name: 'Confirm delete floating IP' })
    await expect(question).toContainText('It can be restored from the recycle bin for 24 hours.')
    await question.getByRole('checkbox', { name: 'Delete for good at once' }).check()
    await expect(question).toContainText(`The address ${ip} returns to its pool`)
    await confirm(page)
    await expect(notifications(page)).toContainText('Floating IP door deleted')
    await expect(page.getByText('No floating IPs')).toBeVisible()
  },
)

test('a specific address can be requested, and an unavailable one is refused with the reason', async ({
  open,
  project,
  api,
}) => {
  const page = await open('member', `${list(project)}-new`)
  const create = page.getByRole('dialog', { name: 'Create floating IP' })
  const name = create.getByLabel('Name', { exact: true })
  const ip = create.getByLabel('IP address')
  const submit = create.getByRole('button', { name: 'Create floating IP' })
  await name.fill('certain')
  await create.getByText('Advanced').click()
  await expect(create.getByText('Without a pool, the default pool of IPv4 is used')).toBeVisible()

  await ip.fill('198.51.100.0/24')
  // An error opens its collapsed section.
  await create.getByText('Advanced').click()
  await expect(ip).toBeHidden()
  await submit.click()
  await expect(ip).toHaveAccessibleDescription(/Not a valid IP address/)
  await expect(ip).toBeFocused()
  await ip.fill('fd00::5::1')
  await expect(ip).toHaveAccessibleDescription(/Not a valid IP address/)

  // Wrong IP version, outside the pool's ranges, in use: the server's refusal appears at the same field.
  const taken = (await api(
    'member',
    'POST',
    `/v1/floating-ips?project=${project}`,
    fields('other'),
  )) as FloatingIp
  const chooseFree = 'Choose a free address of the IP pool external'
  for (const [refused, advice] of [
    ['fd00::5', 'No IP pool of this silo has it'],
    ['192.0.2.1', chooseFree],
    [taken.ip, chooseFree],
  ] as const) {
    await ip.fill(refused)
    await expect(ip).not.toHaveAttribute('aria-invalid')
    await submit.click()
    await expect(ip).toHaveAccessibleDescription(/Requested external IP address not available/)
    await expect(create.getByRole('alert').first()).toContainText(advice)
  }
  await expect(create.getByText('Error', { exact: true }).last()).toBeVisible()

  await choose(page, 'IP pool', /^external/)
  const wanted = `198.51.100.${200 + (Number.parseInt(project.slice(-2), 36) % 50)}`
  await ip.fill(` ${wanted} `)
  await name.fill('other')
  await submit.click()
  await expect(name).toHaveAccessibleDescription(/name already exists/)
  await name.fill('certain')
  await submit.click()
  await expect(notifications(page)).toContainText('Floating IP certain created')
  await expectRow(page, 'certain', { 'IP address': wanted })
})

test('an address can be renamed and described, without overwriting a concurrent change unasked', async ({
  open,
  project,
  machine,
  api,
}) => {
  await machine('host')
  const { ip } = (await api(
    'member',
    'POST',
    `/v1/floating-ips?project=${project}`,
    fields('float'),
  )) as FloatingIp
  await api('member', 'POST', `/v1/floating-ips/float/attach?project=${project}`, {
    kind: 'instance',
    parent: 'host',
  })
  const page = await open('member', list(project))
  await rowAction(page, 'float', 'Edit')
  const edit = page.getByRole('dialog', { name: 'Edit floating IP' })
  await expect(page).toHaveTitle(/^Edit floating IP \/ Floating IPs \//)
  for (const text of [ip, 'external']) await expect(edit).toContainText(text)
  await expect(edit.getByRole('link', { name: 'host' })).toHaveAttribute(
    'href',
    `/projects/${project}/instances/host/networking`,
  )
  await edit.getByLabel('Description').fill('moved to the front')
  await edit.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await edit.getByRole('button', { name: 'Update floating IP' }).click()
  await expect(notifications(page)).toContainText('Floating IP float updated')
  await expectRow(page, 'float', { Description: 'moved to the front', 'Attached to instance': 'host' })

  await rowAction(page, 'float', 'Edit')
  await expect(edit.getByLabel('Name', { exact: true })).toHaveValue('float')
  // Another user changes it while the form is open.
  await api('member', 'PUT', `/v1/floating-ips/float?project=${project}`, { description: 'theirs' })
  await edit.getByLabel('Name', { exact: true }).fill('buoy')
  await edit.getByRole('button', { name: 'Update floating IP' }).click()
  await expect(edit.getByRole('alert')).toContainText(/changed/i)
  await edit.getByRole('button', { name: 'Update floating IP' }).click()
  await expect(notifications(page)).toContainText('Floating IP buoy updated')
  // The field that was left alone has the other user's text.
  await expectRow(page, 'buoy', { Description: 'theirs' })
  await visit(page, `${page.url()}/gone/edit`)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test(
  'attaching an address that another user attached meanwhile is refused',
  story,
  async ({ open, project, machine, api }) => {
    await machine('mine')
    await machine('theirs')
    await api('member', 'POST', `/v1/floating-ips?project=${project}`, fields('wanted'))
    const page = await open('member', list(project))
    await rowAction(page, 'wanted', 'Attach')
    await choose(page, 'Instance', /^mine/)
    await api('member', 'POST', `/v1/floating-ips/wanted/attach?project=${project}`, {
      kind: 'instance',
      parent: 'theirs',
    })
    const attach = page.getByRole('dialog', { name: 'Attach floating IP' })
    const submit = attach.getByRole('button', { name: 'Attach', exact: true })
    await submit.click()
    await expect(attach.getByRole('alert')).toContainText('while still attached to another')
    await expect(attach.getByRole('alert')).toContainText('Detach it from the other instance first')
    // The error is shown once, in the dialog.
    await expect(notifications(page)).toBeHidden()
    await attach.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Leave form' }).click()
    await expectRow(page, 'wanted', { 'Attached to instance': 'theirs' })

    // The open menu updates when another user detaches the address.
    await openRowMenu(page, 'wanted')
    await expect(menuItem(page, 'Detach')).toBeEnabled()
    await api('member', 'POST', `/v1/floating-ips/wanted/detach?project=${project}`)
    await expect(menuItem(page, 'Attach')).toBeVisible()
    await expect(menuItem(page, 'Delete')).toBeEnabled()
  },
)

test(
  'only instances in a settled state can attach or detach addresses, and the reason is given',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project, machine, api }) => {
    await machine('odd')
    await api('member', 'POST', `/v1/floating-ips?project=${project}`, fields('free'))
    await api('member', 'POST', `/v1/floating-ips?project=${project}`, fields('held'))
    await api('member', 'POST', `/v1/floating-ips/held/attach?project=${project}`, {
      kind: 'instance',
      parent: 'odd',
    })
    const page = await open('member', '/favicon.ico')
    // Instances rarely fail, so the response is mocked.
    await withoutFirstAnswers(page)
    await page.route('**/v1/instances?*', async (route) => {
      const response = await route.fetch()
      const text = await response.text()
      await route.fulfill({
        response,
        body: text.replaceAll('"run_state":"stopped"', '"run_state":"failed"'),
      })
    })
    await visit(page, list(project))
    await expectRow(page, 'held', { 'Attached to instance': 'odd' })
    await openRowMenu(page, 'held')
    await expect(menuItem(page, 'Detach')).toHaveAccessibleDescription(
      'Only available when stopped, running, or rebooting',
    )
    await page.keyboard.press('Escape')
    await rowAction(page, 'free', 'Attach')
    await choose(page, 'Instance', /^odd/)
    await expect(page.getByRole('button', { name: 'Attach', exact: true })).toHaveAccessibleDescription(
      'Only available when stopped, running, or rebooting',
    )
  },
)

test('the list requests instances only if an address is attached', async ({
  open,
  project,
  machine,
  api,
}) => {
  await machine('host')
  await api('member', 'POST', `/v1/floating-ips?project=${project}`, fields('one'))
  await api('member', 'POST', `/v1/floating-ips?project=${project}`, fields('two'))
  const page = await open('member', '/favicon.ico')
  await withoutFirstAnswers(page)
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/v1\/(instances|floating-ips|ip-pools)/.test(pathname)) asked.push(pathname)
  })
  await visit(page, list(project))
  await expect(cell(page, 'two', 'IP pool')).toHaveText(/^external/, { useInnerText: true })
  expect(asked.sort()).toEqual(['/v1/floating-ips', '/v1/ip-pools'])
  for (const name of ['one', 'two'])
    await api('member', 'POST', `/v1/floating-ips/${name}/attach?project=${project}`, {
      kind: 'instance',
      parent: 'host',
    })
  await expectRow(page, 'one', { 'Attached to instance': 'host' })
  await expectRow(page, 'two', { 'Attached to instance': 'host' })
  expect(asked.filter((path) => path.startsWith('/v1/instances'))).toEqual(['/v1/instances'])
})

test('a viewer sees addresses, and why they are read-only', async ({ open, project, api }) => {
  await api('member', 'POST', `/v1/floating-ips?project=${project}`, fields('seen'))
  const page = await open('viewer', list(project))
  await expect(page.getByRole('button', { name: 'New floating IP' })).toHaveAccessibleDescription(/role/i)
  await openRowMenu(page, 'seen')
  for (const action of ['Edit', 'Attach', 'Delete'])
    await expect(menuItem(page, action)).toHaveAccessibleDescription(/role/i)
  await page.keyboard.press('Escape')
  // Direct links still open the forms.
  await visit(page, `${page.url()}/seen/edit`)
  await expect(page.getByRole('button', { name: 'Update floating IP' })).toBeDisabled()
  await visit(page, `${list(project)}-new`)
  await expect(page.getByRole('button', { name: 'Create floating IP' })).toBeDisabled()
})

test('an address can be created, attached and found in the palette by keyboard alone', async ({
  open,
  project,
  machine,
}) => {
  await machine('only')
  const page = await open('member', list(project))
  await expect(page.getByText('No floating IPs')).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill('new floating')
  await expect(page.getByRole('option', { name: 'New floating IP' })).toBeVisible()
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByLabel('Name', { exact: true }))
  await page.keyboard.type('by-hand')
  await press(page, page.locator('summary', { hasText: 'Advanced' }))
  const pool = page.getByRole('combobox', { name: 'IP pool' })
  await tabTo(page, pool)
  await page.keyboard.type('ext')
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  // Tab leaves a cleared field empty.
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Tab')
  await expect(pool).toHaveValue('')
  await tabTo(page, pool)
  await page.keyboard.type('ext')
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('button', { name: 'Create floating IP' }))
  await expect(row(page, 'by-hand')).toBeVisible()

  await press(page, row(page, 'by-hand').getByRole('button', { name: /^Actions for / }))
  await arrowTo(page, 'Attach')
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('combobox', { name: 'Instance' }))
  await page.keyboard.type('on')
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('button', { name: 'Attach', exact: true }))
  await expectRow(page, 'by-hand', { 'Attached to instance': 'only' })

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill('by-hand')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'by-hand', level: 1 })).toBeVisible()
})

/** Arrow keys move through menus. */
async function arrowTo(page: Page, item: string): Promise<void> {
  for (let steps = 0; steps < 8; steps++) {
    if (await menuItem(page, item).evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('ArrowDown')
  }
  throw new Error('Arrow keys do not reach the item')
}

test(
  'a picker that fails to load says why, and retries when it receives the focus',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, api, project, machine }) => {
    await machine('far')
    await api('member', 'POST', `/v1/floating-ips?project=${project}`, fields('office'))
    const page = await open('member', list(project))
    const instances = '**/v1/instances?*'
    await page.route(instances, (route) => {
      const json = { request_id: 'a-1', error_code: 'Internal', message: 'The list is out of order' }
      return route.fulfill({ status: 500, json })
    })
    await rowAction(page, 'office', 'Attach')
    const field = page.getByRole('dialog').getByLabel('Instance')
    await field.click()
    const why = page.getByRole('alert').filter({ hasText: 'The list is out of order' })
    await expect(why).toBeVisible()
    await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(0)

    await page.unroute(instances)
    await why.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('option', { name: 'far' })).toBeVisible()
    await expect(why).toBeHidden()
    await expect(field).toBeFocused()
  },
)
