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
import { expect, test } from '../support/test.ts'
import { notOn } from '../support/target.ts'

const group = (name: string) => ({ name, description: '', policy: 'fail', failure_domain: 'sled' })

test('a user keeps two instances on one sled', async ({ open, project, machine }) => {
  await machine('front')
  await machine('back')
  const page = await open('member', `/projects/${project}/affinity`)
  await page.getByRole('tab', { name: 'Affinity', exact: true }).click()
  await expect(page).toHaveURL(/\/affinity-groups$/)
  await expect(page.getByText('No affinity groups')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Affinity Groups' }).first()).toHaveAttribute(
    'aria-current',
    'page',
  )
  await page.getByRole('link', { name: 'New group', exact: true }).first().click()
  const create = page.getByRole('dialog', { name: 'Add affinity group' })
  const name = create.getByLabel('Name', { exact: true })
  await name.fill('Not a name')
  await create.getByRole('button', { name: 'Add group' }).click()
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await name.fill('side-by-side')
  await create.getByRole('radio', { name: 'Fail' }).check()
  await create.getByRole('button', { name: 'Add group' }).click()
  await expect(notifications(page)).toContainText('Affinity group side-by-side created')
  await expect(page).toHaveURL(/\/affinity-groups\/side-by-side$/)

  await page.getByRole('button', { name: 'Add instance' }).click()
  await choose(page, 'Instance', /^front/)
  await page.getByRole('button', { name: 'Add to group' }).click()
  await expect(notifications(page)).toContainText('Member front added to affinity group side-by-side')
  const members = page.getByRole('table', { name: 'Members' })
  await expect(members).toContainText('front')

  // The second member joins from the instance's page.
  await visit(page, `/projects/${project}/instances/back/settings`)
  await page.getByRole('button', { name: 'Add to affinity group' }).click()
  const add = page.getByRole('dialog', { name: 'Add to affinity group' })
  await add.getByRole('button', { name: 'Add to group' }).click()
  await expect(add.getByRole('combobox')).toHaveAccessibleDescription('Affinity group is required')
  await choose(page, 'Affinity group', /side-by-side/)
  await add.getByRole('button', { name: 'Add to group' }).click()
  await expect(notifications(page)).toContainText('Member back added to affinity group side-by-side')

  await page.getByRole('link', { name: 'side-by-side' }).click()
  await expect(members.getByRole('row')).toHaveCount(3)
  await openRowMenu(page, 'back')
  await menuItem(page, 'Remove from group').click()
  await expect(page.getByRole('dialog', { name: 'Remove instance from affinity group' })).toBeVisible()
  await confirm(page)
  await expect(notifications(page)).toContainText('Member back removed from affinity group side-by-side')

  await page.getByRole('button', { name: 'Affinity group actions' }).click()
  await menuItem(page, 'Edit').click()
  const edit = page.getByRole('dialog', { name: 'Edit affinity group' })
  await edit.getByLabel('Name', { exact: true }).fill('neighbours')
  await edit.getByRole('button', { name: 'Edit group' }).click()
  await expect(page).toHaveURL(/\/affinity-groups\/neighbours$/)
  await page.getByRole('button', { name: 'Affinity group actions' }).click()
  await menuItem(page, 'Delete').click()
  await expect(page.getByRole('dialog', { name: 'Confirm delete affinity group' })).toContainText(
    'no longer kept together',
  )
  await confirm(page)
  await expect(notifications(page)).toContainText('Affinity group neighbours deleted')
  await expect(page).toHaveURL(/\/affinity-groups$/)
})

test('groups of both families can share a name, and each lists its own members', async ({
  open,
  project,
  machine,
  api,
}) => {
  await machine('one')
  for (const family of ['affinity', 'anti-affinity'])
    await api('member', 'POST', `/v1/${family}-groups?project=${project}`, group('twin'))
  await api('member', 'POST', `/v1/affinity-groups/twin/members/instance/one?project=${project}`)
  const page = await open('member', `/projects/${project}/affinity-groups`)
  await expectRow(page, 'twin', { Instances: /^1/ })
  // The count reflects a member removed by another user at once.
  await api('member', 'DELETE', `/v1/affinity-groups/twin/members/instance/one?project=${project}`)
  await expectRow(page, 'twin', { Instances: '—' })
  await rowAction(page, 'twin', 'Delete')
  await confirm(page)
  await expect(page.getByText('No affinity groups')).toBeVisible()
  await page.getByRole('tab', { name: 'Anti-affinity' }).click()
  await expect(row(page, 'twin')).toBeVisible()
})

test('a group deleted by another user is reported, and its form is refused', async ({
  open,
  project,
  api,
}) => {
  await api('member', 'POST', `/v1/affinity-groups?project=${project}`, group('brief'))
  const page = await open('member', `/projects/${project}/affinity-groups/brief`)
  await expect(page.getByRole('heading', { name: 'brief' })).toBeVisible()
  await api('member', 'DELETE', `/v1/affinity-groups/brief?project=${project}`)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('a viewer sees affinity groups, and why they are read-only', async ({ open, project, machine, api }) => {
  await api('member', 'POST', `/v1/affinity-groups?project=${project}`, group('pair'))
  await machine('one')
  await api('member', 'POST', `/v1/affinity-groups/pair/members/instance/one?project=${project}`)
  const page = await open('viewer', `/projects/${project}/affinity-groups`)
  await expect(page.getByRole('button', { name: 'New group' })).toHaveAccessibleDescription(/role/i)
  await openRowMenu(page, 'pair')
  await expect(menuItem(page, 'Delete')).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'pair' }).click()
  await expect(page.getByRole('button', { name: 'Add instance' })).toHaveAccessibleDescription(/role/i)
  await visit(page, `/projects/${project}/instances/one/settings`)
  await expect(page.getByRole('button', { name: 'Add to affinity group' })).toHaveAccessibleDescription(
    /role/i,
  )
})

test(
  "without bulk counts, the list requests each affinity group's members",
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project, machine, api }) => {
    await api('member', 'POST', `/v1/affinity-groups?project=${project}`, group('pair'))
    await machine('one')
    await api('member', 'POST', `/v1/affinity-groups/pair/members/instance/one?project=${project}`)
    const page = await open('member', '/projects')
    await page.route('**/ext/v1/affinity-group-sizes*', (route) => route.fulfill({ status: 404, body: '' }))
    await visit(page, `/projects/${project}/affinity-groups`)
    await expectRow(page, 'pair', { Instances: /^1/ })
  },
)
