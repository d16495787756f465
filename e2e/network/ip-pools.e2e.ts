import type { Page } from '@playwright/test'
import { asFleetViewer } from '../support/fleet-steps.ts'
import type { Api } from '../support/scenes.ts'
import {
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
import { notOn, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const list = '/system/networking/ip-pools'
const pools = '/v1/system/ip-pools'
const openMenu = (page: Page) => page.getByRole('button', { name: 'IP pool actions' }).click()

/** Each test has its own block, because ranges must not overlap across pools. */
const block = (project: string): string => {
  const digits = Number.parseInt(project.slice(-6), 16)
  return `10.${(digits >> 8) & 255}.${digits & 255}`
}

const makePool = (api: Api, name: string) => api('admin', 'POST', pools, { name, description: '' })
const makeSilo = (api: Api, name: string) =>
  api('admin', 'POST', '/v1/system/silos', {
    name,
    description: 'made for one test',
    discoverable: true,
    identity_mode: 'local_only',
    mapped_fleet_roles: {},
    quotas: { cpus: 1, memory: 1024 ** 3, storage: 1024 ** 3 },
    tls_certificates: [],
  })

async function addRange(page: Page, first: string, last: string): Promise<void> {
  const form = page.getByRole('dialog', { name: 'Add IP range' })
  await form.getByLabel('First').fill(first)
  await form.getByLabel('Last').fill(last)
  await form.getByRole('button', { name: 'Add IP range' }).click()
}

test(
  'an operator creates a pool, adds ranges, renames it and deletes it',
  story,
  async ({ open, project }) => {
    const name = `pool-${project}`
    const net = block(project)
    const page = await open('admin', list)
    await expect(page).toHaveTitle(/^IP Pools \/ /)
    await expectRow(page, 'external', { Utilization: /^[\d,]+ \/ 254/ })
    await expectRow(page, 'service-pool', { Silos: 'System services' })
    await page.getByRole('link', { name: 'New IP pool' }).first().click()
    const create = page.getByRole('dialog', { name: 'Create IP pool' })
    await create.getByRole('button', { name: 'Create IP pool' }).click()
    await expect(create.getByLabel('Name', { exact: true })).toHaveAccessibleDescription('Name is required')
    await create.getByLabel('Name', { exact: true }).fill('external')
    await create.getByLabel('Description').fill('for one test')
    await create.getByRole('button', { name: 'Create IP pool' }).click()
    await expect(create.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(/already exists/)
    await expect(create.getByLabel('Description')).toHaveValue('for one test')
    await create.getByLabel('Name', { exact: true }).fill(name)
    await create.getByRole('button', { name: 'Create IP pool' }).click()
    await expect(notifications(page)).toContainText(`IP pool ${name} created`)
    await expectRow(page, name, { Utilization: '0 / 0' })
    await row(page, name).getByRole('link').click()

    await expect(page.getByRole('heading', { name: 'No IP ranges' })).toBeVisible()
    await expect(page.getByRole('meter')).toHaveCount(0)
    await page.getByRole('link', { name: 'Add range' }).first().click()
    await expect(page).toHaveURL(/\/ranges-add$/)
    await addRange(page, `${net}.1`, `${net}.10`)
    await expect(notifications(page)).toContainText(`IP range ${net}.1–${net}.10 added`)
    await expectRow(page, `${net}.1`, { Last: `${net}.10` })
    await expect(page.getByRole('region', { name: 'IPv4 (IPs)' })).toContainText('Capacity10')
    // More IPv6 addresses than a JavaScript number can represent.
    await page.getByRole('link', { name: 'Add range' }).first().click()
    await addRange(page, `fd00:${net.split('.')[2]}::`, `fd00:${net.split('.')[2]}::ffff:ffff:ffff:ffff`)
    await expect(page.getByRole('region', { name: 'IPv6 (IPs)' })).toContainText('18,446,744,073,709,551,616')

    await openMenu(page)
    await menuItem(page, 'Edit').click()
    const edit = page.getByRole('dialog', { name: 'Edit IP pool' })
    await edit.getByLabel('Name', { exact: true }).fill(`${name}-2`)
    await edit.getByRole('button', { name: 'Update IP pool' }).click()
    await expect(page.getByRole('heading', { name: `${name}-2`, level: 1 })).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`/${name}-2$`))
    for (const first of [`${net}.1`, 'fd00']) {
      await rowAction(page, first, 'Remove')
      await expect(page.getByRole('dialog', { name: 'Confirm remove range' })).toContainText(first)
      await confirm(page)
      await expect(row(page, first)).toHaveCount(0)
    }
    await openMenu(page)
    await menuItem(page, 'Delete').click()
    await confirm(page)
    await expect(notifications(page)).toContainText(`IP pool ${name}-2 deleted`)
    await expect(page).toHaveURL(new RegExp(`${list}$`))
    await expect(row(page, `${name}-2`)).toHaveCount(0)
  },
)

test("an operator gives a pool to the system's services, and back to silos", async ({
  open,
  project,
  api,
}) => {
  const name = `pool-${project}`
  await makePool(api, name)
  const page = await open('admin', list)
  await rowAction(page, name, 'Assign to system services')
  await expect(page.getByRole('dialog', { name: 'Confirm assignment' })).toContainText(
    'No silo can be linked',
  )
  await confirm(page)
  await expect(notifications(page)).toContainText(`IP pool ${name} assigned to the system's services`)
  await expectRow(page, name, { Silos: 'System services' })
  await visit(page, `${list}/${name}?tab=silos`)
  await expect(page.getByRole('button', { name: 'Link silo' }).first()).toBeDisabled()
  await openMenu(page)
  await menuItem(page, 'Assign to silos').click()
  await confirm(page)
  await expect(page.getByRole('button', { name: 'Link silo' }).first()).toBeEnabled()
})

test('a range that is refused says why and keeps the input', async ({ open, project, api }) => {
  const name = `pool-${project}`
  const net = block(project)
  await makePool(api, name)
  await api('admin', 'POST', `${pools}/${name}/ranges/add`, { first: `${net}.20`, last: `${net}.29` })
  const page = await open('admin', `${list}/${name}/ranges-add`)
  const form = page.getByRole('dialog', { name: 'Add IP range' })
  const last = form.getByLabel('Last')
  await form.getByRole('button', { name: 'Add IP range' }).click()
  await expect(form.getByLabel('First')).toHaveAccessibleDescription(/First is required/)
  await addRange(page, '10.0.0', `${net}.9`)
  await expect(form.getByLabel('First')).toHaveAccessibleDescription(/Not a valid IP address/)
  await addRange(page, `${net}.9`, `${net}.1`)
  await expect(last).toHaveAccessibleDescription(/First must not be greater than last/)
  await addRange(page, `${net}.9`, 'fd00::1')
  await expect(last).toHaveAccessibleDescription(/must both be IPv4 or both be IPv6/)
  await addRange(page, `${net}.1`, `${net}.20`)
  await expect(form.getByRole('alert')).toContainText(
    `overlaps with an existing range. IP pool ${name} has ${net}.20-${net}.29`,
  )
  await expect(form.getByLabel('First')).toHaveValue(`${net}.1`)
  await last.fill(`${net}.19`)
  await form.getByRole('button', { name: 'Add IP range' }).click()
  await expect(row(page, `${net}.1`)).toContainText(`${net}.19`)
})

test('an operator links a silo, makes the pool its default, and unlinks it', async ({
  open,
  project,
  api,
}) => {
  const [first, second, silo] = [`one-${project}`, `two-${project}`, `silo-${project}`]
  await makePool(api, first)
  await makePool(api, second)
  await makeSilo(api, silo)
  const page = await open('admin', `${list}/${first}`)
  await page.getByRole('tab', { name: 'Linked silos' }).click()
  await expect(page).toHaveURL(/\?tab=silos$/)
  await page.getByRole('button', { name: 'Link silo' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Link silo' })
  const submit = dialog.getByRole('button', { name: 'Link', exact: true })
  await expect(submit).toHaveAccessibleDescription('Select a silo first')
  await choose(page, 'Silo', new RegExp(`^${silo}`))
  await dialog.getByLabel('Make default pool for silo').check()
  await submit.click()
  await expectRow(page, silo, { 'Silo default': 'default' })
  await page.getByRole('button', { name: 'Link silo' }).first().click()
  await dialog.getByRole('combobox', { name: 'Silo' }).click()
  await expect(page.getByRole('option', { name: new RegExp(`^${silo}`) })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  // The second pool replaces the first as default; both dialogs name it.
  await visit(page, `${list}/${second}?tab=silos`)
  await page.getByRole('button', { name: 'Link silo' }).first().click()
  await choose(page, 'Silo', new RegExp(`^${silo}`))
  await dialog.getByLabel('Make default pool for silo').check()
  await expect(dialog).toContainText(`This replaces ${first} as the default pool of ${silo}`)
  // No plan tells of both requests.
  await dialog.getByRole('button', { name: 'Review' }).click()
  await expect(dialog).toContainText(`This replaces ${first} as the default pool by a second request`)
  await dialog.getByLabel('Make default pool for silo').uncheck()
  await dialog.getByRole('button', { name: 'Review' }).click()
  const review = page.getByRole('dialog', { name: 'Review: link silo' })
  await expect(review).toContainText('nothing has changed yet')
  await review.getByRole('button', { name: /^Commit/ }).click()
  await expectRow(page, silo, { 'Silo default': '—' })
  await rowAction(page, silo, 'Make default')
  await expect(page.getByRole('dialog', { name: 'Make default' })).toContainText(`It replaces ${first}`)
  await confirm(page)
  await expectRow(page, silo, { 'Silo default': 'default' })
  await rowAction(page, silo, 'Clear default')
  await confirm(page)
  await expectRow(page, silo, { 'Silo default': '—' })
  await rowAction(page, silo, 'Unlink')
  await expect(page.getByRole('dialog', { name: 'Confirm unlink silo' })).toContainText(silo)
  await confirm(page)
  await expect(notifications(page)).toContainText(`Silo ${silo} unlinked`)
  await expect(page.getByRole('heading', { name: 'No linked silos' })).toBeVisible()
})

test('an operator sees who holds addresses, and cannot remove their range or unlink their silo', async ({
  open,
  project,
  machine,
  api,
}) => {
  await api('member', 'POST', `/v1/floating-ips?project=${project}`, { name: 'buoy', description: '' })
  await machine('holder', { external_ips: [{ type: 'floating', floating_ip: 'buoy' }] })
  const page = await open('admin', `${list}/external?tab=addresses`)
  const held = page
    .getByRole('row')
    .filter({ hasText: `demo / ${project}` })
    .filter({ hasText: 'buoy' })
  // Other tests hold addresses too, so it may be on a later page.
  await expect(page.getByRole('cell', { name: 'Floating' }).first()).toBeVisible()
  const first = page.getByRole('row').nth(1)
  while ((await held.count()) === 0) {
    const before = await first.textContent()
    await page.getByRole('button', { name: 'Next' }).click()
    // The old rows stay until the next ones arrive.
    await expect.poll(() => first.textContent()).not.toBe(before)
  }
  await expect(held).toContainText('Floating')
  await held.getByRole('link', { name: 'holder' }).click()
  await expect(page).toHaveURL(/\/instances\/holder\/networking$/)
  await visit(page, `${list}/external`)
  await rowAction(page, '198.51.100.1', 'Remove')
  await confirm(page)
  await expect(notifications(page)).toContainText(/is the lowest address in use/)
  await page.getByRole('tab', { name: 'Linked silos' }).click()
  await rowAction(page, 'demo', 'Unlink')
  await confirm(page)
  await expect(notifications(page)).toContainText(/in use in the linked silo/)
  await expectRow(page, 'demo', { 'Silo default': 'default' })
})

test("a pool of the system's services has ranges, and no silos", async ({ open, project }) => {
  const net = block(project)
  const page = await open('admin', list)
  await page.getByRole('link', { name: 'service-pool' }).click()
  await expect(page.getByRole('heading', { name: 'service-pool' })).toBeVisible()
  await expect(row(page, '192.0.2.1')).toContainText('192.0.2.14')
  await page.getByRole('link', { name: 'Add range' }).click()
  await addRange(page, `${net}.1`, `${net}.2`)
  await rowAction(page, `${net}.1`, 'Remove')
  await confirm(page)
  await expect(row(page, `${net}.1`)).toHaveCount(0)
  await page.getByRole('tab', { name: 'Linked silos' }).click()
  await expect(page.getByRole('button', { name: 'Link silo' })).toHaveAccessibleDescription(
    "The pool is assigned to the system's services",
  )
})

test(
  'a fleet viewer reads why they cannot change a pool, and other users get Page not found',
  notOn({ preview: 'needs two browsers' }),
  async ({ open, api }) => {
    await asFleetViewer(api, 'petra', async () => {
      const page = await open('petra', `${list}/external`)
      const why = 'You need the role admin on the fleet'
      await expect(page.getByRole('button', { name: 'Add range' })).toHaveAccessibleDescription(
        new RegExp(why),
      )
      await openRowMenu(page, '198.51.100.1')
      await expect(menuItem(page, 'Remove')).toHaveAccessibleDescription(new RegExp(why))
      await page.keyboard.press('Escape')
      await openMenu(page)
      await expect(menuItem(page, 'Edit')).toHaveAccessibleDescription(new RegExp(why))
      await page.keyboard.press('Escape')
      await visit(page, `${list}/external/ranges-add`)
      const form = page.getByRole('dialog', { name: 'Add IP range' })
      await expect(form.getByRole('button', { name: 'Add IP range' })).toBeDisabled()
    })
    const stranger = await open('viewer', list)
    await expect(stranger.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  },
)

test(
  'a concurrent change to a pool is shown to the second operator',
  notOn({ preview: 'needs two browsers' }),
  async ({ open, project, api }) => {
    const name = `pool-${project}`
    const net = block(project)
    await makePool(api, name)
    const [one, other] = [await open('admin', `${list}/${name}`), await open('admin', `${list}/${name}/edit`)]
    await api('admin', 'POST', `${pools}/${name}/ranges/add`, { first: `${net}.1`, last: `${net}.2` })
    await expect(row(one, `${net}.1`)).toBeVisible()

    const edit = other.getByRole('dialog', { name: 'Edit IP pool' })
    await edit.getByLabel('Description').fill('mine')
    await api('admin', 'PUT', `${pools}/${name}`, { description: 'theirs' })
    await edit.getByRole('button', { name: 'Update IP pool' }).click()
    await expect(edit.getByRole('alert')).toBeVisible()
    await expect(edit.getByLabel('Description')).toHaveValue('mine')
    await edit.getByRole('button', { name: 'Update IP pool' }).click()
    await expect(notifications(other)).toContainText(`IP pool ${name} updated`)

    await api('admin', 'POST', `${pools}/${name}/ranges/remove`, { first: `${net}.1`, last: `${net}.2` })
    await api('admin', 'DELETE', `${pools}/${name}`)
    await expect(one.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  },
)
