import { press, tabTo } from '../support/keys.ts'
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
  withoutFirstAnswers,
} from '../support/steps.ts'
import { expect, test } from '../support/test.ts'
import { notOn, story, target } from '../support/target.ts'

const group = (name: string, more: object = {}) => ({
  name,
  description: '',
  policy: 'allow',
  failure_domain: 'sled',
  ...more,
})

test('a user creates a group, changes its members and deletes it', async ({ open, project, machine }) => {
  await machine('still')
  await machine('busy', { start: true })
  const page = await open('member', `/projects/${project}/affinity`)
  await expect(page).toHaveTitle(/^Affinity Groups \/ q-.* \/ Projects \//)
  await expect(page.getByText('No anti-affinity groups')).toBeVisible()
  await page.getByRole('link', { name: 'New group', exact: true }).first().click()

  const create = page.getByRole('dialog', { name: 'Add anti-affinity group' })
  await expect(page).toHaveTitle(/^New anti-affinity group \/ Affinity Groups \//)
  await expect(create.getByRole('radio', { name: 'Allow' })).toBeChecked()
  await create.getByRole('button', { name: 'Add group' }).click()
  await expect(create.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(/Name is required/)
  await create.getByLabel('Name', { exact: true }).fill('romulus-remus')
  await create.getByLabel('Description').fill('never side by side')
  await create.getByRole('radio', { name: 'Fail' }).check()
  await create.getByRole('button', { name: 'Add group' }).click()
  await expect(notifications(page)).toContainText('Anti-affinity group romulus-remus created')
  await expect(page).toHaveURL(/\/affinity\/romulus-remus$/)
  await expect(page.getByRole('heading', { name: 'romulus-remus' })).toBeVisible()
  await expect(page.getByText('No group members')).toBeVisible()
  await expect(page.getByText('never side by side')).toBeVisible()

  // All instances are listed, but only stopped ones can be added.
  await page.getByRole('button', { name: 'Add instance' }).click()
  const add = page.getByRole('dialog', { name: 'Add instance to group' })
  const submit = add.getByRole('button', { name: 'Add to group' })
  await expect(submit).toBeDisabled()
  await expect(add.getByText('An instance must be stopped to be added to a group.')).toBeVisible()
  await choose(page, 'Instance', /^busy/)
  await expect(submit).toHaveAccessibleDescription('The instance must be stopped first')
  await choose(page, 'Instance', /^still/)
  await expect(add.getByText('An instance must be stopped to be added to a group.')).toBeHidden()
  await submit.click()
  await expect(notifications(page)).toContainText('Member still added to anti-affinity group romulus-remus')
  const members = page.getByRole('table', { name: 'Members' })
  await expect(members).toContainText('still')
  await page.getByRole('button', { name: 'Add instance' }).click()
  await expect(add.getByRole('combobox')).toHaveValue('')
  await add.getByRole('combobox').click()
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await add.getByRole('button', { name: 'Cancel' }).click()

  // The row links to the settings, where the instance's groups are listed.
  await members.getByRole('link', { name: 'still' }).click()
  await expect(page).toHaveURL(/\/instances\/still\/settings$/)
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await confirm(page)
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 15_000 })
  await page.getByRole('link', { name: 'romulus-remus' }).click()

  await openRowMenu(page, 'still')
  await expect(page.getByRole('menuitem')).toHaveCount(1)
  await menuItem(page, 'Remove from group').click()
  await expect(page.getByRole('dialog', { name: 'Remove instance from anti-affinity group' })).toBeVisible()
  await confirm(page)
  await expect(notifications(page)).toContainText(
    'Member still removed from anti-affinity group romulus-remus',
  )
  await expect(page.getByText('No group members')).toBeVisible()

  await page.getByRole('button', { name: 'Anti-affinity group actions' }).click()
  await menuItem(page, 'Edit').click()
  const edit = page.getByRole('dialog', { name: 'Edit anti-affinity group' })
  await expect(page).toHaveTitle(/^Edit anti-affinity group \/ romulus-remus \/ Affinity Groups/)
  await expect(edit.getByRole('radio')).toHaveCount(0)
  await edit.getByLabel('Name', { exact: true }).fill('brothers')
  await edit.getByRole('button', { name: 'Edit group' }).click()
  await expect(page).toHaveURL(/\/affinity\/brothers$/)
  await expect(notifications(page)).toContainText('Anti-affinity group brothers updated')
  await expect(page.getByRole('heading', { name: 'brothers' })).toBeVisible()

  await page.getByRole('button', { name: 'Anti-affinity group actions' }).click()
  await menuItem(page, 'Delete').click()
  await expect(page.getByRole('dialog', { name: 'Confirm delete anti-affinity group' })).toBeVisible()
  await confirm(page)
  await expect(notifications(page)).toContainText('Anti-affinity group brothers deleted')
  await expect(page).toHaveURL(/\/affinity$/)
  await expect(page.getByText('No anti-affinity groups')).toBeVisible()
})

test('the list counts the members of all groups in one request', async ({ open, project, machine, api }) => {
  for (const name of ['oil-water', 'pair', 'single'])
    await api('member', 'POST', `/v1/anti-affinity-groups?project=${project}`, group(name))
  await machine('one', { anti_affinity_groups: ['pair', 'single'] })
  await machine('two', { anti_affinity_groups: ['pair'] })
  const page = await open('member', '/projects')
  await withoutFirstAnswers(page)
  const asked: string[] = []
  page.on('request', (request) => {
    if (/affinity/.test(request.url()) && !/assets/.test(request.url()))
      asked.push(new URL(request.url()).pathname)
  })
  await visit(page, `/projects/${project}/affinity`)
  await expectRow(page, 'pair', { Instances: /^2/ })
  await expectRow(page, 'single', { Instances: /^1/ })
  await expectRow(page, 'oil-water', { Instances: '—' })
  const calls = asked.filter((path) => path.startsWith('/v1/') || path.startsWith('/ext/'))
  // Changes by another process arrive a little later and repeat the same requests.
  expect((target === 'cluster' ? [...new Set(calls)] : calls).sort()).toEqual([
    '/ext/v1/anti-affinity-group-sizes',
    '/v1/anti-affinity-groups',
  ])

  // The count reflects a member removed by another user at once.
  await api('member', 'DELETE', `/v1/anti-affinity-groups/pair/members/instance/two?project=${project}`)
  await expectRow(page, 'pair', { Instances: /^1/ })

  await rowAction(page, 'single', 'Delete')
  await expect(page.getByRole('dialog', { name: 'Confirm delete anti-affinity group' })).toContainText(
    'single',
  )
  await confirm(page)
  await expect(notifications(page)).toContainText('Anti-affinity group single deleted')
  // The deleted group's name can be reused.
  await page.getByRole('link', { name: 'New group' }).click()
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('pair')
  await page.getByRole('button', { name: 'Add group' }).click()
  await expect(name).toHaveAccessibleDescription(/name already exists/)
  await name.fill('single')
  await page.getByRole('button', { name: 'Add group' }).click()
  await expect(page.getByRole('heading', { name: 'single' })).toBeVisible()
})

test(
  "without bulk counts, the list requests each group's members",
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project, machine, api }) => {
    await api('member', 'POST', `/v1/anti-affinity-groups?project=${project}`, group('pair'))
    await machine('one', { anti_affinity_groups: ['pair'] })
    const page = await open('member', '/projects')
    await page.route('**/ext/v1/anti-affinity-group-sizes*', (route) =>
      route.fulfill({ status: 404, body: '' }),
    )
    await visit(page, `/projects/${project}/affinity`)
    await expectRow(page, 'pair', { Instances: /^1/ })
  },
)

test(
  'a viewer sees groups and members, and why they are read-only',
  story,
  async ({ open, project, machine, api }) => {
    await api('member', 'POST', `/v1/anti-affinity-groups?project=${project}`, group('pair'))
    await machine('one', { anti_affinity_groups: ['pair'] })
    await machine('two')
    const page = await open('viewer', `/projects/${project}/affinity`)
    await expect(page.getByRole('button', { name: 'New group' })).toBeDisabled()
    await openRowMenu(page, 'pair')
    await expect(menuItem(page, 'Edit')).toHaveAccessibleDescription(/role/i)
    await expect(menuItem(page, 'Delete')).toBeDisabled()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'pair' }).click()
    await expect(page.getByRole('button', { name: 'Add instance' })).toHaveAccessibleDescription(/role/i)
    await openRowMenu(page, 'one')
    await expect(menuItem(page, 'Remove from group')).toHaveAccessibleDescription(/role/i)
    await page.keyboard.press('Escape')
    // A direct link still opens the form.
    await visit(page, `${page.url()}/edit`)
    await expect(page.getByRole('button', { name: 'Edit group' })).toBeDisabled()
  },
)

test('a group can be created and filled by keyboard alone', async ({ open, project, machine }) => {
  await machine('only')
  const page = await open('member', `/projects/${project}/affinity`)
  await expect(page.getByText('No anti-affinity groups')).toBeVisible()
  await press(page, page.getByRole('link', { name: 'New group', exact: true }).first())
  await tabTo(page, page.getByLabel('Name', { exact: true }))
  await page.keyboard.type('by-hand')
  await tabTo(page, page.getByRole('radio', { name: 'Allow' }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Fail' })).toBeChecked()
  await press(page, page.getByRole('button', { name: 'Add group' }))
  await expect(page.getByRole('heading', { name: 'by-hand' })).toBeVisible()

  await press(page, page.getByRole('button', { name: 'Add instance' }))
  await tabTo(page, page.getByRole('combobox', { name: 'Instance' }))
  await page.keyboard.type('on')
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('button', { name: 'Add to group' }))
  await expect(page.getByRole('table', { name: 'Members' })).toContainText('only')
  await press(page, row(page, 'only').getByRole('button', { name: /^Actions for / }))
  await expect(menuItem(page, 'Remove from group')).toBeFocused()
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('button', { name: 'Confirm' }))
  await expect(page.getByText('No group members')).toBeVisible()
})

test('a group has its activity in a tab, and its members in the other', async ({ open, api, project }) => {
  const group = { name: 'told-of', description: '', policy: 'allow', failure_domain: 'sled' }
  await api('member', 'POST', `/v1/anti-affinity-groups?project=${project}`, group)
  const page = await open('member', `/projects/${project}/affinity/told-of`)
  await page.getByRole('tab', { name: 'Activity' }).click()
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'Created' })).toContainText(
    'told-of',
  )
  await page.getByRole('tab', { name: 'Members' }).click()
  await expect(page).not.toHaveURL(/tab=/)
})
