import { confirm, expectRow, notifications, row, rowAction, visit } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

const pools = '/v1/system/ip-pools'

test('a member puts an instance into a multicast group and takes it out', async ({ open, project, api }) => {
  const group = `tides-${project}`
  const { items } = (await api('admin', 'GET', `${pools}?limit=1000`)) as { items: { name: string }[] }
  if (!items.some(({ name }) => name === 'groups')) {
    await api('admin', 'POST', pools, { name: 'groups', description: '', pool_type: 'multicast' })
    await api('admin', 'POST', `${pools}/groups/ranges/add`, { first: '224.10.0.1', last: '224.10.0.99' })
    await api('admin', 'POST', `${pools}/groups/silos`, { silo: 'demo', is_default: true })
  }
  await api('member', 'POST', `/v1/instances?project=${project}`, {
    name: 'listener',
    description: '',
    hostname: 'listener',
    ncpus: 1,
    memory: 1024 ** 3,
    start: false,
  })
  const page = await open('member', `/projects/${project}/instances/listener/networking`)
  await page.getByRole('button', { name: 'Join group' }).click()
  const form = page.getByRole('dialog', { name: 'Join multicast group' })
  await form.getByRole('textbox', { name: 'Group' }).fill(group)
  await form.getByRole('textbox', { name: 'Sources' }).fill('127.0.0.1')
  await form.getByRole('button', { name: 'Join' }).click()
  await expect(form).toContainText('No single machine sends from this address')
  await form.getByRole('textbox', { name: 'Sources' }).fill('10.0.0.1 10.0.0.2')
  await form.getByRole('button', { name: 'Join' }).click()
  await expect(notifications(page)).toContainText(`listener joined ${group}`)
  await expectRow(page, group, { Sources: '10.0.0.1, 10.0.0.2' })

  await row(page, group).getByRole('link', { name: group }).click()
  await expect(page.getByRole('heading', { name: group, level: 1 })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Members' })).toContainText('10.0.0.1, 10.0.0.2')
  await visit(page, '/multicast-groups')
  await expect(row(page, group)).toBeVisible()

  await visit(page, `/projects/${project}/instances/listener/networking`)
  await rowAction(page, group, 'Leave group')
  await confirm(page)
  await expect(notifications(page)).toContainText(`listener left ${group}`)
  await expect(page.getByText('No multicast groups')).toBeVisible()
})
