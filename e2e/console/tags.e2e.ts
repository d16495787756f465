import type { Page } from '@playwright/test'
import { scenesIn } from '../support/scenes.ts'
import { menuItem, openRowMenu, row, rowAction } from '../support/steps.ts'
import { notOn, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const keyOf = (page: Page, place: number) => dialog(page).getByLabel(`Key of tag ${place}`)
const valueOf = (page: Page, place: number) => dialog(page).getByLabel(`Value of tag ${place}`)
async function saved(page: Page): Promise<void> {
  await dialog(page).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog(page)).toBeHidden()
}

test(
  'tags are set on one machine and on several, read in the list, told in words and taken back',
  story,
  async ({ open, machine, project }) => {
    await machine('web-1')
    await machine('web-2')
    const page = await open('member', `/projects/${project}/instances`)
    const other = await open('admin', `/projects/${project}/instances`)
    await rowAction(page, 'web-1', 'Edit tags')
    await keyOf(page, 1).fill('Env')
    await valueOf(page, 1).fill('test')
    await dialog(page).getByRole('button', { name: 'Add tag' }).click()
    await expect(keyOf(page, 2)).toBeFocused()
    await keyOf(page, 2).fill('1st')
    await dialog(page).getByRole('button', { name: 'Save', exact: true }).click()
    await expect(dialog(page)).toContainText('must begin with a lower-case letter')
    await keyOf(page, 2).fill('team')
    await valueOf(page, 2).fill('Größe')
    await saved(page)
    await expect(row(page, 'web-1')).toContainText('envtest')
    // Other users see it without a reload.
    await expect(row(other, 'web-1')).toContainText('teamGröße')

    // What exists already is offered.
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page
      .getByRole('toolbar', { name: 'Selected instances' })
      .getByRole('button', { name: 'Edit tags' })
      .click()
    await keyOf(page, 1).click()
    await page.getByRole('option', { name: /^env/ }).click()
    await valueOf(page, 1).fill('prod')
    await valueOf(page, 1).press('Tab')
    await dialog(page).getByRole('checkbox', { name: 'team 1 of 2' }).check()
    await saved(page)
    await expect(row(page, 'web-2')).toContainText('envprod')
    await expect(row(page, 'web-1')).toContainText('envprod')
    await expect(row(page, 'web-1')).not.toContainText('team')

    await page.goto(`/projects/${project}/instances/web-1/activity`)
    await expect(page.getByRole('main')).toContainText('envprod')
    const entries = page.getByRole('main').getByRole('listitem')
    await page.goto(`/projects/${project}/activity`)
    const entry = entries.filter({ hasText: 'instance web-2' }).first()
    await expect(entry).toBeVisible()
    await entry.getByRole('button', { name: 'Revert…' }).click()
    await expect(dialog(page)).toContainText('reverting it does this')
    await dialog(page).getByRole('button', { name: 'Revert', exact: true }).click()
    await expect(dialog(page)).toBeHidden()
    await page.goto(`/projects/${project}/instances`)
    await expect(row(page, 'web-1')).toContainText('envtest')
    await expect(row(page, 'web-2')).not.toContainText('env')
  },
)

test('objects of other kinds are tagged from their lists, and a viewer reads why not', async ({
  open,
  api,
  project,
}) => {
  await scenesIn(api, project).disk('data')
  const page = await open('member', `/projects/${project}/disks`)
  const lists = [
    [`/projects/${project}/disks`, 'data'],
    [`/projects/${project}/vpcs`, 'default'],
    [`/projects/${project}/vpcs/default/subnets`, 'default'],
    [`/projects/${project}/vpcs/default/routers`, 'system'],
    ['/projects', project],
  ] as const
  for (const [path, name] of lists) {
    await page.goto(path)
    await rowAction(page, name, 'Edit tags')
    await keyOf(page, 1).fill('env')
    await valueOf(page, 1).fill('prod')
    await saved(page)
    await expect(row(page, name)).toContainText('envprod')
  }
  const viewer = await open('viewer', `/projects/${project}/disks`)
  await expect(row(viewer, 'data')).toContainText('envprod')
  await openRowMenu(viewer, 'data')
  await expect(menuItem(viewer, 'Edit tags')).toBeDisabled()
})

test('an operator tags a silo and a pool', async ({ open }) => {
  const page = await open('admin', '/system/silos')
  for (const [path, label] of [
    ['/system/silos', 'demo'],
    ['/system/networking/ip-pools', 'external'],
  ] as const) {
    await page.goto(path)
    await rowAction(page, label, 'Edit tags')
    await keyOf(page, 1).fill('site')
    await valueOf(page, 1).fill('north')
    await saved(page)
    await expect(row(page, label)).toContainText('sitenorth')
    await rowAction(page, label, 'Edit tags')
    await dialog(page).getByRole('button', { name: 'Remove tag 1' }).click()
    await saved(page)
    await expect(row(page, label)).not.toContainText('site')
  }
})

const demanding = (page: Page, keys: string[], kinds: string[]) =>
  page.route('**/ext/v1/tag-demand', (route) =>
    route.fulfill({ json: { keys, kinds, is_for_all_clients: false } }),
  )

test(
  'forms give new objects tags, and ask for those that the silo demands',
  story,
  async ({ open, machine, project }) => {
    await machine('web-1')
    const page = await open('member', `/projects/${project}/disks`)
    await demanding(page, ['env', 'team'], ['disk'])
    await page.goto(`/projects/${project}/disks-new`)
    const form = page.getByRole('dialog', { name: 'Create disk' })
    await form.getByLabel('Name').fill('data')
    await expect(keyOf(page, 2)).toHaveValue('team')
    await valueOf(page, 1).fill('prod')
    await valueOf(page, 1).press('Tab')
    await form.getByRole('button', { name: 'Create disk' }).click()
    await expect(form.getByRole('alert')).toHaveText('In this silo, team needs a value')
    await valueOf(page, 2).fill('Größe')
    await valueOf(page, 2).press('Tab')
    await form.getByRole('button', { name: 'Create disk' }).click()
    await expect(form).toBeHidden()
    await expect(row(page, 'data')).toContainText('envprod')
    await expect(row(page, 'data')).toContainText('teamGröße')

    // Where nothing is demanded, the section is closed and sends nothing until it is used.
    await page.goto(`/projects/${project}/vpcs-new`)
    const vpc = page.getByRole('dialog', { name: 'Create VPC' })
    await vpc.getByLabel('Name', { exact: true }).fill('net')
    await vpc.getByLabel('DNS name').fill('net')
    await vpc.getByText('Tags', { exact: true }).click()
    await vpc.getByRole('button', { name: 'Add tag' }).click()
    await keyOf(page, 1).fill('env')
    await valueOf(page, 1).fill('test')
    await valueOf(page, 1).press('Tab')
    await vpc.getByRole('button', { name: 'Create VPC' }).click()
    await expect(vpc).toBeHidden()
    await page.goto(`/projects/${project}/vpcs`)
    await expect(row(page, 'net')).toContainText('envtest')
  },
)

test(
  'rows show their tags though the first reads of them fail',
  notOn({ preview: 'fails responses of the server' }),
  async ({ open, api, project }) => {
    const { id } = (await scenesIn(api, project).disk('data')) as { id: string }
    const tags = [{ key: 'env', value: 'prod' }]
    await api('member', 'PUT', `/ext/v1/tags/${id}?kind=disk`, { tags })
    const page = await open('member', '/favicon.ico')
    for (const path of ['**/ext/v1/tag-keys?*', '**/ext/v1/tags?*'])
      await page.route(path, (route) => route.fulfill({ status: 503, body: '' }), { times: 1 })
    await page.goto(`/projects/${project}/disks`)
    await expect(row(page, 'data')).toContainText('envprod')
  },
)

test('a new instance gives its disks its tags', async ({ open, project }) => {
  const page = await open('member', `/projects/${project}/instances-new`)
  await page.getByLabel('Name', { exact: true }).fill('db-1')
  await page.getByRole('checkbox', { name: 'Start instance' }).uncheck()
  await page.getByRole('combobox', { name: 'Image' }).click()
  await page.getByRole('option').first().click()
  await page.getByText('Tags', { exact: true }).click()
  await page.getByRole('button', { name: 'Add tag' }).click()
  await page.getByLabel('Key of tag 1').fill('env')
  await page.getByLabel('Value of tag 1').fill('prod')
  await page.getByLabel('Value of tag 1').press('Tab')
  await page.getByRole('button', { name: 'Create instance' }).click()
  await expect(page).toHaveURL(/instances\/db-1/)
  await page.goto(`/projects/${project}/disks`)
  await expect(page.getByRole('row', { name: /db-1/ }).first()).toContainText('envprod')
})

test('the page of tags says which are used and which are required, and administrators choose them', async ({
  open,
  api,
  project,
}) => {
  await api('member', 'PUT', `/v1/projects/${project}`, { description: 'tagged' })
  const member = await open('member', '/tags')
  await expect(member.getByRole('button', { name: 'Required tags…' })).toBeDisabled()
  const page = await open('admin', '/tags')
  await page.getByRole('button', { name: 'Required tags…' }).click()
  await dialog(page).getByLabel('Keys').fill('Env, cost')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page)).toContainText('must begin with a lower-case letter')
  await dialog(page).getByLabel('Keys').fill('env, cost')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page)).toBeHidden()
  // Without a kind, no form asks for them.
  await expect(page.getByRole('main')).toContainText('New objects of this silo need no tags.')
  await api('admin', 'PUT', '/ext/v1/tag-demand', { keys: [], kinds: [], is_for_all_clients: false })
})
