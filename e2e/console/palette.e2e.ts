import { remembered, row, visit } from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

test(
  'the palette finds projects and instances by substring, from any page',
  story,
  async ({ open, project, machine }) => {
    const name = `needle-${project.slice(-6)}`
    await machine(name)
    const page = await open('viewer', '/projects/playground/instances')
    await expect(page.getByText('No instances')).toBeVisible()
    const search = page.getByRole('combobox', { name: 'Search' })

    // Neither is on this page, so the server must search.
    await page.keyboard.press('Control+k')
    await expect(search).toBeFocused()
    await page.keyboard.type(project.slice(2, 12))
    await expect(page.getByRole('option', { name: new RegExp(project) }).first()).toHaveAttribute(
      'aria-selected',
      'true',
    )
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/projects/${project}/instances$`))
    await expect(search).toBeHidden()

    await page.getByRole('link', { name: 'Home' }).click()
    await expect(page.getByRole('heading', { name: 'Projects', exact: true })).toBeVisible()
    await page.getByRole('button', { name: /Jump to/ }).click()
    // Enter works before the response arrives.
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name })).toBeVisible()

    await page.keyboard.press('Control+k')
    await page.keyboard.type('no such thing anywhere')
    await expect(page.getByText('Nothing matches')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(search).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(search).toBeHidden()
  },
)

test("the palette finds a project's disks, images and VPCs by substring", async ({ open, project, api }) => {
  const tag = project.slice(-6)
  const body = { description: '' }
  const blank = { size: 1024 ** 3, disk_source: { type: 'blank', block_size: 512 } }
  await api('member', 'POST', `/v1/disks?project=${project}`, { name: `d-${tag}`, ...body, ...blank })
  await api('member', 'POST', `/v1/vpcs?project=${project}`, { name: `v-${tag}`, ...body, dns_name: 'v' })
  await api('member', 'POST', `/v1/snapshots?project=${project}`, { name: 's', ...body, disk: `d-${tag}` })
  const { id } = (await api('member', 'GET', `/v1/snapshots/s?project=${project}`)) as { id: string }
  const image = { ...body, os: 'linux', version: '1', source: { type: 'snapshot', id } }
  await api('member', 'POST', `/v1/images?project=${project}`, { name: `i-${tag}`, ...image })

  const page = await open('viewer', '/projects')
  const places = [
    ['d', 'Go to disk', /\/disks\/d-.*$/],
    ['v', 'Go to VPC', /\/vpcs\/v-.*\/firewall-rules$/],
    ['i', 'Go to image', /\/images\/i-[^/]*$/],
  ] as const
  for (const [letter, group, path] of places) {
    await expect(page.getByRole('heading', { name: 'Projects', exact: true })).toBeVisible()
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused()
    await page.keyboard.type(`${letter}-${tag}`)
    // The default subnet of a VPC is found by its name, too.
    await expect(page.getByRole('option', { name: new RegExp(`^${letter}-${tag}`) })).toContainText(project)
    await expect(page.getByText(group, { exact: true })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(path)
    await visit(page, '/projects')
  }
})

test("the palette finds by address, offers the object's actions, and takes filters and other words", async ({
  open,
  project,
  machine,
  api,
}) => {
  // Unlike a MAC, which VPCs of other projects may have too.
  const { id } = await machine('found-one', { external_ips: [{ type: 'ephemeral' }] })
  const { items } = (await api('member', 'GET', `/v1/instances/${id}/external-ips`)) as {
    items: { kind: string; ip: string }[]
  }
  const address = items.find(({ kind }) => kind === 'ephemeral')?.ip
  const page = await open('member', `/projects/${project}/instances`)
  await expect(page.getByRole('link', { name: 'found-one' })).toBeVisible()
  const search = page.getByRole('combobox', { name: 'Search' })

  // What is typed before the palette has loaded is kept.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('log out')
  await expect(search).toHaveValue('log out')
  await expect(page.getByRole('option', { name: 'Sign out', exact: true })).toBeVisible()

  await search.fill('create vm')
  await expect(page.getByRole('option', { name: 'New instance' }).first()).toBeVisible()

  // By what the entry of a listed row does not say.
  await search.fill(`who has ${address}`)
  await expect(page.getByRole('option', { name: /^found-one/ })).toBeVisible()

  await search.fill('state:stopped')
  await page.getByRole('option', { name: 'All instances that match state:stopped' }).click()
  await expect(page).toHaveURL(/filter=state/)

  const projects = page.getByRole('heading', { name: 'Projects', exact: true })
  await visit(page, '/projects')
  await expect(projects).toBeVisible()
  await page.keyboard.press('Control+k')
  await search.fill(`who has ${address}?`)
  const hit = page.getByRole('option', { name: /^found-one/ })
  await expect(hit).toBeVisible()
  await expect(hit).toHaveAttribute('aria-selected', 'true')
  await search.press('ArrowRight')
  const menu = page.getByRole('menu', { name: 'Actions of found-one' })
  await expect(menu.getByRole('menuitem', { name: 'Start' })).toBeVisible()
  await expect(menu.getByRole('menuitem', { name: 'Stop', exact: true })).toBeDisabled()
  await menu.getByRole('menuitem', { name: 'Resize' }).click()
  await expect(page.getByRole('dialog', { name: /Resize/ })).toBeVisible()
  await page.keyboard.press('Escape')

  await visit(page, `/projects/${project}/instances/found-one`)
  await expect(page.getByRole('heading', { name: 'found-one' })).toBeVisible()
  await remembered(page, 'found-one')
  await visit(page, '/projects')
  await expect(projects).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Jump to' }).getByText('Recent')).toBeVisible()
  await expect(page.getByRole('option', { name: /^found-one/ })).toBeVisible()
})

test('text typed into the palette does not reach the form below', async ({ open, project, api }) => {
  const page = await open('member', `/projects/${project}/instances-new`)
  const field = page.getByLabel('Name', { exact: true })
  await field.fill('mine')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused()
  await page.keyboard.type('playground')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeHidden()
  await expect(field).toHaveValue('mine')
  await expect(field).toBeFocused()

  // Leaving a form with unsaved input asks for confirmation.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('playground')
  await expect(page.getByRole('option', { name: /playground/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Leave this page' }).click()
  await expect(page).toHaveURL(/\/projects\/playground\/instances$/)
  expect(await api('member', 'GET', `/v1/instances?project=${project}`)).toMatchObject({ items: [] })

  // The key that opens a form must not also submit it.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('new instance')
  await expect(page.getByRole('option', { name: 'New instance', exact: true })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Create instance' })).toBeVisible()
  await expect(page.getByText('Name is required')).toBeHidden()
})

test("a list keeps its page and scroll position below a row's panel and its create form", async ({
  open,
  project,
  api,
}) => {
  const list = `/projects/${project}/vpcs/default/internet-gateways`
  for (let number = 11; number <= 66; number++)
    await api('member', 'POST', `/v1/internet-gateways?project=${project}&vpc=default`, {
      name: `gw-${number}`,
      description: '',
    })
  const page = await open('member', list)
  const scrolled = () => page.locator('#content').evaluate(({ scrollTop }) => scrollTop)
  const fromPalette = async (label: string) => {
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused()
    await page.keyboard.type(label)
    await expect(page.getByRole('option', { name: label, exact: true })).toBeVisible()
    await page.keyboard.press('Enter')
  }
  await expect(row(page, 'gw-11')).toBeVisible()
  await page.locator('#content').evaluate((pane) => pane.scrollTo({ top: 300 }))
  await fromPalette('New internet gateway')
  const form = page.getByRole('dialog', { name: 'Create internet gateway' })
  await expect(form).toBeVisible()
  expect(await scrolled()).toBe(300)
  await form.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Next' }).click()
  await expect(row(page, 'gw-66')).toBeVisible()
  const secondPage = page.url()
  const panel = page.getByRole('dialog', { name: 'Internet gateway', exact: true })
  for (const openPanel of [
    () => row(page, 'gw-66').getByRole('link', { name: 'gw-66', exact: true }).click(),
    () => fromPalette('gw-66'),
  ]) {
    await openPanel()
    await expect(panel).toBeVisible()
    await expect(row(page, 'gw-66')).toBeAttached()
    await panel.getByRole('button', { name: 'Close' }).click()
    await expect(page).toHaveURL(secondPage)
    await expect(row(page, 'gw-66')).toBeVisible()
  }
  await fromPalette('New internet gateway')
  await expect(form).toBeVisible()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(secondPage)
})

test('the palette finds subnets by their block, and by an address that they contain', async ({
  open,
  api,
  project,
}) => {
  const body = { name: 'ledgers', description: '', ipv4_block: '10.99.0.0/24' }
  await api('member', 'POST', `/v1/vpc-subnets?project=${project}&vpc=default`, body)
  const page = await open('member', `/projects/${project}/instances`)
  await expect(page.getByRole('heading', { name: 'No instances' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: 'Search' })
  const hit = page.getByRole('option', { name: /^ledgers/ }).filter({ hasText: project })
  await search.fill('who has 10.99.0.7')
  await expect(hit).toContainText(`10.99.0.0/24, default, ${project}`)
  await search.fill('10.99.0.0/24')
  await hit.click()
  await expect(page).toHaveURL(/vpcs\/default\/subnets\/ledgers\/edit/)
})
