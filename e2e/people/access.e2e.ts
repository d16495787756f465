import type { Page } from '@playwright/test'
import { notOn, password, story, target } from '../support/target.ts'
import { press, tabTo } from '../support/keys.ts'
import {
  choose,
  confirm,
  menuItem,
  notifications,
  openRowMenu,
  refresh,
  row,
  rowAction,
  signIn,
  visit,
} from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

interface Assignment {
  identity_id: string
  identity_type: string
  role_name: string
}
interface Policy {
  role_assignments: Assignment[]
}
type Api = (user: 'admin', method: string, path: string, body?: unknown) => Promise<unknown>

/** Creates a user in silo `demo` without any role. */
async function newUser(api: Api, name: string): Promise<string> {
  const body = { external_id: name, password: { mode: 'password', value: password } }
  const made = await api('admin', 'POST', '/v1/system/identity-providers/local/users?silo=demo', body)
  return (made as { id: string }).id
}

const policyOf = async (api: Api, path: string): Promise<Assignment[]> =>
  ((await api('admin', 'GET', path)) as Policy).role_assignments

/** Changes one user's role like a concurrent administrator; other assignments stay. */
async function assignRole(api: Api, path: string, id: string, role?: string): Promise<void> {
  const others = (await policyOf(api, path)).filter(({ identity_id }) => identity_id !== id)
  const own = role ? [{ identity_id: id, identity_type: 'silo_user', role_name: role }] : []
  await api('admin', 'PUT', path, { role_assignments: [...others, ...own] })
}

const roleOf = async (api: Api, path: string, id: string): Promise<string[]> =>
  (await policyOf(api, path)).filter((one) => one.identity_id === id).map(({ role_name }) => role_name)

const add = (page: Page) => page.getByRole('button', { name: 'Add user or group' })
const panel = (page: Page) => page.getByRole('dialog')

test('an administrator assigns a silo role and removes it', story, async ({ open, api, project }) => {
  const name = `u-${project}`
  const id = await newUser(api, name)
  const page = await open('admin', '/projects')
  await page.getByRole('navigation', { name: 'Sidebar' }).getByRole('link', { name: 'Silo Access' }).click()
  await expect(page).toHaveTitle(/^Silo Access \/ /)

  await add(page).click()
  await panel(page).getByRole('button', { name: 'Assign role' }).click()
  await expect(page.getByRole('combobox', { name: 'User or group' })).toHaveAccessibleDescription(
    /User or group is required/,
  )
  await expect(page.getByRole('combobox', { name: 'Role' })).toHaveAccessibleDescription(/Role is required/)

  await page.getByRole('combobox', { name: 'Role' }).click()
  // Each option describes its permissions.
  await expect(page.getByRole('option')).toHaveText([
    /^Admin ?Manages roles and has full control/,
    /^Collaborator ?Creates projects/,
    /^Limited collaborator ?Creates, changes and deletes silo images/,
    /^Viewer ?Views all projects/,
  ])
  await page.getByRole('option', { name: 'Viewer' }).click()
  // Users come before groups, and users with a role are not listed.
  await page.getByRole('combobox', { name: 'User or group' }).click()
  const offered = await page.getByRole('option').allInnerTexts()
  expect(offered.some((text) => text === 'member')).toBe(false)
  expect(offered.findIndex((text) => text.startsWith('engineers'))).toBe(offered.length - 1)
  await page.getByRole('option', { name }).click()
  await panel(page).getByRole('button', { name: 'Assign role' }).click()
  await expect(notifications(page)).toContainText(`Role assigned to ${name}`)
  await expect(row(page, name)).toContainText('UserSilo viewer')

  const types = await page
    .getByRole('row')
    .getByRole('cell', { name: /^(User|Group)$/ })
    .allInnerTexts()
  expect(types).toEqual([...types].sort().toReversed())
  expect(types).toContain('Group')

  await rowAction(page, name, 'Delete')
  const question = page.getByRole('dialog', { name: 'Confirm delete role' })
  await expect(question).toContainText(`delete the viewer role on silo demo for ${name}?`)
  await expect(question).not.toContainText('own role')
  await confirm(page)
  await expect(notifications(page)).toContainText(`Access removed for ${name}`)
  await expect(row(page, name)).toBeHidden()
  expect(await roleOf(api, '/v1/policy', id)).toEqual([])
})

test('a role can be changed by keyboard alone', async ({ open, api, project }) => {
  const name = `k-${project}`
  const id = await newUser(api, name)
  const policy = `/v1/projects/${project}/policy`
  await assignRole(api, policy, id, 'viewer')
  const page = await open('member', `/projects/${project}/access`)
  await press(page, row(page, name).getByRole('button', { name: /^Actions for / }))
  await expect(menuItem(page, 'Change role')).toBeVisible()
  await page.keyboard.type('change')
  await expect(menuItem(page, 'Change role')).toBeFocused()
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: `Change project role for ${name}` })
  const update = form.getByRole('button', { name: 'Update role' })
  const role = form.getByRole('combobox', { name: 'Role' })
  await expect(role).toHaveValue('Viewer')
  await tabTo(page, role)
  await page.keyboard.type('coll')
  await page.keyboard.press('Enter')
  await expect(role).toHaveAccessibleDescription('Creates, changes and deletes resources in this project.')
  await press(page, update)
  await expect(notifications(page)).toContainText(`Role updated for ${name}`)
  await expect(form).toBeHidden()
  await expect(row(page, name).getByRole('button', { name: /^Actions for / })).toBeFocused()
  await expect(row(page, name)).toContainText('Project collaborator')
  expect(await roleOf(api, policy, id)).toEqual(['collaborator'])
})

test('a project role is listed with the silo role, and removed without it', async ({ open, project }) => {
  const page = await open('member', `/projects/${project}/access`)
  await expect(page).toHaveTitle(new RegExp(`^Project Access / ${project} / Projects / `))
  await expect(row(page, 'admin')).toContainText('Silo admin')
  await openRowMenu(page, 'admin')
  for (const action of ['Change role', 'Delete'])
    await expect(menuItem(page, action)).toHaveAccessibleDescription(/comes from the silo.*Silo Access/)
  await page.keyboard.press('Escape')

  await add(page).click()
  await choose(page, 'User or group', /^admin/)
  await choose(page, 'Role', 'Viewer')
  await panel(page).getByRole('button', { name: 'Assign role' }).click()
  await expect(row(page, 'admin')).toContainText('Silo admin+1')
  const others = row(page, 'admin').getByRole('button', { name: '+1' })
  await expect(others).toHaveAccessibleDescription('Other roles: Project viewer')
  await others.hover()
  await expect(page.getByRole('tooltip').filter({ hasText: 'Other roles' })).toBeVisible()

  await rowAction(page, 'admin', 'Delete')
  await expect(panel(page)).toContainText(`delete the viewer role on project ${project} for admin?`)
  await confirm(page)
  await expect(row(page, 'admin')).not.toContainText('+1')
  await expect(row(page, 'admin')).toContainText('Silo admin')
})

test(
  'concurrent policy changes by two administrators are both kept',
  { ...story, ...notOn({ preview: 'delays requests to the control plane, which runs in the page' }) },
  async ({ open, api, project }) => {
    const policy = `/v1/projects/${project}/policy`
    const [mine, theirs] = [`mine-${project}`, `theirs-${project}`]
    const [myId, theirId] = [await newUser(api, mine), await newUser(api, theirs)]
    const page = await open('member', `/projects/${project}/access`)
    await add(page).click()
    await choose(page, 'User or group', mine)
    await choose(page, 'Role', /^Collaborator/)
    // A concurrent write makes the policy that the page has read stale.
    const sent: number[] = []
    page.on('response', (response) => {
      if (response.request().method() === 'PUT') sent.push(response.status())
    })
    let isFirst = true
    await page.route(`**${policy}`, async (route) => {
      if (route.request().method() === 'PUT' && isFirst) {
        isFirst = false
        await assignRole(api, policy, theirId, 'viewer')
      }
      await route.continue()
    })
    await panel(page).getByRole('button', { name: 'Assign role' }).click()
    await expect(notifications(page)).toContainText(`Role assigned to ${mine}`)
    expect(sent).toEqual([412, 200])
    await expect(row(page, theirs)).toContainText('Project viewer')
    expect(await roleOf(api, policy, myId)).toEqual(['collaborator'])
    expect(await roleOf(api, policy, theirId)).toEqual(['viewer'])

    // On a conflict about the same user, the second administrator is notified and decides.
    await rowAction(page, theirs, 'Change role')
    await assignRole(api, policy, theirId, 'collaborator')
    await choose(page, 'Role', 'Admin')
    await panel(page).getByRole('button', { name: 'Update role' }).click()
    await expect(panel(page).getByRole('alert')).toContainText(
      'Someone else has changed this role to collaborator',
    )
    expect(await roleOf(api, policy, theirId)).toEqual(['collaborator'])
    await panel(page).getByRole('button', { name: 'Update role' }).click()
    await expect(row(page, theirs)).toContainText('Project admin')

    // The page shows a concurrent change without a reload.
    await assignRole(api, policy, theirId)
    await expect(row(page, theirs)).toBeHidden()
  },
)

test(
  'reducing your own role shows a warning first',
  notOn({ preview: 'needs a second browser' }),
  async ({ open, api, project }) => {
    const page = await open('ines', '/projects/playground/access')
    await rowAction(page, 'ines', 'Change role')
    const warning = 'This reduces your own role to collaborator on project playground.'
    await expect(page.getByText(warning)).toBeHidden()
    await choose(page, 'Role', 'Viewer')
    await expect(page.getByText(warning)).toBeVisible()
    await choose(page, 'Role', 'Admin')
    await expect(page.getByText(warning)).toBeHidden()
    await panel(page).getByRole('button', { name: 'Cancel' }).click()
    await rowAction(page, 'ines', 'Delete')
    await expect(panel(page)).toContainText(warning)
    await panel(page).getByRole('button', { name: 'Cancel' }).click()

    const name = `only-${project}`
    await assignRole(api, `/v1/projects/${project}/policy`, await newUser(api, name), 'admin')
    const onlyAdmin = await open('nobody', '/login/demo/local')
    await signIn(onlyAdmin, name)
    await expect(onlyAdmin).toHaveURL(/\/projects$/)
    await visit(onlyAdmin, `/projects/${project}/access`)
    await rowAction(onlyAdmin, name, 'Delete')
    await expect(panel(onlyAdmin)).toContainText(`This removes your own role on project ${project}.`)
    await confirm(onlyAdmin)
    // Without the role, the project is no longer visible.
    await expect(onlyAdmin.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  },
)

test(
  'an administrator of a silo with mapped fleet roles reads why its roles are read-only',
  notOn({ preview: 'needs a second browser' }),
  async ({ open, api, project }) => {
    const silo = `mapped-${project}`
    await api('admin', 'POST', '/v1/system/silos', {
      name: silo,
      description: '',
      discoverable: false,
      identity_mode: 'local_only',
      quotas: { cpus: 0, memory: 0, storage: 0 },
      tls_certificates: [],
      mapped_fleet_roles: { viewer: ['viewer'] },
    })
    const chief = { external_id: 'chief', password: { mode: 'password', value: password } }
    const users = `/v1/system/identity-providers/local/users?silo=${silo}`
    const { id } = (await api('admin', 'POST', users, chief)) as { id: string }
    await assignRole(api, `/v1/system/silos/${silo}/policy`, id, 'admin')

    const page = await open('nobody', `/login/${silo}/local`)
    await signIn(page, 'chief')
    await expect(page).toHaveURL(/\/projects$/)
    const fleetReason = 'You need the role admin on the fleet, because a role on the fleet is at stake'
    await visit(page, '/access')
    await expect(add(page)).toBeDisabled()
    await expect(add(page)).toHaveAccessibleDescription(fleetReason)
    await openRowMenu(page, 'chief')
    await expect(menuItem(page, 'Change role')).toHaveAccessibleDescription(fleetReason)
    await visit(page, '/settings/access-tokens')
    const card = page.getByRole('region', { name: 'Access tokens in this silo' })
    await expect(card.getByRole('button', { name: 'Edit' })).toHaveAccessibleDescription(fleetReason)
  },
)

test('a viewer sees all roles, and the role needed to change them', story, async ({ open, project }) => {
  const page = await open('viewer', '/access')
  const missingRole = 'You need the role admin on silo demo or collaborator on the fleet'
  await expect(add(page)).toHaveAccessibleDescription(missingRole)
  await openRowMenu(page, 'member')
  await expect(menuItem(page, 'Copy ID')).toBeEnabled()
  await expect(menuItem(page, 'Change role')).toHaveAccessibleDescription(missingRole)
  await expect(menuItem(page, 'Delete')).toBeDisabled()
  await page.keyboard.press('Escape')

  const onProject = `You need the role admin on project ${project} or collaborator on silo demo`
  await visit(page, `/projects/${project}/access`)
  await expect(add(page)).toHaveAccessibleDescription(onProject)
  await visit(page, '/projects')
  await expect(page.getByRole('button', { name: 'New project' })).toHaveAccessibleDescription(
    'You need the role collaborator on silo demo',
  )
  await openRowMenu(page, project)
  await expect(menuItem(page, 'Edit')).toHaveAccessibleDescription(onProject)
  await expect(menuItem(page, 'Delete')).toHaveAccessibleDescription(onProject)
})

test(
  'the project list fetches permissions for each project',
  notOn({ preview: 'counts the requests of a page load' }),
  async ({ open, api, project }) => {
    const omar = await open('omar', '/projects')
    const me = (await omar.evaluate(async () => (await fetch('/v1/me')).json())) as { id: string }
    await assignRole(api, `/v1/projects/${project}/policy`, me.id, 'admin')
    const asked: string[] = []
    omar.on('request', (request) => {
      if (request.url().endsWith('/ext/v1/can')) asked.push(request.postData() ?? '')
    })
    await refresh(omar)
    await openRowMenu(omar, project)
    await expect(menuItem(omar, 'Delete')).toBeEnabled()
    await omar.keyboard.press('Escape')
    await openRowMenu(omar, 'playground')
    await expect(menuItem(omar, 'Delete')).toHaveAccessibleDescription(/admin on project playground/)
    // Each request covers all rows. If the stream reports the new role late, the page fetches them again.
    const projects = asked.map((body) => body.split('"object":"project"').length - 1)
    const ofRows = projects.filter((count) => count > 0)
    expect(ofRows.length).toBeGreaterThan(0)
    expect(Math.min(...ofRows)).toBeGreaterThanOrEqual(2)
    expect(new Set(asked).size).toBeLessThanOrEqual(target === 'cluster' ? 3 : 2)
  },
)

test(
  'a question keeps its buttons where they are while one is pressed, also when its plan arrives',
  notOn({ preview: 'its requests are not intercepted' }),
  async ({ open, project, api }) => {
    const name = `p-${project}`
    await assignRole(api, `/v1/projects/${project}/policy`, await newUser(api, name), 'viewer')
    const page = await open('admin', `/projects/${project}/access`)
    let release: (() => void) | undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/ext/v1/plans/**', async (route) => {
      await held
      await route.fallback()
    })
    await rowAction(page, name, 'Delete')
    const question = page.getByRole('dialog', { name: 'Confirm delete role' })
    await question.getByRole('button', { name: 'Confirm' }).hover()
    await page.mouse.down()
    const answered = page.waitForResponse('**/ext/v1/plans/**')
    release?.()
    await (await answered).finished()
    // It would be on screen two frames later.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    await page.mouse.up()
    await expect(notifications(page)).toContainText(`Access removed for ${name}`)
    await expect(row(page, name)).toBeHidden()
  },
)
