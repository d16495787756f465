import { choose, confirm, row, rowAction, visit } from '../support/steps.ts'
import { findings } from '../support/checks.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const GiB = 1024 ** 3

test(
  'a member saves the form of an instance as a template, locks its hardware and creates another from it',
  story,
  async ({ open, api, project }) => {
    const page = await open('member', `/projects/${project}/templates`)
    await expect(page.getByText('No templates')).toBeVisible()
    await page.getByRole('link', { name: 'New template' }).first().click()
    await expect(page.getByText(/then choose Save as template/)).toBeVisible()
    await page.getByRole('radio', { name: '4 CPU 16 gibibytes RAM' }).click()
    await choose(page, 'Image', /alpine-3-22/)
    await page.getByRole('checkbox', { name: 'Start instance' }).uncheck()
    await page.getByRole('button', { name: 'Save as template' }).click()
    const form = page.getByRole('dialog', { name: 'Save as template' })
    await form.getByLabel('Name', { exact: true }).fill('web-server')
    await expect(form.getByRole('checkbox', { name: /Boot disk source image alpine-3-22/ })).toBeChecked()
    await form.getByRole('checkbox', { name: /^Hardware/ }).uncheck()
    await form.getByRole('button', { name: 'Save template' }).click()
    await expect(page.getByText('Instance template web-server saved', { exact: true })).toBeVisible()
    await expect(form).toBeHidden()

    await visit(page, `/projects/${project}/templates`)
    await expect(row(page, 'web-server')).toContainText('4 vCPUs, 16 GiB')
    await rowAction(page, 'web-server', 'Use')
    const hardware = page.getByRole('group', { name: 'Hardware', exact: true })
    await expect(hardware).toContainText('4 vCPUs, 16 GiB memory')
    await expect(hardware).toContainText('Locked by template web-server')
    await expect(page.getByRole('radio', { name: 'Custom' })).toBeHidden()
    expect(await findings(page)).toEqual([])
    await page.getByLabel('Name', { exact: true }).fill('web-1')
    await page.getByLabel('Disk size').fill('12')
    await page.getByRole('button', { name: 'Create instance' }).click()
    await expect(page).toHaveURL(/\/instances\/web-1/)
    const made = (await api('member', 'GET', `/v1/instances/web-1?project=${project}`)) as object
    expect(made).toMatchObject({ ncpus: 4, memory: 16 * GiB, run_state: 'stopped' })
    const disks = (await api('member', 'GET', `/v1/instances/web-1/disks?project=${project}`)) as {
      items: { size: number }[]
    }
    expect(disks.items.map(({ size }) => size)).toEqual([12 * GiB])

    await visit(page, `/projects/${project}/templates`)
    await rowAction(page, 'web-server', 'Delete')
    await confirm(page)
    await expect(page.getByText('No templates')).toBeVisible()
  },
)

test('an instance that exists becomes a template with its hardware, source and network, and without its data', async ({
  open,
  api,
  project,
  machine,
}) => {
  await machine('web', { ncpus: 3, memory: 5 * GiB, start: false })
  const page = await open('member', `/projects/${project}/instances`)
  await rowAction(page, 'web', 'Save as template')
  const form = page.getByRole('dialog', { name: 'Save as template' })
  await form.getByLabel('Name', { exact: true }).fill('like-web')
  await form.getByRole('button', { name: 'Save template' }).click()
  await expect(page.getByText('Instance template like-web saved', { exact: true })).toBeVisible()
  const { settings } = (await api(
    'member',
    'GET',
    `/ext/v1/instance-templates/like-web?project=${project}`,
  )) as {
    settings: object
  }
  expect(settings).toMatchObject({
    hardware: { ncpus: 3, memory: 5 * GiB },
    network_interfaces: { type: 'default' },
  })
})

test('a form says which of the template no longer exists, and creates nothing where that is locked', async ({
  open,
  api,
  project,
}) => {
  await api('member', 'POST', `/v1/vpcs?project=${project}`, {
    name: 'short',
    description: '',
    dns_name: 'short',
  })
  const params = [{ name: 'eth0', description: '', vpc: 'short', subnet: 'default' }]
  const template = (name: string, fixed: string[]) =>
    api('member', 'POST', `/ext/v1/instance-templates?project=${project}`, {
      name,
      description: '',
      settings: { hardware: { ncpus: 1, memory: GiB }, network_interfaces: { type: 'create', params } },
      fixed,
    })
  await template('locked', ['network_interfaces'])
  await template('free', [])
  await api('member', 'DELETE', `/v1/vpc-subnets/default?project=${project}&vpc=short`)
  await api('member', 'DELETE', `/v1/vpcs/short?project=${project}`)

  const page = await open('member', `/projects/${project}/instances-new?template=locked`)
  await expect(page.getByText('Network interfaces: the VPC of the template no longer exists.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create instance' })).toHaveAccessibleDescription(
    /Edit the template first/,
  )
  await visit(page, `/projects/${project}/instances-new?template=free`)
  await page.getByText('Networking', { exact: true }).last().click()
  await expect(page.getByText('Choose another here, or edit the template.')).toBeVisible()
  await visit(page, `/projects/${project}/templates/locked`)
  await expect(page.getByText('Its VPC no longer exists. Edit the template.')).toBeVisible()
})

test(
  'a viewer finds a template by its hardware and by what is locked, and learns what hides it',
  story,
  async ({ open, api, project }) => {
    const at = `/ext/v1/instance-templates?project=${project}`
    const hardware = (ncpus: number) => ({ hardware: { ncpus, memory: ncpus * GiB } })
    await api('member', 'POST', at, { name: 'small', description: '', settings: hardware(1) })
    await api('member', 'POST', at, {
      name: 'large',
      description: '',
      settings: hardware(8),
      fixed: ['hardware'],
    })
    const page = await open('viewer', `/projects/${project}/templates`)
    const filter = page.getByRole('combobox', { name: 'Filter instance templates' })
    await expect(filter).toBeVisible()
    await filter.fill('cpu>=4')
    await filter.press('Enter')
    await expect(row(page, 'small')).toBeHidden()
    await expect(row(page, 'large')).toBeVisible()
    await expect(page.getByRole('main')).toContainText('1 of 2 match')

    await filter.fill('fixed:hardware name:small')
    await filter.press('Enter')
    const hiding = page.getByRole('list', { name: 'What hides them' })
    await expect(hiding.getByRole('listitem')).toHaveText([
      /^Without fixed:hardware, 1 matches/,
      /^Without name:small, 1 matches/,
    ])
    await hiding.getByRole('button', { name: 'Remove fixed:hardware' }).click()
    await expect(row(page, 'small')).toBeVisible()
    await page.getByRole('button', { name: 'Export' }).click()
    await expect(page.getByRole('menuitem', { name: 'Save as CSV' })).toBeVisible()
  },
)
