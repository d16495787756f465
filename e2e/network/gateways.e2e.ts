import {
  choose,
  confirm,
  notifications,
  openRowMenu,
  menuItem,
  row,
  rowAction,
  visit,
} from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const plain = (name: string) => ({ name, description: '' })

test(
  'a user creates a gateway, attaches and detaches, and deletes it with its routes',
  story,
  async ({ open, project, api }) => {
    const inVpc = `project=${project}&vpc=default`
    const list = `/projects/${project}/vpcs/default/internet-gateways`
    const page = await open('member', list)
    await page.getByRole('link', { name: 'New internet gateway' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create internet gateway' })
    await expect(page).toHaveTitle(/^New internet gateway \//)
    const name = form.getByLabel('Name', { exact: true })
    await name.fill('default')
    await form.getByRole('button', { name: 'Create internet gateway' }).click()
    await expect(name).toHaveAccessibleDescription(/name already exists/)
    await name.fill('edge')
    await form.getByRole('button', { name: 'Create internet gateway' }).click()
    await expect(notifications(page)).toContainText('Internet gateway edge created')
    await expect(page).toHaveURL(/\/internet-gateways$/)

    await row(page, 'edge').getByRole('link', { name: 'edge', exact: true }).click()
    const panel = page.getByRole('dialog', { name: 'Internet gateway', exact: true })
    await expect(panel).toContainText('Attach one, or attach an IP pool, to let traffic out.')
    await panel.getByRole('button', { name: 'Attach IP pool' }).click()
    const attach = page.getByRole('dialog', { name: 'Attach IP pool' })
    await expect(attach).toContainText('Instances whose external address is from this IP pool get outbound')
    await attach.getByRole('button', { name: 'Attach IP pool' }).click()
    await expect(attach.getByLabel('Attachment name')).toHaveAccessibleDescription(/is required/)
    await choose(page, 'IP pool', /^external/)
    await attach.getByLabel('Attachment name').fill('out')
    await attach.getByRole('button', { name: 'Attach IP pool' }).click()
    await expect(notifications(page)).toContainText('IP pool out attached')
    await expect(panel).toContainText('An address from the attached IP pool will be used.')

    await panel.getByRole('button', { name: 'Attach IP address' }).click()
    const address = page.getByRole('dialog', { name: 'Attach IP address' })
    await expect(address).toContainText('Instances whose external address is this one get outbound access')
    await address.getByLabel('IP address').fill('10.0.0.999')
    await address.getByLabel('Attachment name').fill('fixed')
    await address.getByRole('button', { name: 'Attach IP address' }).click()
    await expect(address.getByLabel('IP address')).toHaveAttribute('aria-invalid', 'true')
    await address.getByLabel('IP address').fill('203.0.113.9')
    // Another user attaches one first: the server refuses a second.
    await api('member', 'POST', `/v1/internet-gateway-ip-addresses?${inVpc}&gateway=edge`, {
      ...plain('first'),
      address: '203.0.113.8',
    })
    await address.getByRole('button', { name: 'Attach IP address' }).click()
    await expect(address).toContainText(/already exists/i)
    await address.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Leave form' }).click()
    await expect(panel.getByRole('link', { name: '203.0.113.8' })).toBeVisible()
    await expect(panel.getByRole('button', { name: 'Attach IP address' })).toHaveAccessibleDescription(
      'A gateway has at most one IP address',
    )
    await panel.getByRole('button', { name: 'Detach first' }).click()
    await page.getByRole('button', { name: 'Detach', exact: true }).click()
    await expect(notifications(page)).toContainText('IP address first detached')
    await expect(panel.getByRole('link', { name: '203.0.113.8' })).toBeHidden()
    await panel.getByRole('button', { name: 'Close' }).click()

    await api('member', 'POST', `/v1/vpc-routers?${inVpc}`, plain('by-hand'))
    await api('member', 'POST', `/v1/vpc-router-routes?${inVpc}&router=by-hand`, {
      ...plain('away'),
      destination: { type: 'ip_net', value: '198.51.100.0/24' },
      target: { type: 'internet_gateway', value: 'edge' },
    })
    await expect(row(page, 'edge').getByRole('link', { name: '1 route' })).toBeVisible()
    await rowAction(page, 'edge', 'Delete')
    const dialog = page.getByRole('dialog', { name: 'Confirm delete internet gateway' })
    await expect(dialog).toContainText('These are detached from it: IP pool out.')
    await expect(dialog).toContainText('Routes that target it are deleted too: away.')
    await confirm(page)
    await expect(notifications(page)).toContainText('Internet gateway edge deleted')
    await expect(row(page, 'edge')).toBeHidden()
    const { items } = (await api('member', 'GET', `/v1/vpc-router-routes?${inVpc}&router=by-hand`)) as {
      items: object[]
    }
    expect(items).toEqual([])
  },
)

test('detaching a pool that instances use lists the consequences', async ({ open, project, machine }) => {
  await machine('talker', { network_interfaces: { type: 'default' }, external_ips: [{ type: 'ephemeral' }] })
  const page = await open('member', `/projects/${project}/vpcs/default/internet-gateways/default`)
  const panel = page.getByRole('dialog', { name: 'Internet gateway', exact: true })
  await panel.getByRole('button', { name: /^Detach / }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm detach IP pool' })
  await expect(dialog).toContainText(/Routes lead to this gateway: .*default-v4/)
  await expect(dialog).toContainText('lose outbound access')
  await dialog.getByRole('button', { name: 'Detach', exact: true }).click()
  await expect(notifications(page)).toContainText('detached')
  await expect(panel).toContainText('No IP pool is attached to this internet gateway.')
})

test('the panel of a gateway deleted by another user becomes Page not found', async ({
  open,
  project,
  api,
}) => {
  const inVpc = `project=${project}&vpc=default`
  await api('member', 'POST', `/v1/internet-gateways?${inVpc}`, plain('brief'))
  const page = await open('member', `/projects/${project}/vpcs/default/internet-gateways/brief`)
  const panel = page.getByRole('dialog', { name: 'Internet gateway', exact: true })
  await expect(panel).toBeVisible()
  await api('member', 'DELETE', `/v1/internet-gateways/brief?${inVpc}`)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('a viewer sees gateways, and why they are read-only', async ({ open, project }) => {
  const page = await open('viewer', `/projects/${project}/vpcs/default/internet-gateways`)
  await expect(page.getByRole('button', { name: 'New internet gateway' })).toHaveAccessibleDescription(
    /role/i,
  )
  await openRowMenu(page, 'default')
  await expect(menuItem(page, 'Delete')).toHaveAccessibleDescription(/role/i)
  await visit(page, `/projects/${project}/vpcs/default/internet-gateways/default`)
  const panel = page.getByRole('dialog', { name: 'Internet gateway', exact: true })
  for (const name of ['Attach IP pool', 'Attach IP address', 'Detach default'])
    await expect(panel.getByRole('button', { name })).toHaveAccessibleDescription(/role/i)
})
