import type { Page } from '@playwright/test'
import { choose, refresh, row, visit, withoutFirstAnswers } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'
import { notOn, story } from '../support/target.ts'

const names = (page: Page): Promise<string[]> => page.getByRole('row').getByRole('link').allInnerTexts()

test("a user's page shows their effective roles, and where they come from", story, async ({ open }) => {
  const page = await open('viewer', '/projects')
  await expect(page.getByRole('heading', { name: 'Projects', exact: true })).toBeVisible()
  // The heading may be painted before the console listens to keys.
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(page.getByPlaceholder('Search')).toBeVisible({ timeout: 3000 })
  }).toPass()
  await page.getByPlaceholder('Search').fill('users')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Users & Groups' })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Find users by name' }).fill('OMA')
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(row(page, 'omar')).toContainText(/auditors.*engineers.*Silo viewer through auditors/)

  await page.getByRole('link', { name: 'omar', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'omar' })
  await expect(panel.getByRole('definition').filter({ hasText: 'engineers' })).toContainText('auditors')
  const line = (on: string) => panel.getByRole('listitem').filter({ hasText: new RegExp(`^${on}`) })
  await expect(line('Silo demo')).toContainText('Viewer on silo demo, through group auditors')
  await expect(line('Every project')).toContainText('Project viewer')
  await expect(line('Project playground')).toContainText('Project collaborator')
  await expect(line('Project playground')).toContainText(
    'Collaborator on project playground, through group engineers',
  )
  // A viewer does not see fleet roles.
  await expect(line('Fleet')).toBeHidden()

  await choose(page, 'Project', 'playground')
  await expect(
    line('Create, change and delete its resources').getByRole('img', { name: 'Yes' }),
  ).toBeVisible()
  await expect(line('Rename or delete').getByRole('img', { name: 'No' })).toBeVisible()
  await expect(line('Rename or delete')).toContainText('Requires the role admin')

  // The search is kept behind the panel, and the panel has its own URL.
  await refresh(page)
  await expect(panel).toBeVisible()
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(/\/users\?name=OMA$/)
})

test('groups link to their members, and both can be sorted', async ({ open }) => {
  const page = await open('admin', '/users')
  await expect(row(page, 'admin')).toContainText('Fleet admin')
  const upwards = await names(page)
  expect(upwards).toEqual(upwards.toSorted())
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect(page).toHaveURL(/sort=-name/)
  await expect(async () => expect(await names(page)).toEqual(upwards.toReversed())).toPass()

  await page.getByRole('tab', { name: 'Groups' }).click()
  await expect(row(page, 'engineers')).toContainText('2')
  await page.getByRole('searchbox', { name: 'Find groups by name' }).fill('nobody')
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('link', { name: 'engineers' }).click()
  const group = page.getByRole('dialog', { name: 'engineers' })
  await expect(group).toContainText('Collaborator on project playground')
  await choose(page, 'Project', 'playground')
  await expect(group.getByRole('listitem').filter({ hasText: 'View the project' })).toBeVisible()
  await group.getByRole('link', { name: 'ines' }).click()
  const ines = page.getByRole('dialog', { name: 'ines' })
  await expect(ines).toContainText('Admin on project playground')
  await expect(ines).toContainText('Collaborator on project playground, through group engineers')
  await expect(page.getByRole('tab', { name: 'Users' })).toHaveAttribute('aria-selected', 'true')
  await page.goBack()
  await expect(group).toBeVisible()
})

test('a role granted elsewhere appears without a reload', async ({ open, api, project }) => {
  const page = await open('viewer', '/users')
  const me = (await page.evaluate(async () => (await fetch('/v1/me')).json())) as { id: string }
  await page.getByRole('link', { name: 'viewer', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'viewer' })
  await expect(panel).toContainText('Viewer on silo demo')
  await expect(panel).not.toContainText(project)
  const role_assignments = [{ identity_id: me.id, identity_type: 'silo_user', role_name: 'admin' }]
  await api('admin', 'PUT', `/v1/projects/${project}/policy`, { role_assignments })
  await expect(panel).toContainText(`Admin on project ${project}`)
})

test(
  'without effective roles on the server, the page does not exist',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open }) => {
    const page = await open('viewer', '/login')
    await withoutFirstAnswers(page)
    await page.route('**/ext/**', (route) => route.fulfill({ status: 404, body: 'not here' }))
    await visit(page, '/projects')
    const rail = page.getByRole('navigation', { name: 'Sidebar' })
    await expect(rail.getByRole('link', { name: 'Silo Access' })).toBeVisible()
    await expect(rail.getByRole('link', { name: 'Users & Groups' })).toBeHidden()
    await visit(page, '/users')
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  },
)
